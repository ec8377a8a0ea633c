"""Contact of solids with incompressible and with stiff water, by four methods: claims. The unit of lengths is the spacing of particles."""

import functools
import math

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes, momentum_closes, nothing_passes, stays_stable
from nearby import Nearby

SPACING = 0.02  # m
CONTACT = ("merging", "sliding", "penalty")  # beside pressure
STEPS = ("2e-3", "1e-3", "5e-4")
DROP, SLAB, SPLASH = ("3", "5"), ("3", "5", "10"), ("4", "20")  # frames: the drop in touch, the same, the ball under water and afloat
TOUCH, SUPPORT = 1.2, 2.0
CELL = 7  # neighbors of one body by which a particle is inside it: eight in the middle of a cell of its lattice, four before a face


# ---- the water that touches a solid ----

def kernel(distance):
    """What a particle adds to the density at that distance, of which 1 is the density at rest (src/sph/pressure.c)."""
    q = distance / SUPPORT
    return 1.018 * 21 / (16 * math.pi) * (1 - q)**4 * (4 * q + 1)


@functools.lru_cache(maxsize=None)
def particles(m, run, frame):
    """Places of the solid, and of the water."""
    body, *x = (m.section(run, frame, name) for name in ("body", "u", "depth", "v"))
    found = {"solid": [], "water": []}
    for name, *place in zip(body, *x):
        found[name].append(tuple(c / SPACING for c in place))
    return found["solid"], found["water"]


@functools.lru_cache(maxsize=None)
def touching(m, run, frame):
    """Of each particle of water at the solid: (distance to the nearest particle of the solid, how many of them touch, compression if all
    particles count)."""
    solid, water = particles(m, run, frame)
    near, everything = Nearby(solid, TOUCH), Nearby(solid + water, SUPPORT)
    found = []
    for x in water:
        distances = [distance for _, distance in near.of(x)]
        if distances:
            density = 0.3728 + sum(kernel(distance) for _, distance in everything.of(x)) - kernel(0)
            found.append((min(distances), len(distances), density - 1))
    return found


def frames(run):
    return {"drop": DROP, "slab": SLAB, "splash": SPLASH}[run.split("-")[0]]


def touch(m, run):
    """That of all frames."""
    return [one for frame in frames(run) for one in touching(m, run, frame)]


