"""Work and precision: what methods achieve in the scenes of Figures 3, 7 and 4 against solves, iterations of the solver and CPU time."""

import functools
import os
import sys

import numpy as np
import panels
import style
from draw_maps import jet, speeds
from draw_wall import draw_wall
from style import plt
from timings import spent_read

RUNS = style.experiment(__file__)
SCENES = {"low": "Figure 3, from 0.2 m", "high": "Figure 3, from 10 m", "heavy": "Figure 7, heavy ball", "jet": "Figure 4, jet"}
TUNED = {"low": "penalty-3e4", "high": "penalty-3e4", "heavy": "penalty-3e4", "jet": "penalty-1e6"}  # good in all three; of the jet the one with the least overlap
# Four methods in front, kind -> (label, color, line, marker); all others are grey behind them.
FRONT = {
    "tuned": ("penalty, tuned", style.ORANGE, "--", "s"),
    "implicit-1e5": ("penalty, implicit", style.RED, "-", "v"),
    "sliding": ("sliding contact", style.BLACK, "-", "x"),
    "merging": ("merging-and-splitting", style.GREEN, "-", "o"),
}
BEHIND = ("swept", "implicit-1e6", "barrier", "impulse", "iterated", "corrected-impulse", *(f"penalty-{k}" for k in ("1e4", "2e4", "3e4", "5e4", "1e5", "3e5", "1e6")))
ERRORS, DEPTHS, JET = (0.01, 0.4), (1e-3, 1.5), (0.01, 1.5)  # what is beyond is drawn at the edge
TICKS = [digit * 10 ** power for power in range(-3, 6) for digit in (1, 2, 3, 5)]  # of costs


@functools.lru_cache(maxsize=None)
def cost(results, run):
    """Number of solves, and of the solver's iterations in all of them."""
    data = style.metrics(results, run)
    return np.sum(data["stages"]), np.sum(data["iterations_first"]) + np.sum(data["iterations_later"])


def solves(results, run):
    return cost(results, run)[0]


def iterations(results, run):
    return cost(results, run)[1]


def cpu(results, run):
    return spent_read(os.path.join(results, run)).steps()


summary = functools.lru_cache(maxsize=None)(style.summary)


@functools.lru_cache(maxsize=None)
def shape_error(results, run):
    data = style.table(os.path.join(results, f"shape-{run}.csv"))
    apart, moved = np.array(data["rms"]), np.array(data["moved_b"])
    deepest = np.argmax(moved)
    return apart[:deepest + 1].max() / moved[deepest]


def depth(results, run):
    return summary(results, run)["overlap_depth_max"]


def good(results, run):
    numbers = summary(results, run)
    return not numbers["penetrated_max"] and not numbers["unstable"]


def runs_of(scene, method):
    """Runs with ever shorter steps, without those that were stopped because they gained too much speed: they cost little."""
    return [run.name for run in RUNS.runs if run.name == f"{scene}-{method}-{list(run.place.values())[-1]}"]


def curve(results, scene, method, price, value, limits):
    """(costs, values, whether they are good) of a method."""
    runs = [run for run in runs_of(scene, method) if summary(results, run)["end"] == "complete"]
    return (np.array([price(results, run) for run in runs]), np.clip([value(results, run) for run in runs], *limits),
            np.array([good(results, run) for run in runs], dtype=bool))


def front(curves):
    """The corners of the Pareto front: what is good and for which nothing that is good costs less and achieves more."""
    points = sorted((x, y) for costs, values, fine in curves for x, y, well in zip(costs, values, fine) if well)
    least = np.minimum.accumulate([y for _, y in points])
    return zip(*[(x, y) for k, (x, y) in enumerate(points) if k == 0 or y < least[k - 1]])


