"""A slice of the figure at three instants with both solvers, and how far their shapes are apart."""

import sys

import numpy as np
import panels
import style
from matplotlib.collections import EllipseCollection

RUNS = style.experiment(__file__)
FRAMES = (12, 37, 50)
LABELS = {"prefactored": ("shape, then volume", style.BLUE, "-"), "whole": ("both at once", style.ORANGE, "-"),
          "newton": ("both, rotations of the end", style.PURPLE, "--")}


def circles(axes, data, **colors):
    places, width = np.column_stack([data["u"], data["v"]]), 2 * np.array(data["radius"])
    axes.add_collection(EllipseCollection(width, width, np.zeros(len(width)), units="xy", offsets=places,
                                          offset_transform=axes.transData, **colors))


def slices(axes, results, frame):
    """The one filled, the other drawn as circles on it."""
    circles(axes, style.section(results, "prefactored", frame), facecolors=style.SKY, linewidths=0)
    circles(axes, style.section(results, "whole", frame), facecolors="none", edgecolors=style.ORANGE, linewidths=0.5)
    axes.set(xlim=(-0.33, 0.37), ylim=(-0.3, 0.6), aspect="equal", xticks=[], yticks=[])
    style.frame_only(axes)
    axes.set_title(f"{frame * style.setting(results, 'prefactored', 'time.frame_interval'):.2f} s")


def distances(axes, results):
    height = np.ptp([style.body(results, "prefactored", "rabbit")[name][0] for name in ("min_z", "max_z")])
    for other in RUNS.axis("solver")[1:]:
        data, (label, color, line) = style.table(f"{results}/{other}.csv"), LABELS[other]
        axes.plot(data["time"], 100 * np.array(data["rms"]) / height, color=color, linestyle=line, label=label)
    axes.axhline(1, color=style.BLACK, lw=0.8, ls=":")
    axes.set(xlabel="time, s", ylabel="distance, % of height", ylim=(0, 2.4))
    axes.legend(loc="upper left")


def main(results, folder):
    figure, axes = panels.sheet(1, 4, 1.9, width_ratios=[1, 1, 1, 1.6])
    for place, frame in zip(axes, FRAMES):
        slices(place, results, frame)
    panels.scale_bar(axes[0], 0.1)
    distances(axes[3], results)
    style.save(figure, folder, "ces-fig02")


if __name__ == "__main__":
    main(*sys.argv[1:])
