"""Figure 6: claims."""

from arithmetic import max, sum
from claims import claim, ledger_closes, none_unstable, stays_stable

QUARTER = ("a quarter of a radius: at this speed the ball moves more in three steps, and contact is detected only at the end of a "
           "step")


def end(m):
    """The time of the last frame, s."""
    return m.setting("impact", "time.end")[0]


def plates(m):
    """The fragments of the wall as fractions of its mass, ascending."""
    masses = m.fragments("impact", "wall", "mass", start=end(m))
    return [mass / sum(masses) for mass in sorted(masses)]


none_unstable("M24-impact-stable", kind="paper", runs="impact",
              states="merging-and-splitting is stable at high impact, with default settings")


def speed(m):
    """The speed of the fastest particle over the impact speed."""
    return m.summary("impact", "speed_max")[0] / m.summary("impact", "impact_speed")[0]


claim("M24-impact-speed", kind="paper",
      states="no particles are thrown: 99.9th percentile of speed over what an elastic impact allows",
      holds="< 3", because="the limit of the stability verdict (docs/measures.md); M24-roundings-speed tests the fastest particle",
      value=lambda m: m.summary("impact", "speed_ratio")[0])


def depth(m):
    """The largest overlap of this run; claims_roundings.py judges the extremes of this chaotic scene over ten runs."""
    return m.summary("impact", "depth_before")[0]


claim("M24-impact-centers", kind="paper",
      states="no center ever lies inside another particle: number of pairs",
      holds="== 0", because="a count of pairs: none is allowed",
      value=lambda m: max(m.column("impact", "overlap_half")))


@claim("M24-impact-overlap-mean", kind="paper",
       states="the mean overlap of touching pairs is small at any time, radii",
       holds="< 0.25", because=QUARTER)
def overlap_mean(m):
    return 2 * max(m.column("impact", "overlap_mean"))


claim("M24-impact-through", kind="paper",
      states="the ball passes through the wall and leaves it: position of its rear at the end, m",
      holds="> 0.04", because="the position of the back face before the impact",
      value=lambda m: m.body("impact", "ball", "min_x", start=end(m))[0])
claim("M24-impact-plates", kind="paper",
      states="the wall breaks into large plates: fraction of the wall in its second largest fragment",
      holds="> 0.1", because="a fragment that looks like a plate, not like a splinter",
      value=lambda m: plates(m)[-2])


@claim("M24-impact-debris", kind="paper",
       states="the wall leaves debris: fraction of the wall",
       holds="> 0.1", because="as much as a plate")
def debris(m):
    return m.summary("impact", "debris_fraction")[0]


stays_stable("stages-*")
ledger_closes()
