"""Work and precision: what methods achieve in the scene of Figure 5 against solves, iterations of the solver and CPU time."""

import functools
import os

import numpy as np
import panels
import style
from sizes import COLUMN, PAGE
from timings import spent_read

RUNS = style.experiment(__file__)
# Four methods in front -> (label, color, line, marker), among them the penalty that passes with the fewest solves; all others are grey.
FRONT = {
    "penalty-7e6": ("penalty, tuned", style.ORANGE, "--", "s"),
    "implicit-1e8": ("penalty, implicit", style.RED, "-", "v"),
    "swept": ("sliding, swept", style.BLACK, "-", "x"),
    "merging": ("merging-and-splitting", style.GREEN, "-", "o"),
}
BEHIND = ("sliding", "implicit-1e7", "barrier-1e4", "barrier-1e6", "impulse", "iterated", *(f"penalty-{k}" for k in RUNS.axis("firmness") if k != "7e6"))
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
    """Means over the samples, of the methods in front with all samples as dots; hollow: one of them is not good. Steps at which a run was
    stopped are left out. Returns the ends of the lines in front."""
    ends = {}
    for method in (*BEHIND, *FRONT):
        label, color, line, marker = FRONT.get(method, (None, style.PALE, "-", "."))
        steps = [runs for runs in curve(method) if all(summary(results, run)["end"] == "complete" for run in runs)]
        x, y = ([np.mean([measure(results, run) for run in runs]) for runs in steps] for measure in (price, value))
        ax.plot(x, y, line, color=color, linewidth=2 if method == "merging" else 1.1 if label else 0.7, zorder=3 if label else 1)
        for a, b, runs in zip(x, y, steps):
            if label:
                ax.plot([a] * len(runs), [value(results, run) for run in runs], ".", color=color, markersize=1.5, zorder=3)
            face = color if all(good(results, run) for run in runs) else "white"
            ax.plot([a], [b], marker, color=color, markerfacecolor=face, markersize=4.5 if marker in "x." else 3.5, zorder=4 if label else 1)
        if label:
            ends[label] = (x[-1], y[-1], color)
    ax.set_xscale("log")
    style.plain_ticks(ax.xaxis, TICKS)
    return ends


def sheet(results, prices):
    """A column for each {name of a cost: cost}."""
    single = len(prices) == 1
    figure, axes = panels.sheet(2, len(prices), 4.8, width=COLUMN if single else PAGE, sharex="col", squeeze=False)
    for column, (name, price) in zip(axes.T, prices.items()):
        ends = [panel(ax, results, price, value) for ax, value in zip(column, (depth, debris))]
        column[0].axhline(DEPTH, color=style.GREY, linestyle=":", linewidth=0.8)
        column[0].set(yscale="log", ylim=(LEAST / 1.15, 2), ylabel="overlap before the first\ncrack through the wall / radius")
        style.plain_ticks(column[0].yaxis, (0.001, 0.01, 0.03, 0.1, 0.25, 1))
        column[1].set(xlabel=name, ylabel="debris, % of the wall")
        for ax, names in zip(column, ends):
            panels.end_labels(ax, names)
        column[0].tick_params(labelbottom=True)
    return figure


def draw_wall(results, folder):
    figure = sheet(results, {"solves": solves, "iterations": iterations})
    style.save(figure, folder, "ablation-equal-cost-wall")
    figure = sheet(results, {"CPU time, s": cpu})
    style.save(figure, folder, "ablation-equal-cost-wall-times")
