"""Rigid bodies in schemes that solve for velocities, beside closed forms: claims."""

import math

from arithmetic import Fault, max
from claims import claim, ledger_closes, measured

MASS, INERTIA, REACH, HALF = 5.0, 0.1, 0.2, 0.05  # of a rod of collide.yaml, kg, kg m^2; its end from its center, a radius, m
STEADY = "one collision: a nudge changes the value by as little as itself"
TOPPLED = 0.02  # m: a domino whose center has come so far has fallen over its edge


def matrix():
    """K of both rods where they touch, 1/kg: xx, xz and zz."""
    return (2 * (1 / MASS + REACH**2 / INERTIA), 2 * HALF * REACH / INERTIA, 2 * (1 / MASS + HALF**2 / INERTIA))


def expected(way, alpha):
    """The velocity of the lower rod, (x, z), after the upper one has met it with 1 m/s along x: by MS 13 to 16, and for sliding by Newton's law."""
    xx, xz, zz = matrix()
    whole = xx * zz - xz**2
    along, energy = 1 / (2 * xx), zz / (2 * whole)
    across = energy - along if way == "merging" else 0.0
    left = alpha - (1 - alpha) * across / along
    if left >= 0:
        return (1 + math.sqrt(left)) / xx / MASS, 0.0
    part = 1 - math.sqrt(alpha * energy / across)  # of what holding both would take beyond the normal
    return (1 / xx + part * (zz / whole - 1 / xx)) / MASS, part * xz / whole / MASS


def error(m, way, alpha, step):
    run = f"collide-{way}-{alpha}-{step}"
    x, z = expected(way, float(alpha))
    return math.hypot(m.body(run, "lower", "velocity_x")[-1] - x, abs(m.body(run, "lower", "velocity_z")[-1]) - z)


def errors(m, step, alphas):
    return [error(m, way, alpha, step) for way in m.axis("way") for alpha in alphas]


@claim("RIGID-collide", kind="physics",
       states="a rod meets another off center, merging and sliding, with alpha of 0, 1/4 and 1: largest error of the velocity that it gives to the other, over its own, steps of 1 ms",
       holds="< 0.01", because="within one step, a fiftieth of the time for which they fly, bodies turn by some thousandths",
       scatter=STEADY)
def collides(m):
    return max(errors(m, "1e-3", m.axis("alpha")))


@claim("RIGID-collide-order", kind="physics",
       states="... which goes with the step where rods part (alpha of 1/4 and 1): that at 1/4 ms over that at 1 ms, the largest",
       holds="< 0.3", because="a quarter, and some of higher order. With alpha = 0 they stay in touch, and what sliding contact gives goes on to grow as they turn",
       scatter=STEADY)
def order(m):
    return max(b / a for a, b in zip(*(errors(m, step, ("0.25", "1")) for step in ("1e-3", "2.5e-4"))))


measured("RIGID-roll", "RIGID.roll.merging RIGID.roll.sliding", kind="physics",
         states="rings of 256 particles roll down a slope, merging and sliding: largest relative error of the acceleration g sin / (1 + k^2 / R^2)",
         holds="< 0.01", because="each particle that comes to the slope takes a part of the speed that goes with the square of the angle between two")

measured("RIGID-slip", "RIGID.slip", kind="physics",
         states="... and slip down a steep one with the friction that there is, sliding: relative error of g (sin - mu cos)",
         holds="< 0.01", because="as of what rolls")

measured("RIGID-wheel", "RIGID.wheel.merging RIGID.wheel.sliding", kind="physics",
         states="a wheel of 24 feet rolls a turn on a level floor, merging and sliding: largest relative error of its rate, of which each foot takes a part (McGeer 1990)",
         holds="< 0.01", because="a step of 0.5 ms is 0.8 % of the time on a foot")


def creep(m, run):
    """The largest mean speed of a cube from 0.1 s on, m/s."""
    places = [list(zip(*(m.body(run, f"cube-{k}", axis, start=0.1) for axis in "xyz"))) for k in range(1, 11)]
    return max(math.dist(place[0], place[-1]) for place in places) / 0.3