def panel(ax, results, scene, price, value, limits):
    """A value against a cost: the four methods in front with a line through those that are good, others grey, the front of all."""
    behind = [curve(results, scene, method, price, value, limits) for method in BEHIND if method != TUNED[scene] and runs_of(scene, method)]
    ahead = {kind: curve(results, scene, TUNED[scene] if kind == "tuned" else kind, price, value, limits)
             for kind in FRONT if kind == "tuned" or runs_of(scene, kind)}
    x, y = front([*behind, *ahead.values()])
    ax.set(xscale="log", yscale="log", ylim=(limits[0] / 1.15, 1.15 * limits[1]))
    for costs, values, fine in behind:
        ax.plot(costs[fine], values[fine], "-", color=style.PALE, linewidth=0.7, marker=".", markersize=3.5, zorder=1)
        ax.plot(costs[~fine], values[~fine], color=style.PALE, marker=".", markersize=4, markerfacecolor="white", linestyle="", markeredgewidth=0.6, zorder=1)
    ax.plot(list(x), list(y), color=style.YELLOW, linewidth=5, alpha=0.7, zorder=0.5)
    ends = {}
    for kind, (costs, values, fine) in ahead.items():
        label, color, line, marker = FRONT[kind]
        thick = kind == "merging"
        ax.plot(costs[fine], values[fine], line, color=color, marker=marker, markersize=4.5 if marker == "x" else 3.5, linewidth=2 if thick else 1.1, zorder=4 if thick else 3)
        ax.plot(costs[~fine], values[~fine], linestyle="", color=color, marker=marker, markersize=4, markerfacecolor="white", zorder=3)
        if fine.any():
            ends[label] = (costs[fine][-1], values[fine][-1], color)
    low, high = ax.get_xlim()
    style.plain_ticks(ax.xaxis, [tick for tick in TICKS if high < 7 * low or not f"{tick:g}".strip("0.").startswith("3")])
    return ends


def legend(figure):
    marks = [plt.Line2D([], [], color=color, linestyle=line, marker=marker, markersize=4, linewidth=2 if kind == "merging" else 1.1) for kind, (_, color, line, marker) in FRONT.items()]
    marks += [plt.Line2D([], [], color=style.PALE, marker=".", markersize=4, linewidth=0.7), plt.Line2D([], [], color=style.YELLOW, linewidth=5, alpha=0.7),
              plt.Line2D([], [], color=style.GREY, marker="o", markersize=4, markerfacecolor="white", linestyle="")]
    names = [label for label, *_ in FRONT.values()] + ["other methods", "Pareto front", "penetration, or unstable"]
    figure.legend(marks, names, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=4, fontsize=panels.SMALLEST)


def sheet(results, rows, height):
    """A column for each scene with balls, a row for each (cost, its name, value, its name, limits)."""
    scenes = {scene: title for scene, title in SCENES.items() if scene != "jet"}
    figure, axes = panels.sheet(len(rows), len(scenes), height, sharey="row")
    for line, (price, price_name, value, value_name, limits) in zip(axes, rows):
        for ax, scene in zip(line, scenes):
            panel(ax, results, scene, price, value, limits)
            ax.set_xlabel(price_name)
        line[0].set_ylabel(value_name)
        style.plain_ticks(line[0].yaxis, (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1))
    for ax, name in zip(axes[0], scenes.values()):
        ax.set_title(name)
    legend(figure)
    return figure


def main_panels(results):
    """One panel a scene, against solves, with names beside the ends of lines. Under the jet, where cloths do not differ, overlaps."""
    figure, axes = panels.sheet(2, 2, 5)
    for ax, (scene, title) in zip(axes.flat, SCENES.items()):
        value, name, limits = (depth, OVERLAP[1], JET) if scene == "jet" else SHAPE
        panels.end_labels(ax, panel(ax, results, scene, solves, value, limits))
        ax.annotate("better", (0.02, 0.03), (0.1, 0.13), xycoords="axes fraction", fontsize=panels.SMALLEST, arrowprops={"arrowstyle": "->", "linewidth": 0.7})
        ax.set(title=title, xlabel="solves", ylabel=name)
        style.plain_ticks(ax.yaxis, (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1))
    legend(figure)
    return figure


SHAPE, OVERLAP = (shape_error, "error of the cloth's shape / motion", ERRORS), (depth, "largest overlap, radii", DEPTHS)


def main(results, folder):
    style.save(main_panels(results), folder, "ablation-equal-cost")
    figure = sheet(results, [(iterations, "iterations", *SHAPE), (solves, "solves", *OVERLAP)], 4.3)
    style.save(figure, folder, "ablation-equal-cost-iterations")
    figure = sheet(results, [(cpu, "CPU time, s", *SHAPE), (cpu, "CPU time, s", *OVERLAP)], 4.3)
    style.save(figure, folder, "ablation-equal-cost-times")


if __name__ == "__main__":
    main(*sys.argv[1:])
    draw_wall(*sys.argv[1:])
    speeds(*sys.argv[1:])
    jet(*sys.argv[1:])