def median_distance(m, run):
    distances = sorted(distance for distance, _, _ in touch(m, run))
    return distances[len(distances) // 2]


def layer(m, run):
    """How much denser than at rest the water at the solid is, mean."""
    return mean([max([compression, 0.0]) for _, _, compression in touch(m, run)])


def inside(m, run):
    """The most particles of water inside a solid, in any frame."""
    return max(sum(number >= CELL for _, number, _ in touching(m, run, frame)) for frame in frames(run))


def depth(m, run):
    """How far centers of particles of different bodies come nearer than a spacing: (the most, the most of a step as mean over time)."""
    overlap, dt = m.column(run, "overlap_max"), m.column(run, "dt")
    return max(overlap), sum(o * s for o, s in zip(overlap, dt)) / sum(dt)


def share_through(m, run):
    return max(m.column(run, "penetrated")) / m.body(run, "water", "particles")[0]


def rebound(m, run):
    """The largest upward velocity of the water's center over its downward one at first."""
    velocity = m.body(run, "water", "velocity_z")
    return max(velocity) / -velocity[0]


# ---- afloat ----

def floats_at(m, run):
    """How far the center of the ball, which has half the density of water, is above the surface, where it belongs; spacings: mean of the
    last fifth of a second."""
    count = {name: m.body(run, name, "particles")[0] for name in ("solid", "water")}
    level = (count["water"] + 0.5 * count["solid"]) * SPACING**3 / m.setting(run, "walls.tank.shape.box.size")[0][0]**2
    return (mean(m.body(run, "solid", "z", start=0.8)) - level) / SPACING


def carried(m, run):
    """Force of the walls over the weight of all, mean of the last 0.4 s."""
    time, dt, impulse, weight = (m.column(run, name) for name in ("time", "dt", "support_impulse_z", "gravity_impulse_z"))
    late = [i for i, t in enumerate(time) if t > 0.6]
    return -sum(impulse[i] for i in late) / sum(weight[i] for i in late)


# ---- what holds ----

ledger_closes()
stays_stable()
momentum_closes("COUPLED-momentum", "gravity, the rim, walls")
nothing_passes("COUPLED-through", kind="finding", runs="drop-[ms]*",
               states="merging-and-splitting and sliding contact let none of a drop of 5 m/s through a sheet, with either fluid, in steps of any length: most particles through")


@claim("COUPLED-sheet", kind="finding",
       states="pressure does not close a sheet of one layer: part of the drop that gets through, least of three lengths of steps",
       holds="> 0.02", because="a fiftieth are more than a few at the rim of the drop: those that find a place between the particles of a sheet meet nothing that pushes them "
                               "back, as their density there is not above that at rest")
def sheet_leaks(m):
    return min(share_through(m, f"drop-pressure-{step}") for step in STEPS)


@claim("COUPLED-slow", kind="finding", states="... but nothing does at 2 m/s: most particles through", holds="== 0", because="a count of particles: none")
def slow_held(m):
    return max(m.column("drop-pressure-slow", "penetrated"))


@claim("C19-dropped", kind="corotated",
       states="the pressure of solid particles keeps fluid out of solids: particles of water with seven or more of a ball within 1.2 spacings that falls into a tank, under water and "
              "afloat",
       holds="== 0", because="in the middle of a cell of a body's lattice it has eight, before a face four at most")
def dropped(m):
    return inside(m, "splash-pressure")


@claim("C19-struck", kind="corotated", states="... of a slab of three layers that a drop of 5 m/s hits, most in three frames", holds="== 0", because="the same",
       known="a few of 840 are pressed into its uppermost layer, where they are not too dense; none with merging-and-splitting, sliding contact and the penalty")
def struck(m):
    return inside(m, "slab-pressure")


@claim("COUPLED-near", kind="finding",
       states="merging-and-splitting keeps the distance of a spacing within a step's way: deepest pair of bodies in spacings, mean over time and five runs",
       holds="< 0.4", because="as far as a particle may go in a step by time.courant; pairs are found at its start")
def merging_depth(m):
    return mean([depth(m, run)[1] for run in (*(f"drop-merging-{step}" for step in STEPS), "slab-merging", "splash-merging")])


@claim("COUPLED-swept", kind="finding", states="sliding contact, which sweeps the way, keeps it: deepest pair of all runs at any time", holds="< 0.05",
       because="a twentieth: ways bend within a step, and impulses are found to a tolerance")
def sliding_depth(m):
    return max(m.column("*-sliding*", "overlap_max"))


@claim("COUPLED-deeper", kind="finding",
       states="pressure does not keep it: deepest pair, mean over time and three scenes, over that of merging-and-splitting in the same steps",
       holds="> 1", because="the statement: what has room is not pushed, however near it is to a single particle")
def pressure_deeper(m):
    usual = {method: mean([depth(m, run.format(method))[1] for run in ("drop-{}-1e-3", "slab-{}", "splash-{}")]) for method in ("pressure", "merging")}
    return usual["pressure"] / usual["merging"]


@claim("COUPLED-remains", kind="finding",
       states="... nor in shorter steps: deepest pair with pressure, mean over time, in steps of 0.5 ms over that in steps of 2 ms",
       holds="> 0.7", because="merging-and-splitting, of first order in the step, has a third: between that and one")
def remains(m):
    return depth(m, "drop-pressure-5e-4")[1] / depth(m, "drop-pressure-2e-3")[1]


@claim("COUPLED-unseen", kind="finding",
       states="water that does not see solids, incompressible water with any contact method, is too dense where it touches them: mean excess there, least of three methods and scenes",
       holds="> 0.1", because="a layer of a lattice a spacing away adds 0.13 to the density; the pressure does not know")
def unseen(m):
    return min(layer(m, run.format(method)) for method in CONTACT for run in ("drop-{}-1e-3", "slab-{}", "splash-{}"))


@claim("COUPLED-no-layer", kind="finding", states="with pressure it is not: mean excess, largest of all runs", holds="< 0.01",
       because="far less than the 0.13 that is not seen otherwise; the solve leaves 2e-4 of all")
def no_layer(m):
    return max(layer(m, run) for run in (*(f"drop-pressure-{step}" for step in STEPS), "drop-pressure-slow", "slab-pressure", "splash-pressure"))


@claim("COUPLED-seen", kind="finding",
       states="nor with merging-and-splitting and the others, where the fluid sees solids (SPH, solids: displace): mean excess, largest of three methods and two scenes",
       holds="< 0.05", because="the pressure that stops 5 m/s compresses this water by a thirtieth")
def seen(m):
    return max(layer(m, f"{scene}-{method}-sph") for scene in ("drop", "splash") for method in CONTACT)


@claim("COUPLED-floats", kind="physics",
       states="a ball of half the density floats half out, where the fluid sees it: distance from its place after 0.8 s, spacings, largest of pressure, and of three methods with SPH",
       holds="< 0.5", because="half a spacing: the surface of water is not known better, and the ball still bobs")
def floats(m):
    return max(abs(floats_at(m, run)) for run in ("splash-pressure", *(f"splash-{method}-sph" for method in CONTACT)))


@claim("COUPLED-low", kind="physics", states="... and where it does not, incompressible water with any contact method", holds="< 0.5", because="the same",
       known="contact alone lifts it late: it is more than a spacing too low, still creeps up, and does not bob")
def floats_low(m):
    return max(abs(floats_at(m, f"splash-{method}")) for method in CONTACT)


@claim("COUPLED-carried", kind="physics",
       states="walls carry the weight of water and ball: what they carry over it, mean of the last 0.4 s, largest distance from one",
       holds="< 0.01", because="a center that gets faster by 4 cm/s meanwhile makes a hundredth")
def carries(m):
    return max(abs(carried(m, f"splash-{run}") - 1) for run in ("pressure", *CONTACT, *(f"{method}-sph" for method in CONTACT)))


@claim("COUPLED-rebound", kind="finding",
       states="how fast the drop flies back is a matter of the step more than of the method: spread of four methods in steps of 0.5 ms over that in steps of 2 ms",
       holds="< 0.5", because="of first order in the step it would be a third: 2 ms are 1.6 at 5 m/s")
def rebounds(m):
    spread = {step: [rebound(m, f"drop-{method}-{step}") for method in (*CONTACT, "pressure")] for step in STEPS}
    longest, shortest = spread[STEPS[0]], spread[STEPS[-1]]
    return (max(shortest) - min(shortest)) / (max(longest) - min(longest))


@claim("COUPLED-cost", kind="finding",
       states="in incompressible water one pressure for all costs less than any contact method in the same steps: CPU time over the least of three, ball in a tank",
       holds="< 1", because="the statement: the water is solved for once in a step, not once in each stage")
def cost(m):
    return m.cpu("splash-pressure")[0] / min(m.cpu(f"splash-{method}")[0] for method in CONTACT)
