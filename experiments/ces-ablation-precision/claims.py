"""Tolerances, and a factor in single precision: claims."""

import statistics

from arithmetic import max
from claims import claim, ledger_closes

LENGTH = 1.2  # m


def apart(m, poisson, tolerance):
    """The largest distance from the motion with a tolerance of 1e-12, over the length of the beam; root of the mean square."""
    return max(m.distance(f"{poisson}-{tolerance}", "rms")) / LENGTH


def iterations(m, poisson, tolerance):
    return statistics.fmean(m.column(f"{poisson}-{tolerance}", "iterations_first"))


@claim("C78-tip", kind="corotated",
       states="single precision is enough: with each solve by one use of the factor, distance of the shapes from those in double precision over the length",
       holds="< 1e-8", because="below a millionth of the spacing; the residual of one solution is below 1e-6")
def single(m):
    return apart(m, "0", "1e-6")


@claim("C78-once", kind="corotated",
       states="and one use of it is what a step takes: iterations at a tolerance of 1e-6, Poisson's ratio 0",
       holds="== 1", because="its residual is below the tolerance")
def once(m):
    return iterations(m, "0", "1e-6")


@claim("CES-precision-double", kind="finding",
       states="double precision costs two more: iterations at a tolerance of 1e-12, Poisson's ratio 0",
       holds="<= 3", because="each takes six digits or so, since the factor in single precision is a preconditioner with a condition near 1")
def double(m):
    return iterations(m, "0", "exact")


@claim("CES-precision-tolerance", kind="finding",
       states="a tolerance of 1e-4, that of the tables, is enough for volume, too: distance of the shapes from the exact ones over the length, Poisson's ratio 0.33",
       holds="< 1e-5", because="a four-thousandth of the spacing")
def tolerance(m):
    return apart(m, "0.33", "1e-4")


@claim("CES-precision-falls", kind="finding",
       states="the distance falls with the tolerance: that at 1e-3 over that at 1e-6, Poisson's ratio 0.33",
       holds="> 100", because="in proportion it would be a thousand")
def falls(m):
    return apart(m, "0.33", "1e-3") / apart(m, "0.33", "1e-6")


ledger_closes("ces-ablation-precision")
