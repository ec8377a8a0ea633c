"""Merging-and-splitting and position-based in the scenes of Figures 3, 5 and 7: work and precision; steps and iterations; a table of questions and methods."""

import functools
import os
import sys

import numpy as np
import panels
import style
from draw_map import draw_map
from draw_table import draw_table
from style import plt
from timings import spent_read

RUNS = style.experiment(__file__)
SCENES = {"low": "Figure 3, from 0.2 m", "high": "Figure 3, from 10 m", "heavy": "Figure 7, heavy ball", "wall": "Figure 5, brittle wall"}
# method -> (label, color, line, marker); five in front, the others behind them in grey; the table has all
FRONT = {
    "merging": ("merging-and-splitting", style.GREEN, "-", "o"),
    "sliding": ("sliding meta-particles, swept", style.BLACK, "-", "x"),
    "implicit": ("penalty, implicit", style.RED, "-", "v"),
    "published": ("position-based as published, more iterations", style.ORANGE, "-", "s"),
    "material-steps": ("position-based, the scene's material, shorter steps", style.BLUE, "-", "D"),
}
BEHIND = {
    "penalty": ("penalty, tuned", style.PALE, "-", "."),
    "published-steps": ("position-based as published, shorter steps", style.PALE, "--", "s"),
    "material": ("... the scene's material, more iterations", style.PALE, ":", "D"),
}
LOOKS = {**BEHIND, **FRONT}


def look(method):
    """Of the curve of a method."""
    _, color, line, marker = LOOKS[method]
    width = 2 if method == "merging" else 1.1 if method in FRONT else 0.7
    return {"color": color, "linestyle": line, "marker": marker, "markersize": 4.5 if marker in "x+." else 3.5 if method in FRONT else 3, "linewidth": width}


ERRORS, DEPTHS = (0.005, 2), (1e-3, 1.5)  # what is beyond is drawn at the edge
TICKS = [digit * 10 ** power for power in range(-2, 6) for digit in ((1, 2, 5) if power < 1 else (1,))]  # of costs
summary = functools.lru_cache(maxsize=None)(style.summary)


@functools.lru_cache(maxsize=None)
def sweeps(results, run):
    """Products with the matrix of implicit steps, or corrections of all constraints; explicit contact forces need as many as the bodies that they act on."""
    data = style.metrics(results, run)
    return np.sum(data["iterations_first"]) + np.sum(data["iterations_later"])


def cpu(results, run):
    return spent_read(os.path.join(results, run)).steps()


@functools.lru_cache(maxsize=None)
def shape_error(results, run):
    """The largest rms distance of the cloth from that of the reference until the latter is deepest, over the rms displacement it has then."""
    data = style.table(os.path.join(results, f"shape-{run}.csv"))
    apart, moved = np.array(data["rms"]), np.array(data["moved_b"])
    deepest = np.argmax(moved)
    return apart[:deepest + 1].max() / moved[deepest]


def precision(results, run):
    """What a method is wrong by; of a wall, for which there is no reference, the thousands of bonds that break."""
    return style.metrics(results, run)["broken_bonds"][-1] / 1000 if run.startswith("wall-") else np.clip(shape_error(results, run), *ERRORS)


def depth(results, run):
    return np.clip(summary(results, run)["depth_before" if run.startswith("wall-") else "overlap_depth_max"], *DEPTHS)


def good(results, run):
    numbers = summary(results, run)
    return not numbers["penetrated_max"] and not numbers["unstable"] and not numbers["interlocked_max"]


def curve(scene, method):
    """A list of samples for each setting, from the cheapest on."""
    wall = scene == "wall"
    kind, _, steps = method.partition("-")
    by_steps = RUNS.axis("brief" if wall else "short")
    by_iterations = RUNS.axis("rounds" if wall else "count")
    of_others = RUNS.axis("fine" if wall else "step")
    settings = [by_iterations[0], *by_steps] if steps else by_iterations if kind in ("published", "material") else of_others
    names = [[f"{scene}-{kind}-{setting}-{sample}" for sample in RUNS.axis("shot" if wall else "sample")] for setting in settings]
    there = {run.name for run in RUNS.runs}
    return [found for found in ([run for run in of_setting if run in there] for of_setting in names) if found]


def panel(ax, results, scene, price, value):
    """Means over samples, with bars from the least to the largest; hollow: in one of them a particle got through or into another, or the run is unstable."""
    for method, (_, color, _, marker) in LOOKS.items():
        settings = [runs for runs in curve(scene, method) if all(summary(results, run)["end"] == "complete" for run in runs)]
        if not settings:
            continue
        front = method in FRONT
        x = [np.mean([price(results, run) for run in runs]) for runs in settings]
        found = [[value(results, run) for run in runs] for runs in settings]
        y = [np.mean(values) for values in found]
        if front:
            bars = [[a - min(values) for a, values in zip(y, found)], [max(values) - a for a, values in zip(y, found)]]
            ax.errorbar(x, y, bars, fmt="none", ecolor=color, elinewidth=0.8, capsize=1.5, zorder=3)
        ax.plot(x, y, **look(method), zorder=3 if front else 2)
        bad = [(a, b) for a, b, runs in zip(x, y, settings) if not all(good(results, run) for run in runs)]
        ax.plot(*zip(*bad, (np.nan, np.nan)), **{**look(method), "linestyle": ""}, markerfacecolor="white", zorder=3 if front else 2)
    ax.set_xscale("log")
    style.plain_ticks(ax.xaxis, TICKS)


def legend(figure):
    """The methods in front beside those behind them."""
    bad = plt.Line2D([], [], color=style.GREY, marker="o", markersize=3.5, markerfacecolor="white", linestyle="")
    gap = plt.Line2D([], [], linestyle="")
    marks = {method: plt.Line2D([], [], **look(method)) for method in LOOKS}
    figure.legend([*(marks[method] for method in FRONT), bad, gap, *(marks[method] for method in BEHIND)],
                  [*(label for label, *_ in FRONT.values()), "penetration, or unstable", "", *(label for label, *_ in BEHIND.values())],
                  loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2, fontsize=panels.SMALLEST)


def sheet(results, price, price_name):
    figure, axes = panels.sheet(2, len(SCENES), 4.3)
    for column, (scene, name) in zip(axes.T, SCENES.items()):
        for ax, value, limits in zip(column, (precision, depth), (ERRORS, DEPTHS)):
            panel(ax, results, scene, price, value)
            if scene != "wall" or value is depth:
                ax.set(yscale="log", ylim=(limits[0] / 1.15, 1.15 * limits[1]))
                style.plain_ticks(ax.yaxis, (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2))
            if scene not in ("low", "wall") or (scene == "wall" and value is depth):
                ax.tick_params(labelleft=False)
            ax.set_xlabel(price_name)
        column[0].set_title(name)
    axes[0][0].set_ylabel("error of the shape of\nthe cloth / motion")
    axes[1][0].set_ylabel("largest overlap, radii")
    axes[0][-1].set_ylabel("broken bonds, thousands")
    legend(figure)
    return figure


def main(results, folder):
    figure = sheet(results, sweeps, "sweeps")
    style.save(figure, folder, "upp-against")
    figure = sheet(results, cpu, "CPU time, s")
    style.save(figure, folder, "upp-against-times")


if __name__ == "__main__":
    main(*sys.argv[1:])
    draw_map(*sys.argv[1:])
    draw_table(*sys.argv[1:])
