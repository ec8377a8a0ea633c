"""Figure 3: claims."""

from claims import claim, ledger_closes, none_unstable, nothing_passes

FAILS = "a count of particles: one that gets through is a failure"
HOLDS = "particles through, plus 1 for an unstable run: neither is allowed"
VERDICT = "a verdict of 0 or 1 (docs/measures.md)"


def failures(m, run):
    """Particles through, plus 1 if the run is unstable."""
    return m.summary(run, "penetrated_max")[0] + m.summary(run, "unstable")[0]


claim("M13-penalty", kind="paper",
      states="weak penalty forces fail to stop the ball, at both heights: least number of particles through",
      holds="> 0", because=FAILS,
      value=lambda m: min(m.summary("*-penalty-weak", "penetrated_max")))
claim("M13-sph", kind="paper",
      states="weak SPH-based forces fail to stop the ball, at both heights: least number of particles through",
      holds="> 0", because=FAILS,
      value=lambda m: min(m.summary("*-sph-weak", "penetrated_max")))
claim("M14-penalty", kind="paper", states="strong penalty forces are unstable, at both heights", holds="== 1", because=VERDICT,
      value=lambda m: min(m.summary("*-penalty-strong", "unstable")))
claim("M14-sph", kind="paper", states="strong SPH-based forces are unstable, at both heights", holds="== 1", because=VERDICT,
      value=lambda m: min(m.summary("*-sph-strong", "unstable")))
claim("M15-penalty-low", kind="paper", states="medium penalty forces work at the low height", holds="== 0", because=HOLDS,
      value=lambda m: failures(m, "low-penalty-medium"))
claim("M15-penalty-high", kind="paper", states="medium penalty forces fail at the high height", holds="> 0", because=FAILS,
      value=lambda m: failures(m, "high-penalty-medium"))
claim("M15-sph-low", kind="paper", states="medium SPH-based forces work at the low height", holds="== 0", because=HOLDS,
      value=lambda m: failures(m, "low-sph-medium"))
claim("M15-sph-high", kind="paper", states="medium SPH-based forces fail at the high height", holds="> 0", because=FAILS,
      value=lambda m: failures(m, "high-sph-medium"))
claim("M15-tuned-high", kind="paper", states="a penalty of 3e4 N/m works at the high height", holds="== 0", because=HOLDS,
      value=lambda m: failures(m, "high-penalty-tuned"))
claim("M15-tuned-low", kind="paper", states="a penalty of 3e4 N/m fails at the low height", holds="> 0", because=FAILS,
      value=lambda m: failures(m, "low-penalty-tuned"))
claim("M16-impulse", kind="paper",
      states="impulses fail to prevent penetration, at both heights: least number of particles through",
      holds="> 0", because=FAILS,
      value=lambda m: min(m.summary("*-impulse", "penetrated_max")))
nothing_passes("M17-penetrated", kind="paper", runs="*-merging-and-splitting",
               states="with merging-and-splitting no particle ever penetrates, at both heights: number of particles")
none_unstable("M17-stable", kind="paper", runs="*-merging-and-splitting",
              states="merging-and-splitting is stable, at both heights")


def shape_distance(m, height):
    return (max(m.distance(f"{height}-shape", "rms"))
            / max(m.summary(f"{height}-merging-and-splitting", "deflection_max")))


claim("M18-low", kind="paper",
      states="its cloth deforms like that of medium penalty forces, at the low height: rms distance of the shapes over the "
             "deflection",
      holds="< 0.1", because="a tenth of the deflection is just visible side by side in a figure",
      value=lambda m: shape_distance(m, "low"))
claim("M18-high", kind="paper",
      states="its cloth deforms like that of a penalty tuned for the high height: rms distance of the shapes over the deflection",
      holds="< 0.1", because="as for the low height",
      value=lambda m: shape_distance(m, "high"))
claim("M05-free-more", kind="paper",
      states="splits of free particles have a real root of MS 13 more often than those of restricted ones: difference of the "
             "fractions",
      holds="> 0", because="more is the statement",
      value=lambda m: m.summary("free", "splits_with_root_fraction")[0] - max(m.summary("*-merging-and-splitting", "splits_with_root_fraction")))


@claim("M05-free", kind="paper",
       states="splits of free particles mostly have a real root: fraction of the splits",
       holds="> 0.5", because="mostly: more than half")
def roots_free(m):
    return m.summary("free", "splits_with_root_fraction")[0]


@claim("M05-restricted", kind="paper",
       states="splits of restricted particles mostly have none: fraction of the splits that have one",
       holds="< 0.5", because="mostly not: less than half")
def roots_restricted(m):
    return max(m.summary("*-merging-and-splitting", "splits_with_root_fraction"))


ledger_closes()
