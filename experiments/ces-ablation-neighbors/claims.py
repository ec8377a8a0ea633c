"""Only the nearest neighbors: claims."""

from arithmetic import max
from claims import claim, ledger_closes


def period(m, run):
    """Between the start and the second time at which the center of mass does not move, s."""
    t, v = m.body(run, "beam", "time"), m.body(run, "beam", "velocity_z")
    turns = [t[k] + (t[k + 1] - t[k]) * v[k] / (v[k] - v[k + 1]) for k in range(1, len(t) - 1) if v[k] * v[k + 1] < 0]
    return turns[1]


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


ledger_closes("ces-ablation-neighbors")
