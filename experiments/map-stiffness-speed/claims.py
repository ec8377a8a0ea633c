"""Which stiffness, for which speed: claims."""

from claims import claim, ledger_closes

NONE = "none: the right stiffness depends on the scene"


def good_everywhere(m, force, step, stiffnesses):
    """Number of values that are good at every speed: no particle gets through and the run is stable."""
    def failures(stiffness):
        runs = f"{force}-{step}-*-k{stiffness}"
        return max(m.summary(runs, "penetrated_max")) + max(m.summary(runs, "unstable"))
    return sum(failures(stiffness) == 0 for stiffness in stiffnesses)


@claim("M15-map-penalty", kind="paper",
       states="no penalty stiffness is good at every speed, with the long time step: number of those that are",
       holds="== 0", because=NONE)
def penalty_coarse(m):
    return good_everywhere(m, "penalty", "coarse", m.axis("stiffness"))


@claim("M15-map-sph", kind="paper",
       states="no SPH-based stiffness is good at every speed, with the long time step: number of those that are",
       holds="== 0", because=NONE)
def sph_coarse(m):
    return good_everywhere(m, "sph", "coarse", m.axis("pressure"))


def solves(m, runs):
    """How often the elastic bodies were integrated, in each run, which is a solve of a linear system each time."""
    return [sum(m.column(run, "stages")) for run in runs]


@claim("MAP-equal-solves", kind="finding",
       states="forces at equal cost take as many solves as merging-and-splitting in steps of 1 ms: largest relative difference, all speeds and "
              "stiffnesses, of runs that were not stopped",
       holds="< 0.05", because="steps are shared evenly between frames, so that their number cannot be chosen exactly")
def equal(m):
    worst = []
    for speed in m.axis("equal"):
        (ours,) = solves(m, m.sweep("ms-{step}-v{speed}", step="coarse", speed=speed))
        runs = m.sweep("penalty-equal-v{equal}-k{stiffness}", equal=speed) + m.sweep("sph-equal-v{equal}-k{pressure}", equal=speed)
        whole = [run for run in runs if m.summary(run, "end")[0] == "complete"]
        worst += [abs(theirs / ours - 1) for theirs in solves(m, whole)]
    return max(worst)


@claim("M15-map-penalty-equal", kind="paper",
       states="no penalty stiffness is good at every speed, at equal cost: with as many solves as merging-and-splitting takes in steps of 1 ms: number "
              "of those that are",
       holds="== 0", because=NONE,
       known="some are: steps half as long, which cost as much, are enough to open a range of good values")
def penalty_equal(m):
    return good_everywhere(m, "penalty", "equal", m.axis("stiffness"))


@claim("M15-map-sph-equal", kind="paper",
       states="no SPH-based stiffness is good at every speed, at equal cost: number of those that are",
       holds="== 0", because=NONE)
def sph_equal(m):
    return good_everywhere(m, "sph", "equal", m.axis("pressure"))


@claim("M15-map-penalty-fine", kind="paper",
       states="no penalty stiffness is good at every speed, with a quarter of the time step: number of those that are",
       holds="== 0", because=NONE,
       known="some are: the stiffness up to which explicit forces are stable grows with the inverse square of the step, so four "
             "times as many steps open a range of good values")
def penalty_fine(m):
    return good_everywhere(m, "penalty", "fine", m.axis("stiffness"))


@claim("M15-map-sph-fine", kind="paper",
       states="no SPH-based stiffness is good at every speed, with a quarter of the time step: number of those that are",
       holds="== 0", because=NONE)
def sph_fine(m):
    return good_everywhere(m, "sph", "fine", m.axis("pressure"))


@claim("M17-map-penetrated", kind="paper",
       states="with merging-and-splitting no particle ever penetrates, at any speed and time step: number of particles",
       holds="== 0", because="a count of particles: none is allowed")
def penetrated(m):
    return max(m.column("ms-*", "penetrated"))


@claim("M17-map-stable", kind="paper",
       states="merging-and-splitting is stable at any speed and time step",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("ms-*", "unstable"))


ledger_closes("stiffness-speed")
