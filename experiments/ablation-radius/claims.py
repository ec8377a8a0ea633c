"""Particles of different sizes: claims."""

from claims import claim, ledger_closes

NOBODY = "a count of particles: none is allowed"


@claim("M37-equal", kind="paper",
       states="equal radii: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def equal(m):
    return max(m.column("ball-1-*", "penetrated"))


@claim("M37-1-3", kind="paper",
       states="radii of 1:3: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def one_to_three(m):
    return max(m.column("ball-3-*", "penetrated"))


@claim("M37-1-10", kind="paper",
       states="radii of 1:10: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def one_to_ten(m):
    return max(m.column("ball-10-*", "penetrated"))


@claim("M37-stable", kind="paper",
       states="every run is stable, at all ratios of radii",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("ball-*", "unstable"))


@claim("M37-overlap", kind="paper",
       states="overlap stays small at all ratios of radii: largest overlap of ball and sheet, over the sum of the two radii",
       holds="< 0.5", because="beyond it, of two equal particles each has its center inside the other")
def overlap(m):
    return max(m.summary("ball-*", "overlap_max"))


# A grain fits between four particles of the sheet if its radius is below sqrt(2) - 1 = 0.414 of theirs. At a ratio of 0.4 it
# has hardly any room, so that the claim about small grains does not count on it.
def grains(m, chosen):
    """The runs in which the radius of a grain over that of the sheet's particles satisfies chosen(ratio)."""
    return [run for run in m.sweep("grains-{grain}")
            if chosen(m.setting(run, "bodies.grains.radius")[0] / m.setting(run, "bodies.cloth.radius")[0])]


@claim("M37-small-grains", kind="paper",
       states="small grains get through a sheet of large particles where geometry allows it, at radii below 0.41 of the sheet's: "
              "least number of particles through",
       holds="> 0", because="a count of particles: one is enough")
def small_grains(m):
    return min(m.summary(run, "penetrated_max")[0] for run in grains(m, lambda ratio: ratio < 0.39))


@claim("M37-large-grains", kind="paper",
       states="larger grains do not get through: number of particles",
       holds="== 0", because=NOBODY)
def large_grains(m):
    return max(m.summary(run, "penetrated_max")[0] for run in grains(m, lambda ratio: ratio > 2 ** 0.5 - 1))


ledger_closes()
