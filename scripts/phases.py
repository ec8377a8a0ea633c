"""How mixed fluids are, and how round a drop is."""

import math
import statistics

from nearby import Nearby


def mixed(position, body, distance):
    """Of the pairs of particles nearer than the distance, the part whose bodies differ."""
    pairs = Nearby(position, distance).pairs()
    return sum(body[i] != body[j] for i, j, _ in pairs) / len(pairs)


def outside(position, spacing):
    """The part of a drop's particles that are outside the ball of the drop's volume around its middle; the median, so that a spray does not move it."""
    middle = [statistics.median(column) for column in zip(*position)]
    radius = spacing * (0.75 * len(position) / math.pi) ** (1 / 3)
    return sum(math.dist(x, middle) > radius for x in position) / len(position)
