"""Only the nearest neighbors: claims."""

from arithmetic import max
from claims import claim, ledger_closes
from swings import period


def slower(m, neighbors):
    """The period over that with all neighbors, less 1."""
    return period(m, f"neighbors-{neighbors}") / period(m, "neighbors-all") - 1


def apart(m, neighbors):
    """The largest distance of the shapes over the largest motion, root of the mean square."""
    return max(m.distance(f"shape-{neighbors}", "rms")) / max(m.distance(f"shape-{neighbors}", "moved_a"))


@claim("C38-memory", kind="corotated",
       states="the ten nearest neighbors make the factor 2.5 times smaller: entries with all 26 over those with 10, lattice of 4000 particles",
       holds="> 2", because="2.5 and a margin for another body",
       known="on a lattice the factor is hardly smaller: neighbors of neighbors of neighbors fill it all the same, and each of the ten must know the particle, too")
def memory(m):
    return m.measured("C38.ten")


@claim("C40-identical", kind="corotated",
       states="ten neighbors look the same: distance of the shapes of a cantilever over how far it moves, in one swing",
       holds="< 0.05", because="what the eye would see")
def identical(m):
    return apart(m, "10")


def step_time(m, near, solver):
    """Of the elastic solve, median of twenty steps, s."""
    return m.times(f"time-{near}-{solver}")[0].median("stage 1")


def gained(m, solver):
    """The time with all neighbors over that with ten."""
    return step_time(m, "all", solver) / step_time(m, "10", solver)


@claim("C39-twice", kind="corotated",
       states="ten neighbors make the factored solve twice as fast: time of a step with all neighbors over that with ten, beam of 8450 particles",
       holds="> 1.6", because="twice, and a margin for times that differ between measurements",
       known="the factor is as large as before, and of the ten nearest each must know the other, which leaves more than ten")
def twice(m):
    return gained(m, "prefactored")


@claim("C39-peer", kind="corotated",
       states="and the solve of the whole system as well: the same",
       holds="> 1.6", because="as with the factor",
       known="more than ten are left, since neighbors must know each other, and vectors cost what they did before")
def twice_whole(m):
    return gained(m, "whole")


ledger_closes("ces-ablation-neighbors")
