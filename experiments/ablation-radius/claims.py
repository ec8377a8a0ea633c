"""Particles of different sizes: claims."""

from claims import claim, ledger_closes

NOBODY = "a count of particles: none is allowed"


@claim("M37-equal", kind="paper",
       states="equal radii: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def equal(m):
    return max(m.column("ball-1-*", "wrong_side"))


@claim("M37-1-3", kind="paper",
       states="radii of 1:3: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def one_to_three(m):
    return max(m.column("ball-3-*", "wrong_side"))


@claim("M37-1-10", kind="paper",
       states="radii of 1:10: no particle ever penetrates the sheet: number of particles",
       holds="== 0", because=NOBODY)
def one_to_ten(m):
    return max(m.column("ball-10-*", "wrong_side"))


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


def fits(m, run):
    """Whether a grain fits between four particles of the sheet, sqrt(2) times their diameter apart along the diagonal."""
    return m.setting(run, "bodies.grains.radius")[0] / m.setting(run, "bodies.cloth.radius")[0] < 2 ** 0.5 - 1


@claim("M37-small-grains", kind="paper",
       states="small grains get through a sheet of large particles where geometry allows it, at radii below 0.41 of the sheet's: "
              "least number of particles through",
       holds="> 0", because="a count of particles: one is enough")
def small_grains(m):
    return min(m.summary(run, "wrong_side_max")[0] for run in m.sweep("grains-{grain}") if fits(m, run))


@claim("M37-large-grains", kind="paper",
       states="larger grains do not get through: number of particles",
       holds="== 0", because=NOBODY)
def large_grains(m):
    return max(m.summary(run, "wrong_side_max")[0] for run in m.sweep("grains-{grain}") if not fits(m, run))


ledger_closes("radius")
