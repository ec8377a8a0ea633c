"""Particles of different sizes: claims."""

from claims import claim, ledger_closes, none_unstable, nothing_passes

NOBODY = "a count of particles: none is allowed"


nothing_passes("M37-equal", kind="paper", runs="ball-1-*",
               states="equal radii: no particle ever penetrates the sheet: number of particles")
nothing_passes("M37-1-3", kind="paper", runs="ball-3-*",
               states="radii of 1:3: no particle ever penetrates the sheet: number of particles")
nothing_passes("M37-1-10", kind="paper", runs="ball-10-*",
               states="radii of 1:10: no particle ever penetrates the sheet: number of particles")
none_unstable("M37-stable", kind="paper", runs="ball-*",
              states="every run is stable, at all ratios of radii")
claim("M37-overlap", kind="paper",
      states="overlap stays small at all ratios of radii: largest overlap of ball and sheet, over the sum of the two radii",
      holds="< 0.5", because="beyond it, of two equal particles each has its center inside the other",
      value=lambda m: max(m.summary("ball-*", "overlap_max")))


# A grain fits between four particles of the sheet if its radius is below sqrt(2) - 1 = 0.414 of theirs. At a ratio of 0.4 it
# has hardly any room, so that the claim about small grains does not count on it.
def grains(m, chosen):
    """The runs in which the radius of a grain over that of the sheet's particles satisfies chosen(ratio)."""
    return [run for run in m.sweep("grains-{grain}")
            if chosen(m.setting(run, "bodies.grains.radius")[0] / m.setting(run, "bodies.cloth.radius")[0])]


claim("M37-small-grains", kind="paper",
      states="small grains get through a sheet of large particles where geometry allows it, at radii below 0.41 of the sheet's: "
             "least number of particles through",
      holds="> 0", because="a count of particles: one is enough",
      value=lambda m: min(m.summary(run, "penetrated_max")[0] for run in grains(m, lambda ratio: ratio < 0.39)))
claim("M37-large-grains", kind="paper",
      states="larger grains do not get through: number of particles",
      holds="== 0", because=NOBODY,
      value=lambda m: max(m.summary(run, "penetrated_max")[0] for run in grains(m, lambda ratio: ratio > 2 ** 0.5 - 1)))
ledger_closes()