@claim("RIGID-stack", kind="physics",
       states="a stack of ten cubes, of which each particle is displaced by 1e-12 radii, rests, merging and sliding: largest mean speed of a cube from 0.1 s to 0.4 s, m/s",
       holds="< 1e-6", because="a micrometer in a second is not seen; at first it falls for a step, until pairs are in touch",
       scatter="it is that of roundings, a tenth of the bound and less")
def stack(m):
    return max(creep(m, f"stack-{rough}") for rough in m.axis("rough"))


@claim("RIGID-cloth-momentum", kind="physics",
       states="a rigid ball falls on a free cloth, merging and sliding: largest change of momentum, over that at the start",
       holds="< 1e-12", because="rounding")
def cloth_momentum(m):
    return max(m.peak("cloth-*", "momentum_drift"))


@claim("RIGID-cloth-spin", kind="physics",
       states="... and of angular momentum, sliding with a friction of 0.4",
       holds="< 1e-8", because="ten times the tolerance of the solve")
def cloth_spin(m):
    return max(m.peak("cloth-sliding", "angular_drift"))


@claim("RIGID-cloth-merging", kind="finding",
       states="... merging, with Verlet's method",
       holds="< 1e-3", because="joints know velocities only after particles have moved by others; a thousandth is not seen")
def cloth_merging(m):
    return max(m.peak("cloth-merging", "angular_drift"))


def energies(m, run):
    return [a + b for a, b in zip(m.column(run, "kinetic"), m.column(run, "gravitational"))]


@claim("RIGID-heap", kind="physics",
       states="eight bricks fall on each other, merging and sliding, alpha = 0: largest rise of the energy in a step, J",
       holds="<= 0", because="nothing gives them energy: contacts and friction take it")
def heap(m):
    return max(b - a for rough in m.axis("rough") for a, b in zip(energies(m, f"heap-{rough}"), energies(m, f"heap-{rough}")[1:]))


def fallen(m, run, number):
    """When a domino falls over its edge, s; none: it does not."""
    time, x = (m.body(run, f"tile-{number}", name) for name in ("time", "x"))
    for k in range(1, len(x)):
        if x[k] - x[0] > TOPPLED:
            part = (x[0] + TOPPLED - x[k - 1]) / (x[k] - x[k - 1])
            return time[k - 1] + part * (time[k] - time[k - 1])
    return None


def wave(m, run):
    """The speed with which the wave passes from the second to the sixth domino, m/s."""
    first, last = fallen(m, run, 2), fallen(m, run, 6)
    if first is None or last is None:
        raise Fault(f"{run}: dominoes stand")
    return 0.4 / (last - first)


@claim("RIGID-domino-step", kind="physics",
       states="a row of dominoes falls, sliding: speed of the wave with steps of 1 ms over that with 0.5 ms, less 1, without sign",
       holds="< 0.02", because="it does not depend on the step; a frame is 2 % of the time between two, and times are found between frames")
def domino_step(m):
    return abs(wave(m, "domino-sliding-1e-3") / wave(m, "domino-sliding-5e-4") - 1)


@claim("RIGID-domino-positions", kind="finding",
       states="corrections of positions, 4 iterations, friction that is kept: speed of the wave with steps of 2 ms over that with 0.5 ms",
       holds="> 1.05", because="iterations and steps are part of the physics there: the speed changes by more than 5 %, that with sliding by less than 2")
def domino_positions(m):
    return wave(m, "domino-positions-2e-3") / wave(m, "domino-positions-5e-4")


@claim("RIGID-domino-merging", kind="finding",
       states="merging: how many dominoes behind the first, which leans on them, fall",
       holds="== 0", because="within a step nothing slides where joints hold, and a domino falls only while it slides down its neighbor")
def domino_merging(m):
    return len([k for k in range(1, 9) if fallen(m, "domino-merging-1e-3", k) is not None])


ledger_closes()
