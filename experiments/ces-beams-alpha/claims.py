"""Cantilevers with four weights of the control of modes without energy: claims."""

from arithmetic import max
from claims import claim, ledger_closes
from swings import period


def faster(m, alpha):
    """The frequency over that without control, less 1."""
    return period(m, "alpha-0") / period(m, f"alpha-{alpha}") - 1


@claim("C57-slight", kind="corotated",
       states="the control has little influence on swings: largest rise of the frequency over that without it, alpha up to 1",
       holds="< 0.05", because="what the eye would see")
def slight(m):
    return max(faster(m, alpha) for alpha in m.axis("alpha"))


@claim("C57-rises", kind="corotated",
       states="the frequency rises with alpha: that with alpha = 1 over that with 0.01, less 1",
       holds="> 0", because="the control only adds stiffness")
def rises(m):
    return period(m, "alpha-0.01") / period(m, "alpha-1") - 1


ledger_closes("ces-beams-alpha")
