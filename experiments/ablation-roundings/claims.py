"""One impact in ten roundings: claims."""

from arithmetic import mean, ratios, surely
from claims import claim, ledger_closes

QUARTER = "the limit of Figures 5 and 6: a quarter of a radius is what the ball moves in two or three steps"


def overlaps(m, stages):
    """Largest of each run, in radii, ascending."""
    return sorted(m.summary(f"stages-{stages}-*", "overlap_depth_max"))


@claim("M24-roundings-overlap", kind="paper",
       states="largest overlap of wall and ball in radii, ten runs that differ in rounding, two stages",
       holds="< 0.25", because=QUARTER,
       known="one in ten: a pair that parts by its own velocities and is carried together by groups that only the second stage "
             "makes, in several steps in a row, is late each time after the last stage; four stages find it")
def overlap(m):
    return overlaps(m, 2)[-1]


@claim("M24-roundings-overlap-median", kind="paper",
       states="... the sixth of the ten", holds="< 0.25", because=QUARTER)
def overlap_sixth(m):
    return overlaps(m, 2)[5]


@claim("ROUNDING-overlap-4", kind="finding",
       states="... largest of the ten with four stages", holds="< 0.25", because=QUARTER)
def overlap_four_stages(m):
    return overlaps(m, 4)[-1]


def speeds(m):
    return ratios(m.summary("stages-2-*", "speed_max"), m.summary("stages-2-*", "impact_speed"))


def speed(m):
    return mean(speeds(m))


@claim("M24-roundings-speed", kind="paper",
       states="... fastest particle over the impact speed: what its mean over such runs stays below, with 95 % confidence",
       holds="< 3", because="three times the impact: a light particle that a heavy one hits leaves with at most twice its speed, "
                            "and may be hit again; one run is one draw of an extreme")
def speed_bound(m):
    return -surely([-v for v in speeds(m)])


@claim("M24-roundings-stable", kind="paper", states="... all are stable", holds="== 0",
       because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("ROUNDING-dust", kind="finding",
       states="... and break alike: dust, largest over smallest share, both numbers of stages",
       holds="< 1.2", because="runs with other strengths of bonds differ by as much (ablation-late)")
def dust(m):
    shares = m.summary("*", "dust_share")
    return max(shares) / min(shares)


ledger_closes("roundings")
