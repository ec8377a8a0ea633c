"""Finds the particles of a frame that touch by looking at all pairs, to judge the program's own search."""

import itertools

import numpy as np

ROWS = 1024  # of the table of distances that are computed at once


def overlaps(frame):
    """1 - distance / sum of radii of all pairs that touch, of different bodies, unless both are fixed (docs/measures.md, overlap)."""
    position, radius, body, free = frame["position"], frame["radius"], frame["body"], frame["state"] == 0
    found = []
    for a, b in itertools.combinations(range(len(frame.bodies)), 2):
        these, those = np.flatnonzero((body == a) & frame.here), np.flatnonzero((body == b) & frame.here)
        for begin in range(0, len(these), ROWS):
            rows = these[begin:begin + ROWS]
            reach = radius[rows, None] + radius[None, those]
            delta = 1 - np.linalg.norm(position[rows, None] - position[None, those], axis=2) / reach
            found.append(delta[(delta > 0) & (free[rows, None] | free[None, those])])
    return np.concatenate(found)


def mean_overlap(frame):
    """The mean overlap, as in the column `overlap_mean`."""
    delta = overlaps(frame)
    return float(delta.mean()) if len(delta) else 0.0
