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


def slices(axes, results, frame):
    """The one filled, the other as an outline on it."""
    for run in ("prefactored", "whole"):
        data = style.section(results, run, frame)
        shape = (np.array(data[name]) for name in ("u", "v", "radius"))
        if run == "whole":
            outlines.outline(axes, *shape, style.RED, WINDOW)
        else:
            outlines.filled(axes, *shape, style.SKY, WINDOW)
    axes.set(xlim=WINDOW[:2], ylim=WINDOW[2:], aspect="equal")
    style.frame_only(axes)
    axes.set_title(f"after {frame * style.setting(results, 'prefactored', 'time.frame_interval'):.2f} s")


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
    distances(axes[3], results)
    style.save(figure, folder, "ces-fig02")


if __name__ == "__main__":
    main(*sys.argv[1:])
