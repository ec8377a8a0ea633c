"""Beams that begin to swing under their own weight: what claims of several experiments measure of them."""


def turns(t, v):
    """The times, s, at which the center of mass stops, after the start."""
    return [t[k] + (t[k + 1] - t[k]) * v[k] / (v[k] - v[k + 1]) for k in range(1, len(t) - 1) if v[k] * v[k + 1] < 0]


def period(m, run):
    """Between the start and the second of these, s."""
    return turns(m.body(run, "beam", "time"), m.body(run, "beam", "velocity_z"))[1]
