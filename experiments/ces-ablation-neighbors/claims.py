"""Only the nearest neighbors: claims."""

from arithmetic import max
from claims import claim, ledger_closes
from swings import period


def slower(m, neighbors, body="neighbors"):
    """The period over that with all neighbors, less 1."""
    return period(m, f"{body}-{neighbors}") / period(m, f"{body}-all") - 1


def apart(m, neighbors, prefix=""):
    """The largest distance of the shapes over the largest motion, root of the mean square."""
    return max(m.distance(f"{prefix}shape-{neighbors}", "rms")) / max(m.distance(f"{prefix}shape-{neighbors}", "moved_a"))


@claim("C38-memory", kind="corotated",
       states="the ten nearest neighbors make the factor 2.5 times smaller: entries with all neighbors over those with 10, relaxed body of some 4000 particles",
       holds="> 2", because="2.5 and a margin for another body")
def memory(m):
    return m.measured("C38.relaxed.10")


@claim("C40-identical", kind="corotated",
       states="ten neighbors look the same: distance of the shapes of a cantilever over how far it moves, in one swing, lattice and relaxed",
       holds="< 0.05", because="what the eye would see")
def identical(m):
    return max([apart(m, "10"), apart(m, "10", "relaxed-")])


def step_time(m, body, near, solver):
    """Of the elastic solve, median of twenty steps, s."""
    return m.times(f"time-{body}-{near}-{solver}")[0].median("stage 1")


def gained(m, solver, body="relaxed"):
    """The time with all neighbors over that with ten."""
    return step_time(m, body, "all", solver) / step_time(m, body, "10", solver)


@claim("C39-twice", kind="corotated",
       states="ten neighbors make the factored solve twice as fast: time of a step with all neighbors over that with ten, relaxed beam of some 10 000 particles",
       holds="> 1.6", because="twice, and a margin for times that differ between measurements")
def twice(m):
    return gained(m, "prefactored")


@claim("C39-peer", kind="corotated",
       states="and the solve of the whole system as well: the same",
       holds="> 1.6", because="as with the factor")
def twice_whole(m):
    return gained(m, "whole")


ledger_closes("ces-ablation-neighbors")
