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
SHADES = plt.get_cmap("YlOrBr")(np.linspace(0.35, 0.95, 7))
# method -> (label, color, line, marker)
LOOKS = {
    "merging": ("merging-and-splitting", style.GREEN, "-", "o"),
    "sliding": ("sliding meta-particles", style.BLACK, "-", "x"),
    "swept": ("sliding, swept detection", style.BLACK, "--", "+"),
    "implicit-1e5": ("penalty, implicit, 1e5 N/m", style.SKY, "-", "v"),
    "implicit-1e6": ("penalty, implicit, 1e6 N/m", style.SKY, "--", "v"),
    "barrier": ("barrier (IPC)", style.BLUE, "-", "D"),
    "impulse": ("impulses", style.PURPLE, "-", "^"),
    "iterated": ("impulses, iterated", style.PURPLE, "--", "^"),
    "corrected-impulse": ("impulses, position correction", style.PURPLE, ":", "s"),
    **{f"penalty-{k}": (f"penalty, {k} N/m", shade, "-", ".") for k, shade in zip(("1e4", "2e4", "3e4", "5e4", "1e5", "3e5", "1e6"), SHADES)},
}
SIZES = {"x": 4.5, "+": 5.5, ".": 5}  # of marks that look small, points
ERRORS, DEPTHS = (0.01, 0.4), (1e-3, 1.5)  # what is beyond is drawn at the edge
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


def curves(scene):
    """{method: runs with ever shorter steps}, the paper's last, so that it is on top."""
    found = {}
    for run in RUNS.runs:
        step = list(run.place.values())[-1]  # of every statement it comes last
        method = run.name.removeprefix(f"{scene}-").removesuffix(f"-{step}")
        if run.name == f"{scene}-{method}-{step}" and method in LOOKS:
            found.setdefault(method, []).append(run.name)
    return {method: found[method] for method in reversed(LOOKS) if method in found}


def panel(ax, results, scene, price, value, limits):
    """A value against a cost for every method, a line through those that are good. Runs that were stopped because they gained too much
    speed are left out: they cost little."""
    for method, all_runs in curves(scene).items():
        label, color, line, marker = LOOKS[method]
        runs = [run for run in all_runs if summary(results, run)["end"] == "complete"]
        x, y = [price(results, run) for run in runs], np.clip([value(results, run) for run in runs], *limits)
        fine = np.array([good(results, run) for run in runs])
        for chosen, look in ((fine, {"linestyle": line, "linewidth": 1.8 if marker == "o" else 0.8}), (~fine, {"linestyle": "", "markerfacecolor": "white"})):
            ax.plot(np.array(x)[chosen], y[chosen], marker=marker, color=color, markersize=SIZES.get(marker, 3.5), zorder=3 if marker == "o" else 2, **look)
    ax.set(xscale="log", yscale="log", ylim=(limits[0] / 1.15, 1.15 * limits[1]))
    low, high = ax.get_xlim()
    style.plain_ticks(ax.xaxis, [tick for tick in TICKS if high < 7 * low or not f"{tick:g}".strip("0.").startswith("3")])


def legend(figure):
    marks = [plt.Line2D([], [], color=color, linestyle=line, marker=marker, markersize=SIZES.get(marker, 3.5), linewidth=1.8 if marker == "o" else 0.8)
             for _, color, line, marker in LOOKS.values()]
    figure.legend(marks, [label for label, *_ in LOOKS.values()], loc="upper center", bbox_to_anchor=(0.5, 0), ncol=4, fontsize=panels.SMALLEST)


def sheet(results, rows, height):
    """A column for each scene, a row for each (cost, its name, value, its name, limits)."""
    figure, axes = panels.sheet(len(rows), len(SCENES), height, sharey="row")
    for line, (price, price_name, value, value_name, limits) in zip(axes, rows):
        for ax, scene in zip(line, SCENES):
            panel(ax, results, scene, price, value, limits)
            ax.set_xlabel(price_name)
        line[0].set_ylabel(value_name)
        style.plain_ticks(line[0].yaxis, (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1))
    for ax, name in zip(axes[0], SCENES.values()):
        ax.set_title(name)
    legend(figure)
    return figure


SHAPE, OVERLAP = (shape_error, "error of the shape\nof the cloth / motion", ERRORS), (depth, "largest overlap, radii", DEPTHS)


def main(results, folder):
    figure = sheet(results, [(solves, "solves", *SHAPE), (iterations, "iterations", *SHAPE), (solves, "solves", *OVERLAP)], 6.2)
    style.save(figure, folder, "ablation-equal-cost")
    figure = sheet(results, [(cpu, "CPU time, s", *SHAPE), (cpu, "CPU time, s", *OVERLAP)], 4.3)
    style.save(figure, folder, "ablation-equal-cost-times")


if __name__ == "__main__":
    main(*sys.argv[1:])
    draw_wall(*sys.argv[1:])
    speeds(*sys.argv[1:])
    jet(*sys.argv[1:])
