"""A solid with thin parts under its own weight: its particles by how much their neighbors were stretched."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
NEAR = 1.5  # spacings within which particles are neighbors: claims_bent.py
LIMIT = 2.0  # of the colors
COLORS = style.matplotlib.colors.ListedColormap(style.plt.cm.magma_r(np.linspace(0.2, 1, 256)))  # without its palest, which are hardly seen on white


def places(data):
    order = np.argsort(data["id"])
    return np.array([data[name] for name in ("u", "v", "depth")]).T[order], order


def stretch(results, run):
    """Of each particle of the last section, in its order: the largest change of a distance to a neighbor."""
    first, last = (style.section(results, run, frame) for frame in (0, 3))
    (before, _), (after, order) = places(first), places(last)
    reach = NEAR * 2 * first["radius"][0]
    along = np.argsort(before[:, 0])
    x, y = before[along], after[along]
    worst = np.ones(len(x))
    for i in range(len(x)):
        end = np.searchsorted(x[:, 0], x[i, 0] + reach)
        distance = np.linalg.norm(x[i + 1:end] - x[i], axis=1)
        near = np.flatnonzero(distance < reach)
        now = np.linalg.norm(y[i + 1 + near] - y[i], axis=1) / distance[near]
        worst[i + 1 + near] = np.maximum(worst[i + 1 + near], now)
        worst[i] = max([worst[i], *now])
    of_particle = np.empty(len(x))
    of_particle[order[along]] = worst
    return last, of_particle


def panel(axes, results, run, label):
    data, worst = stretch(results, run)
    u, v, radius = (np.array(data[name]) for name in ("u", "v", "radius"))
    style.circles(axes, u, v, radius, COLORS((worst - 1) / (LIMIT - 1)))
    axes.collections[-1].set_rasterized(True)
    axes.set_aspect("equal")
    axes.set_title(f"{label}: {worst.max():.2f}")
    style.frame_only(axes)
    edge = 2 * radius[0]
    return u.min() - edge, u.max() + edge, v.min() - edge, v.max() + edge


def bent(results, folder):
    radii = RUNS.axis("size")
    figure, axes = panels.sheet(2, len(radii), 2.2)
    windows = [panel(place, results, f"bent-{way}-{radius}", f"{way}, {radius} m")
               for row, way in zip(axes, RUNS.axis("sampling")) for place, radius in zip(row, radii)]
    left, right, low, high = zip(*windows)
    for place in axes.flat:
        place.set_xlim(min(left), max(right))
        place.set_ylim(min(low), max(high))
    panels.scale_bar(axes[0, 0])
    bar = figure.colorbar(style.matplotlib.cm.ScalarMappable(style.matplotlib.colors.Normalize(1, LIMIT), COLORS), ax=axes, shrink=0.6)
    bar.set_label(f"largest stretch of a neighbor after {3 * style.setting(results, f'bent-lattice-{radii[0]}', 'time.frame_interval'):g} s")
    style.save(figure, folder, "ces-fig06-bent")
