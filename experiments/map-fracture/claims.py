"""Ball mass and speed: claims."""

from claims import claim, ledger_closes, none_unstable
from arithmetic import ratios, rounded

QUARTER = "a quarter of a radius: the limit of Figures 5 and 6"
THROWS = ("three times the impact speed: a light particle hit by a heavy one leaves with at most twice its speed, and may be hit "
          "again")


def elastic(m, run):
    """The speed of the ball after an elastic collision with the whole wall, over its speed before."""
    ball, wall = (rounded(m.body(run, name, "mass")[0]) for name in ("ball", "wall"))
    return (ball - wall) / (ball + wall)


def fastest(m, runs):
    return max(ratios(m.summary(runs, "speed_max"), m.summary(runs, "impact_speed")))


def most_broken(m):
    return max(m.summary("ms-m*-v80", "broken_bonds"))


claim("M24-map-overlap", kind="paper",
      states="merging-and-splitting keeps the bodies apart, over the whole map: largest overlap before the first through-crack, "
             "radii",
      holds="< 0.25", because=QUARTER,
      value=lambda m: max(m.summary("ms-*", "depth_before")))


@claim("M24-map-overlap-ever", kind="paper",
       states="merging-and-splitting keeps the bodies apart to the end: largest overlap at any time, radii",
       holds="< 0.25", because=QUARTER)
def depth_ever(m):
    return max(m.summary("ms-*", "overlap_depth_max"))


@claim("M24-map-speed", kind="paper",
       states="merging-and-splitting throws no particles: 99.9th percentile of speed over what an elastic impact allows",
       holds="< 3", because="the limit of the stability verdict (docs/measures.md)")
def speed(m):
    return max(m.summary("ms-*", "speed_ratio"))


none_unstable("M24-map-stable", kind="paper", runs="ms-*",
              states="merging-and-splitting is stable over the whole map")


@claim("M24-map-energy", kind="paper",
       states="merging-and-splitting creates no energy: largest gain over the available energy",
       holds="< 1e-9", because="rounding, as in the ledger")
def energy(m):
    return max(m.summary("ms-*", "energy_gain"))


@claim("M24-map-speed-verlet", kind="paper",
       states="merging-and-splitting with Verlet's method, which has no numerical dissipation, throws no particles: fastest "
              "particle over the impact speed",
       holds="< 3", because=THROWS,
       known="a particle of the wall's face rebounds from a heavy, slow ball again and again; no energy is gained")
def speed_verlet(m):
    return fastest(m, "verlet-*")


@claim("M24-map-energy-verlet", kind="paper",
       states="merging-and-splitting with Verlet's method creates no energy: largest gain over the available energy",
       holds="< 1e-3", because="the amplitude by which the energy of an explicit integrator oscillates")
def energy_verlet(m):
    return max(m.summary("verlet-*", "energy_gain"))


@claim("PENALTY-elsewhere", kind="finding",
       states="a penalty tuned for one mass and speed fails elsewhere: number of cells, of 25, in which it is unstable or overlaps "
              "by a quarter of a radius",
       holds="> 0", because="one is enough")
def penalty_failures(m):
    return sum(bad or deep >= 0.25 for bad, deep in zip(m.summary("penalty-*", "unstable"), m.summary("penalty-*", "depth_before")))


claim("THRESHOLD-nothing-off", kind="finding",
      states="at the speed at which contact strains the wall up to its critical stretch nothing comes off: number of fragments of "
             "the wall",
      holds="== 1", because="the wall is one fragment",
      value=lambda m: max(m.summary("ms-m*-v5", "fragments")))
claim("THRESHOLD-slow-bonds", kind="finding",
      states="at that speed hardly a bond breaks: broken bonds over those at 80 m/s",
      holds="< 0.01", because="hardly: a hundredth",
      value=lambda m: max(m.summary("ms-m*-v5", "broken_bonds")) / most_broken(m))
claim("THRESHOLD-twice", kind="finding",
      states="at twice that speed many bonds break, with balls of mass 10 and more: broken bonds over those at 80 m/s",
      holds="> 0.1", because="many: a tenth",
      value=lambda m: min(m.summary("ms-m[13]*0-v10", "broken_bonds")) / most_broken(m))
claim("THRESHOLD-light", kind="finding",
      states="at twice that speed hardly a bond breaks if the ball has less energy than a crack around a plug takes: broken bonds "
             "over those at 80 m/s",
      holds="< 1e-3", because="hardly: a thousandth, some bonds at the point of the impact",
      value=lambda m: max(m.summary("ms-m1-v10", "broken_bonds")) / most_broken(m))


@claim("BALL-elastic", kind="physics",
       states="at 5 m/s the ball leaves as after an elastic collision with the whole wall: difference of its speed over the impact "
              "speed",
       holds="< 0.05", because="the vibrations of the wall keep a few percent of the energy")
def ball_speed(m):
    return max(abs(m.body(run, "ball", "velocity_x")[-1] / m.setting(run, "bodies.ball.velocity")[0][0] - elastic(m, run))
               for run in (f"ms-m{mass}-v5" for mass in m.axis("mass")[2:]))


ledger_closes()
