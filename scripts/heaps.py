"""The slope of a heap of grains, for claims and pictures."""

import math

LAYER = 0.01  # m, the height of the centers of a single layer of grains: their radius
RINGS = 0.01  # m, of the profile


def profile(u, v, z):
    """The mean height over a layer of the three highest grains of each ring around the center of mass, m."""
    middle = math.fsum(u) / len(u), math.fsum(v) / len(v)
    rings = {}
    for x, y, height in zip(u, v, z):
        rings.setdefault(int(math.hypot(x - middle[0], y - middle[1]) / RINGS), []).append(abs(height))
    highest = [sorted(rings.get(k, [LAYER]))[-3:] for k in range(max(rings) + 1)]
    return [math.fsum(three) / len(three) - LAYER for three in highest]


def slope_of(u, v, z):
    """The angle between 0.8 and 0.2 of its height, degrees: between the outermost places that are as high."""
    top = profile(u, v, z)

    def outermost(level):
        k = max(k for k in range(len(top)) if top[k] >= level)
        beyond = top[k + 1] if k + 1 < len(top) else 0.0
        return RINGS * (k + 0.5 + (top[k] - level) / (top[k] - beyond))
    upper, lower = 0.8 * max(top), 0.2 * max(top)
    return math.degrees(math.atan2(upper - lower, outermost(lower) - outermost(upper)))
