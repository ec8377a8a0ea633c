"""Which stiffness is good, at which speed and for which fluid: claims."""

import math

from arithmetic import max, min, sum
from claims import claim, none_unstable, nothing_passes

NONE = "none: the right stiffness depends on the scene"


def stages(m, run):
    """How often the elastic bodies were integrated, which is a solve of a linear system each time."""
    return sum(m.column(run, "stages"))


def good_everywhere(m, force, stiffnesses):
    """Number of values that are good at every speed: no particle gets through and the run is stable."""
    def failures_of(stiffness):
        runs = f"speed-{force}-v*-k{stiffness}"
        return max(m.summary(runs, "penetrated_max")) + max(m.summary(runs, "unstable"))
    return sum(failures_of(stiffness) == 0 for stiffness in stiffnesses)


claim("M15-map-penalty", kind="paper",
      states="no penalty stiffness is good at every speed, with the long time step: number of those that are",
      holds="== 0", because=NONE,
      value=lambda m: good_everywhere(m, "penalty", m.axis("spring")))
claim("M15-map-sph", kind="paper",
      states="no SPH-based stiffness is good at every speed, with the long time step: number of those that are",
      holds="== 0", because=NONE,
      value=lambda m: good_everywhere(m, "sph", m.axis("pressure")))


@claim("MAP-equal-solves", kind="finding",
       states="forces at equal cost take as many solves as merging-and-splitting in steps of 1 ms: largest relative difference, all speeds and "
              "stiffnesses, of runs that were not stopped",
       holds="< 0.05", because="steps are shared evenly between frames, so that their number cannot be chosen exactly")
def equal_by_speed(m):
    worst = []
    for speed in m.axis("equal"):
        ours = stages(m, f"speed-ms-v{speed}")
        runs = m.sweep("speed-penalty-equal-v{equal}-k{spring}", equal=speed) + m.sweep("speed-sph-equal-v{equal}-k{pressure}", equal=speed)
        worst += [abs(stages(m, run) / ours - 1) for run in runs if m.summary(run, "end")[0] == "complete"]
    return max(worst)


@claim("M15-map-penalty-equal", kind="paper",
       states="no penalty stiffness is good at every speed, at equal cost: with as many solves as merging-and-splitting takes in steps of 1 ms: number "
              "of those that are",
       holds="== 0", because=NONE,
       known="some are: steps half as long, which cost as much, are enough to open a range of good values")
def penalty_equal(m):
    return good_everywhere(m, "penalty-equal", m.axis("spring"))


@claim("M15-map-sph-equal", kind="paper",
       states="no SPH-based stiffness is good at every speed, at equal cost: number of those that are",
       holds="== 0", because=NONE)
def sph_equal(m):
    return good_everywhere(m, "sph-equal", m.axis("pressure"))


nothing_passes("M17-map-penetrated", kind="paper", runs="speed-ms-*",
               states="with merging-and-splitting no particle ever penetrates, at any speed: number of particles")
none_unstable("M17-map-stable", kind="paper", runs="speed-ms-*",
              states="merging-and-splitting is stable at any speed")


# ---- the jet --------------------------------------------------------------------------------------

def stiffness_of(m, run):
    return m.setting(run, "contact.stiffness")[0]


def leaking_to(m, fluid):
    """The largest stiffness that leaks, N/m."""
    return max([stiffness_of(m, run) for run in m.sweep("hold-penalty-{fluid}-{held}", fluid=fluid) if m.summary(run, "penetrated_max")[0] > 0] + [0])


def unstable_from(m, fluid):
    """The smallest stiffness that is unstable, N/m."""
    return min([stiffness_of(m, run) for run in m.sweep("hold-penalty-{fluid}-{held}", fluid=fluid) if m.summary(run, "unstable")[0]] + [math.inf])


def decades(m, fluid):
    """Between the largest stiffness that leaks and the smallest that is unstable."""
    return math.log10(unstable_from(m, fluid) / leaking_to(m, fluid))


@claim("M46-soft", kind="paper",
       states="forces an order of magnitude apart fail one way and the other, soft fluid: decades between the largest penalty stiffness that leaks "
              "and the smallest that is unstable",
       holds="<= 1", because="an order of magnitude is the statement",
       known="it takes half a decade more, though the stiffer half of the forces between already throws the fluid back faster than it came")
def decades_soft(m):
    return decades(m, "soft")


@claim("M46-firm", kind="paper",
       states="the same with the fluid of Figure 4, which is nearly incompressible: decades",
       holds="<= 1", because="as for the soft fluid",
       known="the range is wider: its waves require shorter steps, with which stiffer forces are stable")
def decades_firm(m):
    return decades(m, "firm")


claim("M21-map-jet", kind="paper",
      states="merging-and-splitting holds both fluids: particles through, plus 1 for an unstable run",
      holds="== 0", because="particles through, plus 1 for an unstable run: neither is allowed",
      value=lambda m: max(m.summary("hold-ms-*", "penetrated_max")) + max(m.summary("hold-ms-*", "unstable")))
