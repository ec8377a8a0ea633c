"""One impact in ten roundings: claims."""

from arithmetic import ratios
from claims import claim, ledger_closes


@claim("M24-roundings-overlap", kind="paper",
       states="largest overlap of wall and ball in radii, ten runs that differ in rounding",
       holds="< 0.25", because="the limit of Figures 5 and 6: a quarter of a radius is what the ball moves in two or three steps")
def overlap(m):
    return max(m.summary("*", "overlap_depth_max"))


@claim("M24-roundings-speed", kind="paper",
       states="... fastest particle over the impact speed, mean of the ten",
       holds="< 3", because="three times the impact, the limit of the verdict on stability; one run is one draw of an extreme")
def speed(m):
    found = ratios(m.summary("*", "speed_max"), m.summary("*", "impact_speed"))
    return sum(found) / len(found)


@claim("M24-roundings-stable", kind="paper", states="... all are stable", holds="== 0",
       because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("ROUNDING-dust", kind="finding",
       states="... and break alike: dust, largest over smallest share",
       holds="< 1.2", because="runs with other strengths of bonds differ by as much (ablation-late)")
def dust(m):
    shares = m.summary("*", "dust_share")
    return max(shares) / min(shares)


ledger_closes("roundings")
