"""Work and precision: what methods achieve in the scenes of Figures 3 and 5 against the number of solves and of iterations."""

import functools
import os
import sys

import numpy as np
import panels
import style
from style import plt

RUNS = style.experiment(__file__)
HEIGHTS = {"low": "0.2 m", "high": "10 m"}
SAMPLES = RUNS.axis("sample")
OURS = {"merging": ("merging-and-splitting", style.GREEN)}
SHADES = plt.get_cmap("YlOrBr")(np.linspace(0.35, 0.95, max(len(RUNS.axis("stiffness")), len(RUNS.axis("hard")))))
DEPTH, SPEED = 0.25, 3  # limits of Figure 5
TICKS = [digit * 10 ** power for power in range(-3, 4) for digit in (1, 2, 3, 5)]


def newton(stiffness):
    return f"penalty, {float(stiffness):.3g} N/m".replace("e+0", "e")


@functools.lru_cache(maxsize=None)
def cost(results, run):
    """Number of solves, and of the solver's iterations in all of them."""
    data = style.metrics(results, run)
    return np.sum(data["stages"]), np.sum(data["iterations_first"]) + np.sum(data["iterations_later"])


def solves(results, run):
    return cost(results, run)[0]


def iterations(results, run):
    return cost(results, run)[1]


summary = functools.lru_cache(maxsize=None)(style.summary)


def shape_error(results, run):
    data = style.table(os.path.join(results, run.replace("cloth-", "shape-", 1) + ".csv"))
    apart, moved = np.array(data["rms"]), np.array(data["moved_b"])
    deepest = np.argmax(moved)
    return apart[:deepest + 1].max() / moved[deepest]


def depth(results, run):
    return summary(results, run)["overlap_depth_max"]


def to_the_end(results, runs):
    """Of these runs those that were not stopped because they gained too much speed or energy: they took few solves."""
    return [run for run in runs if summary(results, run)["end"] == "complete"]


def good_cloth(results, run):
    numbers = summary(results, run)
    return not numbers["penetrated_max"] and not numbers["unstable"]


def good_wall(results, run):
    numbers = summary(results, run)
    return not numbers["unstable"] and numbers["depth_before"] < DEPTH and numbers["speed_max"] < SPEED * numbers["impact_speed"]


def cloth_lines(height):
    """(label, color, line, marker, runs with ever shorter steps) of every method."""
    lines = [(label, color, "-", "o", [f"cloth-{height}-{method}-{step}" for step in RUNS.axis("ours")]) for method, (label, color) in OURS.items()]
    lines += [(newton(k), shade, "-", "s", [f"cloth-{height}-penalty-{k}-{step}" for step in RUNS.axis("step")])
              for k, shade in zip(RUNS.axis("stiffness"), SHADES)]
    return [*lines, ("impulses", style.PURPLE, "-.", "D", [f"cloth-{height}-impulse-{step}" for step in RUNS.axis("step")])]


def cloth(ax, results, height, price, value):
    """A value against a cost for every method; hollow: not good."""
    for label, color, line, marker, all_runs in cloth_lines(height):
        runs = to_the_end(results, all_runs)
        x, y = [price(results, run) for run in runs], [value(results, run) for run in runs]
        good = [good_cloth(results, run) for run in runs]
        ax.plot(x, y, line, color=color, linewidth=1.8 if marker == "o" else 0.8, label=label, zorder=3 if marker == "o" else 2)
        for fine, face in ((True, color), (False, "white")):
            ax.plot([a for a, g in zip(x, good) if g == fine], [b for b, g in zip(y, good) if g == fine], marker, linestyle="", color=color,
                    markerfacecolor=face, markersize=4, zorder=4)
    logarithmic(ax)


def logarithmic(ax):
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        style.plain_ticks(axis, TICKS)


def wall_lines():
    lines = [(label, color, "o", [[f"wall-{method}-{step}-{s}" for s in SAMPLES] for step in RUNS.axis("long")])
             for method, (label, color) in OURS.items()]
    lines += [(newton(k), shade, "s", [[f"wall-penalty-{k}-{step}-{s}" for s in SAMPLES] for step in RUNS.axis("short")])
              for k, shade in zip(RUNS.axis("hard"), SHADES)]
    return [*lines, ("impulses", style.PURPLE, "D", [[f"wall-impulse-{step}-{s}" for s in SAMPLES] for step in RUNS.axis("short")])]


def wall(ax, results, value):
    """Means over the samples, which are points; hollow: one of them is not good."""
    for label, color, marker, all_steps in wall_lines():
        steps = [runs for runs in all_steps if to_the_end(results, runs) == runs]
        x = [np.mean([solves(results, run) for run in runs]) for runs in steps]
        y = [np.mean([value(results, run) for run in runs]) for runs in steps]
        good = [all(good_wall(results, run) for run in runs) for runs in steps]
        ax.plot(x, y, "-.", color=color, linewidth=0.8, zorder=2) if marker == "D" else ax.plot(
            x, y, "-", color=color, linewidth=1.8 if marker == "o" else 0.8, zorder=2)
        for a, runs in zip(x, steps):
            ax.plot([a] * len(runs), [value(results, run) for run in runs], ".", color=color, markersize=2)
        for a, b, g in zip(x, y, good):
            ax.plot([a], [b], marker, color=color, markerfacecolor=color if g else "white", markersize=4, zorder=4)
        ax.plot([], [], marker, color=color, markersize=4, label=label)
    ax.set_xscale("log")
    style.plain_ticks(ax.xaxis, TICKS)
    ax.set_xlabel("number of solves")


def cloths(results, folder):
    """A column for each height."""
    figure, axes = panels.sheet(3, 2, 6.6)
    for column, (height, name) in zip(axes.T, HEIGHTS.items()):
        cloth(column[0], results, height, solves, shape_error)
        cloth(column[1], results, height, iterations, shape_error)
        cloth(column[2], results, height, solves, depth)
        column[0].set_title(f"Figure 3, ball from {name}")
        for ax, x in zip(column, ("number of solves", "iterations of the solver", "number of solves")):
            ax.set_xlabel(x)
    for ax, y in zip(axes[:, 0], ("error of the cloth's shape / motion", "error of the cloth's shape / motion", "largest overlap / radius")):
        ax.set_ylabel(y)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-equal-cost")


def walls(results, folder):
    figure, axes = panels.sheet(1, 2, 2.9)
    wall(axes[0], results, lambda r, run: summary(r, run)["depth_before"])
    axes[0].axhline(DEPTH, color=style.GREY, linestyle=":", linewidth=0.8)
    logarithmic(axes[0])
    axes[0].set_title("Figure 5: overlap before the first crack through the wall")
    axes[0].set_ylabel("overlap / radius")
    wall(axes[1], results, lambda r, run: 100 * summary(r, run)["debris_fraction"])
    axes[1].set_title("Figure 5: debris")
    axes[1].set_ylabel("debris, % of the wall")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-equal-cost-wall")


def main(results, folder):
    cloths(results, folder)
    walls(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
