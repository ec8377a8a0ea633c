"""A slice of the figure at three instants with both solvers, and how far their shapes are apart."""

import sys

import numpy as np
import outlines
import panels
import style

RUNS = style.experiment(__file__)
FRAMES = (12, 37, 50)
LABELS = {"prefactored": ("shape, then volume", style.BLUE, "-"), "whole": ("both at once", style.ORANGE, "-"),
          "newton": ("both, rotations of the end", style.PURPLE, "--")}
WINDOW = (-0.3, 0.36, -0.24, 0.58)
MOST = 30  # mm, of the colors
COLORS = style.matplotlib.colors.ListedColormap(style.plt.cm.magma_r(np.linspace(0.1, 0.9, 256)))


def slices(axes, results, frame):
    """The one by how far its particles are from where the other has them, which is an outline on it."""
    one, other = ({name: np.array(values) for name, values in style.section(results, run, frame).items()} for run in ("prefactored", "whole"))
    both, i, j = np.intersect1d(one["id"], other["id"], return_indices=True)
    assert len(both) == len(one["id"]) == len(other["id"])
    apart = 1000 * np.sqrt(sum((one[axis][i] - other[axis][j]) ** 2 for axis in ("u", "v", "depth")))
    style.circles(axes, one["u"][i], one["v"][i], one["radius"][i], COLORS(apart / MOST))
    outlines.outline(axes, *(other[name] for name in ("u", "v", "radius")), style.BLUE, WINDOW)
    axes.set(xlim=WINDOW[:2], ylim=WINDOW[2:], aspect="equal")
    style.frame_only(axes)
    axes.set_title(f"after {frame * style.setting(results, 'prefactored', 'time.frame_interval'):.2f} s")
    axes.set_xlabel(f"up to {apart.max():.0f} mm")


def distances(axes, results):
    height = np.ptp([style.body(results, "prefactored", "rabbit")[name][0] for name in ("min_z", "max_z")])
    for other in RUNS.axis("solver")[1:]:
        data, (label, color, line) = style.table(f"{results}/{other}.csv"), LABELS[other]
        axes.plot(data["time"], 100 * np.array(data["rms"]) / height, color=color, linestyle=line, label=label)
    axes.axhline(1, color=style.BLACK, lw=0.8, ls=":")
    axes.set(xlabel="time, s", ylabel="distance, % of height", ylim=(0, 2.4))
    axes.legend(loc="upper left")


def main(results, folder):
    figure, axes = panels.sheet(1, 4, 2.0, width_ratios=[1, 1, 1, 1.4])
    for place, frame in zip(axes, FRAMES):
        slices(place, results, frame)
    panels.scale_bar(axes[0], 0.1, (0.03, 0.06))
    bar = figure.colorbar(style.matplotlib.cm.ScalarMappable(style.matplotlib.colors.Normalize(0, MOST), COLORS), ax=axes[:3], shrink=0.8, pad=0.01)
    bar.set_label("apart, mm")
    distances(axes[3], results)
    style.save(figure, folder, "ces-fig02")


if __name__ == "__main__":
    main(*sys.argv[1:])
