"""Bodies in a cross-section as shapes with an outline rather than as dots: the union of their particles, circles of the true radius, and
of the strips between neighbors. Found on a grid as a field of distances, whose zero is the outline."""

import numpy as np
import panels

JOINED = 2.9  # radii between centers of neighbors: up to the diagonal of a lattice, or a stretched edge
CELLS = 3  # of the grid, per radius


def _capsules(u, v, radius):
    """(from, to, radius) of the strips between neighbors, with round ends; those of particles that have none are points."""
    place = np.column_stack([u, v])
    order = np.argsort(u, kind="stable")
    place, radius = place[order], radius[order]
    reach = JOINED * radius.max(initial=0)
    last = np.searchsorted(place[:, 0], place[:, 0] + reach)
    i = np.repeat(np.arange(len(place)), last - np.arange(len(place)) - 1)
    j = np.arange(len(i)) - np.repeat(np.cumsum(last - np.arange(len(place)) - 1) - last + 1, last - np.arange(len(place)) - 1) + 1
    apart = np.hypot(*(place[i] - place[j]).T)
    near = apart < JOINED * np.minimum(radius[i], radius[j])
    i, j = i[near], j[near]
    alone = np.setdiff1d(np.arange(len(place)), np.concatenate([i, j]))
    i, j = np.concatenate([i, alone]), np.concatenate([j, alone])
    return place[i], place[j], np.minimum(radius[i], radius[j])


def distances(u, v, radius, window):
    """(x, y, distance) on a grid that covers the window and a little more: how far its points are from the shape, below 0 inside."""
    cell = radius.min() / CELLS
    beyond = 4 * radius.max()  # where outlines go on that the window cuts off
    x, y = (np.arange(low - beyond, high + beyond, cell) for low, high in (window[:2], window[2:]))
    field = np.full((len(y), len(x)), 2 * cell)
    here = (u > x[0]) & (u < x[-1]) & (v > y[0]) & (v < y[-1])
    for a, b, r in zip(*_capsules(u[here], v[here], radius[here])):
        low, high = np.minimum(a, b) - r - 2 * cell, np.maximum(a, b) + r + 2 * cell
        columns = slice(*np.searchsorted(x, (low[0], high[0])))
        rows = slice(*np.searchsorted(y, (low[1], high[1])))
        dx, dy, along = x[columns] - a[0], (y[rows] - a[1])[:, None], b - a
        share = np.clip((dx * along[0] + dy * along[1]) / max(along @ along, 1e-300), 0, 1)
        field[rows, columns] = np.minimum(field[rows, columns], np.hypot(dx - share * along[0], dy - share * along[1]) - r)
    return x, y, field


def outline(axes, u, v, radius, color, window, zorder=4):
    """Draws the outline of such a shape alone."""
    axes.contour(*distances(u, v, radius, window), levels=[0], colors=[color], linewidths=0.8, zorder=zorder)


def filled(axes, u, v, radius, color, window, zorder=1):
    """Draws such a shape; window: (u from, u to, v from, v to) in meters."""
    if not len(u):
        return
    x, y, field = distances(u, v, radius, window)
    if field.min() < 0:
        axes.contourf(x, y, field, levels=[field.min(), 0], colors=[color], zorder=zorder)
        axes.contour(x, y, field, levels=[0], colors=[panels.darker(color)], linewidths=0.6, zorder=zorder + 0.1)
