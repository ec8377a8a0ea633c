"""Which bodies of lattices are in each other."""

import numpy as np


def axes(places, spacing):
    """The directions of a body's lattice, as rows: those to the neighbors of one of its particles."""
    for here in places:
        ways = places - here
        ways = ways[np.abs(np.linalg.norm(ways, axis=1) - spacing) < 0.05 * spacing] / spacing
        across = ways[np.abs(ways @ ways[0]) < 0.1] if len(ways) else ways
        if len(across):
            second = across[0] - (across[0] @ ways[0]) * ways[0]
            return np.array([ways[0], second, np.cross(ways[0], second)])
    raise ValueError("no particle has two neighbors across each other")


def inside(ways, body_axes, spacing):
    """How many particles are in the cubes around those of another body; `ways` leads from the one to the other, [particle][other][axis]."""
    near = (ways ** 2).sum(axis=2) < 0.75 * spacing ** 2
    rows = np.nonzero(near)[0]
    return len(np.unique(rows[np.abs(ways[near] @ body_axes.T).max(axis=1) < 0.5 * spacing]))


def locked_pairs(position, body, radius):
    """The pairs of bodies of which one has the center of a particle of the other inside, and how many centers these are; bodies with larger particles than others do not count."""
    position, body, spacing = np.asarray(position), np.asarray(body), 2 * np.min(radius)
    places = [position[body == b] for b in np.unique(body[np.asarray(radius) < 0.6 * spacing])]
    middles = np.array([p.mean(axis=0) for p in places])
    reach = max(np.linalg.norm(p - m, axis=1).max() for p, m in zip(places, middles))
    found, frames = {}, [axes(p, spacing) for p in places]
    for a in range(len(places)):
        for b in a + 1 + np.nonzero(np.linalg.norm(middles[a + 1:] - middles[a], axis=1) < 2 * reach)[0]:
            ways = places[a][:, None, :] - places[b][None, :, :]
            count = inside(ways, frames[b], spacing) + inside(ways.transpose(1, 0, 2), frames[a], spacing)
            if count:
                found[a, b] = count
    return found
