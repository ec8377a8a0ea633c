"""Cloth and ropes in air: how long a cloth hangs, what a plate and a canopy feel, and whether a flag passes through itself."""

import math

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes

G, AIR, DRAG, LIFT = 9.81, 1.2, 1.2, 0.8  # as in plate.yaml and canopy.yaml
SLACK = 0.02
SIDE = 9  # particles of the canopy


# ---- a hanging cloth ----

def longer(m, run):
    """How much longer than at rest the cloth is, 0.95 m: mean of the second half."""
    low = m.body(run, "cloth", "min_z", start=2)
    return (0.475 - mean(low)) / 0.95 - 1


@claim("U91-tethered", kind="unified",
       states="tethers reduce stretching: how much longer a hanging cloth is than at rest, largest of 1 to 32 iterations, slack 2 %",
       holds="<= 0.03", because="the slack, and 1 % for what the distances of the same iteration move",
       scatter="a mean over two seconds of a cloth that rests")
def tethered(m):
    return max(longer(m, f"hang-tethered-{n}") for n in m.axis("iterations"))


@claim("U91-free", kind="unified",
       states="... and without them it falls slowly with the iterations: the smallest difference between a number of them and twice as many",
       holds="> 0", because="it falls",
       scatter="each is half of the one before, or less")
def free(m):
    lengths = [longer(m, f"hang-free-{n}") for n in m.axis("iterations")]
    return min(few - many for few, many in zip(lengths, lengths[1:]))


# ---- air ----

def off_formula(m, angle, way):
    """By how much the force on a plate at rest, its momentum over time, is off rho/2 u^2 A sin(angle) (C_drag, 0, C_lift cos(angle)), relative."""
    run, tilt = f"plate-{angle}-{way}", math.radians(float(angle))
    time = m.last(run, "time")[0]
    force = [m.last(run, f"momentum_{axis}")[0] / time for axis in "xyz"]
    area = 10 * 8 * 0.05**2
    unit = 0.5 * AIR * 10**2 * area * math.sin(tilt)
    right = [unit * DRAG, 0, unit * LIFT * math.cos(tilt)]
    return math.sqrt(sum((a - b)**2 for a, b in zip(force, right)) / sum(b**2 for b in right))


@claim("U93-plate", kind="unified",
       states="lift and drag go to the particles of a sheet: largest relative difference of the force on a plate in a stream from the formula, at 90, 60 and 30 degrees, "
              "under forces, and under constraints with masses split",
       holds="< 0.01", because="the plate is heavy, and moves with less than a thousandth of the wind's speed at the end")
def plate(m):
    return max(off_formula(m, angle, way) for angle in m.axis("angle") for way in ("forces", "splitting"))


@claim("UPP-cloth-plate", kind="finding",
       states="... and under the paper's averages it is not that of the formula, unless the plate faces the stream: largest difference",
       holds="> 0.01", because="averages of corrections at the rim, which has fewer bonds than the middle, do not keep momentum")
def plate_averages(m):
    return max(off_formula(m, angle, "averages") for angle in m.axis("angle"))


def speed(m, run):
    """How fast the load falls at the end, m/s."""
    z, time = m.body(run, "load", "z"), m.body(run, "load", "time")
    return -(z[-1] - z[-2]) / (time[-1] - time[-2])


def area_across(m, run):
    """Of the canopy in the last frame, seen from above, m^2."""
    x = m.field(run, 30, "position")[:SIDE * SIDE]
    total = 0
    for k in range(SIDE - 1):
        for i in range(k * SIDE, k * SIDE + SIDE - 1):
            p, q = [x[i + SIDE + 1][c] - x[i][c] for c in (0, 1)], [x[i + SIDE][c] - x[i + 1][c] for c in (0, 1)]
            total += abs(p[0] * q[1] - p[1] * q[0]) / 2
    return total


def terminal(m, run, area):
    """sqrt(2 m g / (rho C A)), m/s."""
    mass = sum(m.field(run, 0, "mass"))
    return math.sqrt(2 * mass * G / (AIR * DRAG * area))


def over_law(m, way, area=None):
    run = f"canopy-{way}"
    return speed(m, run) / terminal(m, run, area or area_across(m, run))


@claim("U93-canopy", kind="unified",
       states="a canopy with ropes and a load falls with its terminal speed, sqrt(2 m g / (rho C A)): largest relative difference, under forces, and under constraints with "
              "masses split",
       holds="< 0.05", because="A is the flat area, and the canopy bends")
def canopy(m):
    return max(abs(over_law(m, way, (0.04 * (SIDE - 1))**2) - 1) for way in ("forces", "splitting"))


@claim("UPP-cloth-across", kind="physics",
       states="the same with its area across the fall at the end",
       holds="< 0.01", because="drag is along the fall and goes with that area; after 3 s, 4.8 times the speed over g, a hundredth of a percent of the speed is missing",
       scatter="the area changes little in the last tenth of a second, over which the speed is a mean")
def across(m):
    return max(abs(over_law(m, way) - 1) for way in ("forces", "splitting"))


@claim("UPP-cloth-averages", kind="finding",
       states="averages of corrections do not keep momentum, so that they carry a part of the load: speed of the canopy under the paper's averages over that of its area across the fall",
       holds="< 0.97", because="forces, and constraints with masses split, are off by less than a hundredth")
def averages(m):
    return over_law(m, "averages")


# ---- Figure 1 ----


def fastest(m, run):
    """How fast the slower of the two loads falls at most, m/s."""
    return min(-min(m.body(run, f"load-{k}", "velocity_z")) for k in (1, 2))


