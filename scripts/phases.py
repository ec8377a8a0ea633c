"""How mixed fluids are, and how round a drop is."""

import numpy as np
from scipy.spatial import cKDTree


def mixed(position, body, distance):
    """Of the pairs of particles nearer than the distance, the part whose bodies differ."""
    body = np.asarray(body)
    pairs = cKDTree(np.asarray(position)).query_pairs(distance, output_type="ndarray")
    return float((body[pairs[:, 0]] != body[pairs[:, 1]]).mean())


def outside(position, spacing):
    """The part of a drop's particles that are outside the ball of the drop's volume around its middle; the median, so that a spray does not move it."""
    position = np.asarray(position)
    away = np.linalg.norm(position - np.median(position, axis=0), axis=1)
    return float((away > spacing * np.cbrt(0.75 * len(away) / np.pi)).mean())
