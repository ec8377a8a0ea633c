"""A solid with thin parts by particles of four sizes, and how far its surface is from them."""

import sys

import numpy as np
import panels
import style
from draw_bent import bent

RUNS = style.experiment(__file__)
WAYS = {"lattice": ("lattice", style.GREY, "--", "s"), "relaxed": ("relaxed", style.BLUE, "-", "o")}
COLUMNS = {"surface_mean": "mean of all vertices", "thin_mean": "mean of thin parts", "thin_99": "99th percentile of thin parts"}


def cloud(axes, data):
    """Particles as balls, the farthest first; nearer ones are lighter."""
    u, v, depth, radius = (np.array(data[name]) for name in ("u", "v", "depth", "radius"))
    shade = (depth - depth.min()) / np.ptp(depth)
    style.circles(axes, u, v, radius, [style.plt.cm.Blues_r(0.15 + 0.6 * (1 - s)) for s in shade])
    axes.collections[-1].set_rasterized(True)
    axes.set_xlim(u.min() - 1.5 * radius[0], u.max() + 1.5 * radius[0])
    axes.set_ylim(v.min() - 1.5 * radius[0], v.max() + 1.5 * radius[0])
    axes.set_aspect("equal")
    style.frame_only(axes)


def clouds(results, folder):
    radii = RUNS.axis("radius")
    figure, axes = panels.sheet(2, len(radii), 3.6)
    for row, way in zip(axes, WAYS):
        for place, radius in zip(row, radii):
            data = style.section(results, f"still-{way}-{radius}", 0)
            cloud(place, data)
            place.set_title(f"{WAYS[way][0]}: {len(data['u'])}")
    panels.scale_bar(axes[0, 0])
    style.save(figure, folder, "ces-fig06")


def distances(results, folder):
    figure, axes = panels.sheet(1, len(COLUMNS), 2.3, sharey=True)
    for place, (column, title) in zip(axes, COLUMNS.items()):
        for way, (label, color, line, mark) in WAYS.items():
            runs = RUNS.sweep("still-{sampling}-{radius}", sampling=way)
            values = [style.table(f"{results}/{run}/sampling.csv")[column][0] for run in runs]
            place.plot([float(radius) for radius in RUNS.axis("radius")], values, color=color, linestyle=line, marker=mark, markersize=4, label=label)
        place.set_xscale("log")
        style.plain_ticks(place.xaxis, [float(radius) for radius in RUNS.axis("radius")])
        place.set(xlabel="radius, m", title=title)
    axes[0].set(ylabel="distance to a particle, radii", ylim=(0, None))
    axes[0].legend(loc="upper left")
    style.save(figure, folder, "ces-fig06-distances")


def main(results, folder):
    clouds(results, folder)
    distances(results, folder)
    bent(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
