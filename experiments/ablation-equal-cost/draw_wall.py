"""Work and precision: what methods achieve in the scene of Figure 5 against solves, iterations of the solver and CPU time."""

import functools
import os

import numpy as np
import panels
import style
from sizes import COLUMN, PAGE
from style import plt
from timings import spent_read

RUNS = style.experiment(__file__)
SHADES = plt.get_cmap("YlOrBr")(np.linspace(0.35, 0.95, 4))
# method -> (label, color, line, marker)
LOOKS = {
    "merging": ("merging-and-splitting", style.GREEN, "-", "o"),
    "sliding": ("sliding meta-particles", style.BLACK, "-", "x"),
    "swept": ("sliding, swept detection", style.BLACK, "--", "+"),
    "implicit-1e7": ("penalty, implicit, 1e7 N/m", style.SKY, "-", "v"),
    "implicit-1e8": ("penalty, implicit, 1e8 N/m", style.SKY, "--", "v"),
    "barrier-1e4": ("barrier (IPC), 1e4 N/m", style.BLUE, "-", "D"),
    "barrier-1e6": ("barrier (IPC), 1e6 N/m", style.BLUE, "--", "D"),
    "impulse": ("impulses", style.PURPLE, "-", "^"),
    "iterated": ("impulses, iterated", style.PURPLE, "--", "^"),
    **{f"penalty-{k}": (f"penalty, {k} N/m", shade, "-", ".") for k, shade in zip(RUNS.axis("firmness"), SHADES)},
}
DEPTH, SPEED = 0.25, 3  # limits of Figure 5; the speed over that of the ball
LEAST = 1e-3  # radii: less is drawn at the edge
TICKS = [digit * 10 ** power for power in range(-3, 6) for digit in (1, 2, 3, 5)]
summary = functools.lru_cache(maxsize=None)(style.summary)


def solves(results, run):
    return np.sum(style.metrics(results, run)["stages"])


def iterations(results, run):
    data = style.metrics(results, run)
    return np.sum(data["iterations_first"]) + np.sum(data["iterations_later"])


def cpu(results, run):
    return spent_read(os.path.join(results, run)).steps()


def depth(results, run):
    return max(summary(results, run)["depth_before"], LEAST)


def debris(results, run):
    return 100 * summary(results, run)["debris_fraction"]


def good(results, run):
    numbers = summary(results, run)
    return not numbers["unstable"] and numbers["depth_before"] < DEPTH and numbers["speed_max"] < SPEED * numbers["config"]["bodies.ball.velocity"][0]


def curve(method):
    """For ever shorter steps the runs of all samples."""
    steps = RUNS.axis("twice" if method in RUNS.axis("method") else "once")
    return [[f"wall-{method}-{step}-{sample}" for sample in RUNS.axis("sample")] for step in steps]


def panel(ax, results, price, value):
    """Means over the samples, which are dots; hollow: one of them is not good. Steps at which a run was stopped are left out."""
    for method in reversed(LOOKS):
        _, color, line, marker = LOOKS[method]
        steps = [runs for runs in curve(method) if all(summary(results, run)["end"] == "complete" for run in runs)]
        x, y = ([np.mean([measure(results, run) for run in runs]) for runs in steps] for measure in (price, value))
        ax.plot(x, y, line, color=color, linewidth=1.8 if method == "merging" else 0.8, zorder=3 if method == "merging" else 2)
        for a, b, runs in zip(x, y, steps):
            ax.plot([a] * len(runs), [value(results, run) for run in runs], ".", color=color, markersize=1.5)
            face = color if all(good(results, run) for run in runs) else "white"
            ax.plot([a], [b], marker, color=color, markerfacecolor=face, markersize=5 if marker in "x+." else 3.5, zorder=4)
    ax.set_xscale("log")
    style.plain_ticks(ax.xaxis, TICKS)


def sheet(results, prices):
    """A column for each {name of a cost: cost}."""
    single = len(prices) == 1
    figure, axes = panels.sheet(2, len(prices), 4.8, width=COLUMN if single else PAGE, sharex="col", sharey="row", squeeze=False)
    for column, (name, price) in zip(axes.T, prices.items()):
        panel(column[0], results, price, depth)
        column[0].axhline(DEPTH, color=style.GREY, linestyle=":", linewidth=0.8)
        column[0].set(yscale="log", ylim=(LEAST / 1.15, 2))
        style.plain_ticks(column[0].yaxis, (0.001, 0.01, 0.03, 0.1, 0.25, 1))
        panel(column[1], results, price, debris)
        column[1].set_xlabel(name)
        column[0].tick_params(labelbottom=True)
    axes[0][0].set_ylabel("overlap before the first\ncrack through the wall / radius")
    axes[1][0].set_ylabel("debris, % of the wall")
    marks = [plt.Line2D([], [], color=color, linestyle=line, marker=marker, markersize=5 if marker in "x+." else 3.5, linewidth=1.8 if marker == "o" else 0.8)
             for _, color, line, marker in LOOKS.values()]
    figure.legend(marks, [label for label, *_ in LOOKS.values()], loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2 if single else 4, fontsize=panels.SMALLEST)
    return figure


def draw_wall(results, folder):
    figure = sheet(results, {"solves": solves, "iterations": iterations})
    style.save(figure, folder, "ablation-equal-cost-wall")
    figure = sheet(results, {"CPU time, s": cpu})
    style.save(figure, folder, "ablation-equal-cost-wall-times")
