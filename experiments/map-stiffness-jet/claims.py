"""Which stiffness holds a jet: claims."""

import math

from claims import claim, ledger_closes

FORCED = "particles through, plus 1 for an unstable run: neither is allowed"


def stiffness(m, run):
    return m.setting(run, "contact.stiffness")[0]


def good(m, fluid):
    """The stiffnesses with which no particle gets through and the run is stable, ascending, N/m."""
    return [stiffness(m, run) for run in m.sweep("penalty-{fluid}-{stiffness}", fluid=fluid)
            if m.summary(run, "penetrated_max")[0] == 0 and not m.summary(run, "unstable")[0]]


def leaking(m, fluid):
    """The largest stiffness that leaks, N/m."""
    return max([stiffness(m, run) for run in m.sweep("penalty-{fluid}-{stiffness}", fluid=fluid) if m.summary(run, "penetrated_max")[0] > 0] + [0])


def unstable(m, fluid):
    """The smallest stiffness that is unstable, N/m."""
    return min([stiffness(m, run) for run in m.sweep("penalty-{fluid}-{stiffness}", fluid=fluid) if m.summary(run, "unstable")[0]] + [math.inf])


def decades(m, fluid):
    """Between the largest stiffness that leaks and the smallest that is unstable."""
    return math.log10(unstable(m, fluid) / leaking(m, fluid))


@claim("M46-soft", kind="paper",
       states="forces an order of magnitude apart fail one way and the other, soft fluid: decades between the largest penalty stiffness that leaks "
              "and the smallest that is unstable",
       holds="<= 1", because="an order of magnitude is the statement",
       known="it takes half a decade more, though the stiffer half of the forces between already throws the fluid back faster than it came")
def soft(m):
    return decades(m, "soft")


@claim("M46-firm", kind="paper",
       states="the same with the fluid of Figure 4, which is nearly incompressible: decades",
       holds="<= 1", because="as for the soft fluid",
       known="the range is wider: its waves require shorter steps, with which stiffer forces are stable")
def firm(m):
    return decades(m, "firm")


@claim("M21-map-jet", kind="paper",
       states="merging-and-splitting holds both fluids: particles through, plus 1 for an unstable run",
       holds="== 0", because=FORCED)
def ours(m):
    return max(m.summary("ms-*", "penetrated_max")) + max(m.summary("ms-*", "unstable"))


ledger_closes("stiffness-jet")
