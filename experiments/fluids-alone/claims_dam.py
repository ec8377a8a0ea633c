"""Dam breaks of SPH and FLIP: claims."""

from claims import claim
from arithmetic import at

TIME = 18.528  # 1/s, sqrt(2 g / a): Martin and Moyce's T = t sqrt(2 g / a)
PUBLISHED = "martin-moyce-1952.csv"
TENTH = "half as much again as the tenth by which the release of a real column and its floor make it late"


def front_at(m, run, time):
    """The position of the front over a, at time T."""
    times = [t * TIME for t in m.body(run, "water", "time")]
    radius, width = m.setting(run, "bodies.water.radius")[0], m.setting(run, "bodies.water.shape.box.size")[0][0]
    front = [(x + radius) / width for x in m.body(run, "water", "max_x")]
    return at(time, times, front)


def front_error(m, run):
    """The largest relative deviation of the front from the measured one."""
    return max(abs(front_at(m, run, t) / z - 1) for t, z in zip(m.data(PUBLISHED, "T"), m.data(PUBLISHED, "Z")))


@claim("SPH-front", kind="physics",
       states="the front moves as Martin and Moyce measured: largest relative deviation",
       holds="< 0.15", because=TENTH)
def dam_front(m):
    return front_error(m, "dam-standard")


@claim("SPH-front-finer", kind="physics",
       states="the front moves as Martin and Moyce measured, with smaller particles: largest relative deviation",
       holds="< 0.15", because=TENTH)
def front_finer(m):
    return front_error(m, "dam-finer")


@claim("FLIP-front", kind="physics",
       states="the front of a collapsing column moves as Martin and Moyce measured: largest relative deviation",
       holds="< 0.15", because="as for SPH",
       known="it is a little farther ahead than that of SPH with a quarter of its viscosity, as it must be: nothing slows this fluid "
             "but 3 % of PIC, the walls have no friction, and their column starts late")
def flip_front(m):
    return front_error(m, "flip-dam")


claim("DENSITY-dam-mean", kind="physics",
      states="the mean density error is small at every instant of every run",
      holds="< 0.01", because="the speed of sound is chosen for a hundredth",
      value=lambda m: max(m.column("dam-*", "density_error_mean")))
claim("DENSITY-dam-particle", kind="physics",
      states="the density error of every particle is small: largest value",
      holds="< 0.1", because="ten times that, for a single particle in a splash",
      value=lambda m: max(m.column("dam-*", "density_error_max")))
claim("MOMENTUM-dam", kind="physics",
      states="the ledger accounts for the momentum exchanged with walls: largest drift",
      holds="< 1e-9", because="rounding",
      value=lambda m: max(m.column("dam-*", "momentum_drift")))
