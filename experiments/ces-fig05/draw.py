"""Three ways to fill a solid with particles: all of them from above, a thin part, and distributions."""

import os
import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
WAYS = {"lattice": ("lattice", style.GREY, "--"), "blue-noise": ("blue noise (Jiang 2015)", style.ORANGE, "-."), "relaxed": ("relaxed", style.BLUE, "-")}
SHAPES = {"": "ring", "armadillo-": "armadillo", "fish-": "fish"}


def cloud(axes, data, window):
    """Particles as balls, the farthest first; lighter ones are nearer to the eye."""
    u, v, depth, radius = (np.array(data[name]) for name in ("u", "v", "depth", "radius"))
    shade = (depth - depth.min()) / np.ptp(depth)
    colors = [style.plt.cm.Blues_r(0.15 + 0.6 * (1 - s)) for s in shade]
    style.circles(axes, u, v, radius, colors)
    axes.collections[-1].set_rasterized(True)
    axes.set_xlim(window[:2])
    axes.set_ylim(window[2:])
    axes.set_aspect("equal")
    style.frame_only(axes)


def windows(data):
    """All of it; and where it reaches farthest along u, which is thin in all shapes."""
    u, v, radius = (np.array(data[name]) for name in ("u", "v", "radius"))
    edge, part = 1.5 * radius[0], 11 * radius[0]
    tip = int(np.argmax(u))
    return ((u.min() - edge, u.max() + edge, v.min() - edge, v.max() + edge),
            (u[tip] + edge - 2 * part, u[tip] + edge, v[tip] - part, v[tip] + part))


def clouds(results, folder, shape):
    figure, axes = panels.sheet(2, 3, 4.6)
    for column, (way, (label, _, _)) in zip(axes.T, WAYS.items()):
        data = style.section(results, f"{shape}{way}", 0)
        for place, window in zip(column, windows(data)):
            cloud(place, data, window)
        column[0].set_title(f"{label}: {len(data['u'])} particles")
    panels.scale_bar(axes[0, 0])
    style.save(figure, folder, "ces-fig05" + (f"-{shape[:-1]}" if shape else ""))


def nearest(data):
    """Of each particle the distance to the nearest other one, spacings. Sections have u, v and depth."""
    x = np.array([data[name] for name in ("u", "v", "depth")]).T
    spacing = 2 * data["radius"][0]
    order = np.argsort(x[:, 0])
    x, found = x[order], np.empty(len(x))
    for i, place in enumerate(x):  # candidates are within two spacings along the first axis
        begin, end = np.searchsorted(x[:, 0], (place[0] - 2 * spacing, place[0] + 2 * spacing))
        distance = np.linalg.norm(x[begin:end] - place, axis=1)
        distance[i - begin] = np.inf
        found[i] = distance.min() / spacing
    return np.sort(found)


def distributions(results, folder, shapes):
    figure, axes = panels.sheet(1, len(shapes), 2.4, width=panels.COLUMN if len(shapes) == 1 else panels.PAGE, squeeze=False)
    for place, shape in zip(axes[0], shapes):
        for way, (label, color, line) in WAYS.items():
            found = nearest(style.section(results, f"{shape}{way}", 0))
            place.plot(found, np.linspace(0, 1, len(found)), color=color, linestyle=line, label=label)
        place.set(xlabel="distance to the nearest, spacings", ylabel="fraction of particles" if place is axes[0, 0] else "", xlim=(0, 1.15),
                  title=SHAPES[shape] if len(shapes) > 1 else "")
    axes[0, 0].legend(loc="upper left")
    style.save(figure, folder, "ces-fig05-distances")


def main(results, folder):
    shapes = [shape for shape in SHAPES if os.path.exists(f"{results}/{shape}lattice/section-0.csv")]
    for shape in shapes:
        clouds(results, folder, shape)
    distributions(results, folder, shapes)


if __name__ == "__main__":
    main(*sys.argv[1:])
