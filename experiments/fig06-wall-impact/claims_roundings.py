"""One impact, ten perturbations as small as rounding: claims."""

from arithmetic import max, mean, min, ratios, surely
from claims import claim

LIMIT = "a quarter of a radius: the ball moves that far in two or three steps"


def overlaps(m, stages):
    """The largest overlap of each run, radii, ascending."""
    return sorted(m.summary(f"stages-{stages}-*", "overlap_depth_max"))


claim("M24-roundings-overlap", kind="paper",
      states="two stages: largest overlap of wall and ball in a run, radii: upper bound of its mean over such runs, with 95 % "
             "confidence",
      holds="< 0.25", because=f"{LIMIT}; one run is one sample of an extreme",
      value=lambda m: -surely([-v for v in overlaps(m, 2)]))
claim("ROUNDING-overlap-4", kind="finding",
      states="four stages: the same",
      holds="< 0.25", because=LIMIT,
      value=lambda m: -surely([-v for v in overlaps(m, 4)]))


@claim("ROUNDING-overlap-most", kind="finding",
       states="two and four stages: largest overlap in twenty runs, radii",
       holds="< 0.5", because="half a radius, of which ms-simulate warns; the largest of ten runs is 0.2 with a scatter of 0.05, so that a "
                              "quarter would be left to chance")
def overlap_most(m):
    return max(overlaps(m, 2) + overlaps(m, 4))


def speeds(m):
    return ratios(m.summary("stages-2-*", "speed_max"), m.summary("stages-2-*", "impact_speed"))


def speed_mean(m):
    return mean(speeds(m))


claim("M24-roundings-speed", kind="paper",
      states="fastest particle over the impact speed: upper bound of its mean over such runs, with 95 % confidence",
      holds="< 3",
      because="three times the impact speed: a light particle hit by a heavy one leaves with at most twice its speed, and may be "
              "hit again; one run is one sample of an extreme",
      value=lambda m: -surely([-v for v in speeds(m)]))


@claim("ROUNDING-debris", kind="finding",
       states="all runs break alike, with two and four stages: largest over smallest amount of debris",
       holds="< 1.2", because="runs with other random critical stretches differ by as much")
def debris_ratio(m):
    fractions = m.summary("stages-*", "debris_fraction")
    return max(fractions) / min(fractions)
