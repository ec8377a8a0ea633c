"""Friction of sliding meta-particles against closed forms: claims."""

import math

from arithmetic import at, max
from claims import claim, ledger_closes

SETTLED = 0.1  # s: until then the block rings, because gravity sets in at once
ALIGNED = "the same plane and block"


def part(m, run, axis):
    """The acceleration of gravity along an axis, m/s^2."""
    return m.setting(run, "gravity")[0]["xyz".index(axis)]


def downhill(m, run):
    """Gravity along the plane, m/s^2."""
    return math.hypot(part(m, run, "x"), part(m, run, "y"))


def ideal(m, run):
    """The acceleration of a block that slides, g (sin(angle) - mu cos(angle)); negative if it has to stand."""
    return downhill(m, run) + m.setting(run, "contact.friction")[0] * part(m, run, "z")


def acceleration(m, run, axis="x"):
    """The block's mean acceleration after it has settled, m/s^2."""
    time, v = m.body(run, "block", "time"), m.body(run, "block", f"velocity_{axis}")
    return (v[-1] - at(SETTLED, time, v)) / (time[-1] - SETTLED)


def way(m, run, since=0.0):
    """How far the block came along x, m."""
    time, x = m.body(run, "block", "time"), m.body(run, "block", "x")
    return x[-1] - at(since, time, x)


def slopes(m):
    return m.sweep("slope-{angle}-{mu}-{step}")


def sliding(m):
    return [run for run in slopes(m) if ideal(m, run) > 0]


def standing(m):
    return [run for run in slopes(m) if ideal(m, run) <= 0]


@claim("FRICTION-slides", kind="physics",
       states="an elastic block slides down slopes of 10 to 60 degrees at g (sin(angle) - mu cos(angle)), mu 0, 0.3 and 0.6, steps of 1, 0.5 "
              "and 0.2 ms: largest relative error of its acceleration",
       holds="< 0.005", because="the surface of the ball that is the plane turns by 4e-4 on the longest way")
def slides(m):
    return max(abs(acceleration(m, run) / ideal(m, run) - 1) for run in sliding(m))


@claim("FRICTION-stands", kind="physics",
       states="it stands below the angle of friction: the farthest that it creeps, with all its ringing, m",
       holds="< 2e-4", because="a hundredth of a particle's radius")
def stands(m):
    return max(abs(way(m, run)) for run in standing(m))


@claim("FRICTION-rests", kind="physics",
       states="after it has settled it creeps no farther: the farthest way in 0.2 s, m",
       holds="< 1e-6", because="a two hundredth of what it may creep before")
def rests(m):
    return max(abs(way(m, run, SETTLED)) for run in standing(m))


@claim("FRICTION-isotropic", kind="physics",
       states="down the diagonal of a slope of 30 degrees, in a direction of no axis: largest relative error of both components of the "
              "acceleration, mu 0.3",
       holds="< 0.005", because=ALIGNED)
def isotropic(m):
    run = "turned-0.3"
    share = ideal(m, run) / downhill(m, run)
    return max(abs(acceleration(m, run, axis) / (share * part(m, run, axis)) - 1) for axis in "xy")


@claim("FRICTION-isotropic-stands", kind="physics",
       states="and it stands with mu 0.6: how far it creeps along x, m",
       holds="< 2e-4", because=ALIGNED)
def isotropic_stands(m):
    return abs(way(m, "turned-0.6"))


@claim("FRICTION-static", kind="physics",
       states="static friction 1, kinetic friction 0.3, 25 degrees: the block stands; how far it creeps, m",
       holds="< 2e-4", because="as above; tan 25 degrees is 0.47")
def static(m):
    return abs(way(m, "static-rest"))


@claim("FRICTION-kinetic", kind="physics",
       states="and slides on if it moves: relative error of its acceleration",
       holds="< 0.005", because="as above")
def kinetic(m):
    return abs(acceleration(m, "static-pushed") / ideal(m, "static-pushed") - 1)


def stopping(m, run):
    """The way on level ground over v^2 / (2 mu g)."""
    v, mu = m.setting(run, "bodies.block.velocity")[0][0], m.setting(run, "contact.friction")[0]
    return way(m, run) / (v * v / (2 * mu * -part(m, run, "z")))


@claim("FRICTION-stops", kind="physics",
       states="on level ground it comes to rest after v^2 / (2 mu g), mu 0.3 and 0.6, three time steps: largest relative error of the way",
       holds="< 0.01", because="backward Euler is half a step at the first speed behind: 0.3 and 0.6 % at 1 ms; and the ringing changes the load")
def stops(m):
    return max(abs(stopping(m, run) - 1) for run in m.sweep("level-{level}-{step}"))


@claim("FRICTION-stopped", kind="physics",
       states="and there it stands: largest speed at the end, m/s",
       holds="< 1e-5", because="a hundred thousandth of its first speed")
def stopped(m):
    return max(abs(m.body(run, "block", "velocity_x")[-1]) for run in m.sweep("level-{level}-{step}"))


@claim("FRICTION-merging", kind="finding",
       states="with the paper's meta-particles, which know no coefficient of friction, the block stands on every one of these slopes: largest "
              "acceleration over g sin(angle)",
       holds="< 0.01", because="a hundredth: it stands, up to its ringing")
def merging(m):
    return max(abs(acceleration(m, run)) / downhill(m, run) for run in m.sweep("merging-{angle}"))


def coefficient(m, run):
    """The plane's impulse on the water along its way over that across the plane."""
    return -sum(m.column(run, "support_impulse_x")) / sum(m.column(run, "support_impulse_z"))


@claim("FRICTION-fluid", kind="physics",
       states="water that slides over the plane, mu 0 to 1: largest difference of tangential over normal impulse from mu",
       holds="< 0.005", because="what spreads out sideways at up to 2 m/s is slowed down in another direction than that of 6 m/s")
def fluid(m):
    return max(abs(coefficient(m, run) - m.setting(run, "contact.friction")[0]) for run in m.sweep("water-{bed}"))


def braked(m, run):
    """The fraction of the water's momentum that is left."""
    v = m.body(run, "water", "velocity_x")
    return v[-1] / v[0]


@claim("FRICTION-cylinder", kind="physics",
       states="a cylinder rolls down a plane of 15 degrees, mu 0.3, at 2/3 g sin(angle): relative error of its acceleration",
       holds="< 0.05", because="it is made of rings of particles, whose moment of inertia is not that of a full one, and it bumps")
def cylinder(m):
    return m.measured("FRICTION.cylinder.full")


@claim("FRICTION-cylinder-own", kind="physics",
       states="the same, over that of a rigid body with its own moment of inertia: relative error",
       holds="< 0.05", because="the bumps from particle to particle, of which backward Euler takes some energy")
def cylinder_own(m):
    return m.measured("FRICTION.cylinder.own")


@claim("FRICTION-stages", kind="finding",
       states="contacts settle within eight stages: steps in which they did not, over all runs",
       holds="== 0", because="the method is not finished in such a step")
def stages(m):
    runs = [*slopes(m), *m.sweep("level-{level}-{step}"), *m.sweep("turned-{turned}"), *m.sweep("static-{push}"), *m.sweep("water-{bed}")]
    return sum(1 for run in runs for value in m.column(run, "unresolved") if value > 0)


ledger_closes("friction")