@claim("U108-slower", kind="unified",
       states="canopies slow what hangs from them by ropes: the largest speed at which loads fall into a pool, over that with cut ropes", holds="< 0.5", because="much is more than half",
       scatter="of bodies that fall and touch nothing but what they are tied to")
def slower(m):
    return fastest(m, "pool-tied") / fastest(m, "pool-cut")


@claim("UPP-cloth-whole", kind="finding", states="... and nothing goes through the canopies: particles on their wrong side, at most", holds="== 0", because="none")
def whole(m):
    return max(m.column("pool-tied", "penetrated"))


HEMP = 4000  # what springs of the ropes pull with per unit strain, N


def pull(m, run, frame):
    """What the nine ropes pull the load up with, by the springs between them, over its weight. Canopy, load and ropes follow each other."""
    x, mass = m.field(run, frame, "position"), m.field(run, frame, "mass")
    load, total = range(SIDE * SIDE, 2 * SIDE * SIDE), 0
    for i in range(2 * SIDE * SIDE, len(x)):
        for j in load:
            d = [a - b for a, b in zip(x[i], x[j])]
            length = math.sqrt(sum(a**2 for a in d))
            if length < 0.05:
                total += HEMP * (length / 0.04 - 1) * d[2] / length
    return total / (G * sum(mass[j] for j in load))


@claim("U108-ropes", kind="unified", states="ropes carry what falls with its terminal speed: what their springs pull a load up with under forces, over its weight, difference from 1",
       holds="< 0.1", because="at that speed the load does not accelerate", scatter="a load of 81 particles swings a little")
def ropes_carry(m):
    return abs(pull(m, "canopy-forces", 30) - 1)


@claim("U01-both", kind="unified",
       states="rigid bodies, fluids, cloth and ropes act on each other: of the momentum of one that flies at 1 m/s towards another at rest, the least part that either gives or takes, all 16 pairs of "
              "kinds, under the paper's averages and with masses split",
       holds="> 0.01", because="a hundredth is more than any error here")
def act(m):
    return m.measured("UPP.exchange.least")


@claim("U01-opposite", kind="unified", states="... both ways: largest difference between what is given and what is taken, masses split", holds="< 1e-10",
       because="rounding; shapes write places anew, which is a rounding of a place over a step")
def opposite(m):
    return m.measured("UPP.exchange.off")


@claim("UPP-cloth-given", kind="finding", states="... and under the paper's averages it is not what is taken", holds="> 0.01", because="a hundredth is more than any error here")
def not_opposite(m):
    return m.measured("UPP.exchange.averages")


# ---- ropes ----

@claim("U94-catenary", kind="unified",
       states="a hanging rope is a catenary: largest distance from it over its sag, constraints with the springs' compliance, 64 iterations",
       holds="< 0.01", because="the sag within 1 %")
def catenary(m):
    return m.measured("rope.catenary.constraints")


@claim("U94-cantilever", kind="unified",
       states="... and bends under its weight as its springs to the next but one say: relative difference of the depth of its end",
       holds="< 0.01", because="links are taken for rigid in the law")
def cantilever(m):
    return abs(m.measured("rope.cantilever.constraints") - 1)


@claim("UPP-cloth-ropes", kind="physics",
       states="the same ropes under forces, and as a pendulum under both: largest relative difference from catenary, period and cantilever",
       holds="< 0.01", because="closed forms; steps of 1 ms are a thousandth of the period")
def ropes(m):
    return max([m.measured("rope.catenary.forces"), abs(m.measured("rope.cantilever.forces") - 1), abs(m.measured("rope.period.forces") - 1),
                abs(m.measured("rope.period.constraints") - 1)])


RATIOS = (1, 1.2, 1.4, 1.6, 2, 3)  # spacing over contact distance


@claim("U92-dense", kind="unified",
       states="cloth has to be sampled densely: grains, and particles of a second cloth, that fall through one whose particles are 1 or 1.2 contact distances apart",
       holds="== 0", because="a grain rests on four particles that are less than sqrt(2) contact distances apart")
def dense(m):
    return sum(m.measured(f"UPP.cloth.{what}.{ratio}") for what in ("grains", "cloth") for ratio in RATIOS[:2])


@claim("U92-grains", kind="unified", states="... and of 100 grains, at 1.6 and more, the fewest", holds="> 0", because="a count")
def through(m):
    return min(m.measured(f"UPP.cloth.grains.{ratio}") for ratio in RATIOS[3:])


@claim("U92-cloth", kind="unified", states="... and of the 49 particles of a second cloth at 3", holds="> 0", because="a count")
def cloth_through(m):
    return m.measured("UPP.cloth.cloth.3")


@claim("U95-twist", kind="unified",
       states="ropes do not resist twist: a bar that hangs from one and spins about it, its angle after 12 rad, over that if nothing held it, largest difference from 1 under forces and "
              "constraints",
       holds="< 0.05", because="a rope that resists twist would turn it back; bar and rope sway a little")
def twist(m):
    return max(abs(m.measured(f"rope.twist.{way}") - 1) for way in ("forces", "constraints"))


# ---- a flag ----

@claim("U90-flag", kind="unified",
       states="contacts of its particles keep a flag in the wind from passing through itself: particles through triangles in every step, by continuous detection, and edges through triangles in "
              "every tenth",
       holds="== 0", because="none")
def flag(m):
    return m.measured("UPP.flag.crossings")


@claim("UPP-cloth-crosses", kind="finding",
       states="... which it does without these contacts: the same number in the first 0.3 s of 0.6 s",
       holds="> 100", because="a flag that is folded once would have as many")
def crosses(m):
    return m.measured("UPP.flag.without")


ledger_closes()
