"""What rim and walls carry over the weight, the deflection of the cloth, and what a jet's energy becomes."""

from fractions import Fraction

import numpy as np
import panels
import style

WAYS = (("average", style.RED, "v"), ("own-members", style.BLUE, "s"), ("sum", style.ORANGE, "^"), ("sequential", style.GREEN, "o"))
RUNS = style.experiment(__file__)
STEP = RUNS.axis("step")[-1]  # the shorter
WINDOW = 0.1  # s, over which impulses are averaged
START, END = 1, 2.5  # s; before, the water swings in all of them
FLOOR = 1e-4  # of the gain, where the axis begins


def averaged(data, column):
    """Mean rate of an impulse over windows of time."""
    number = np.floor(data["time"] / WINDOW * (1 - 1e-12)).astype(int)
    return np.bincount(number, weights=data[column]) / np.bincount(number, weights=data["dt"])


def draw_tank(axes, results, run, **line):
    """Returns where its two curves end."""
    data = style.metrics(results, run)
    carried = averaged(data, "support_impulse_z") / -averaged(data, "gravity_impulse_z")
    curves = (WINDOW * (np.arange(len(carried)) + 0.5), carried), (data["time"], 1e3 * data["deflection"])
    for ax, (time, values) in zip(axes, curves):
        ax.plot(time, values, linewidth=1, **line)
    return [(time[-1], values[-1]) for time, values in curves]


def mass_ratio(results, run):
    """Of a particle of the fluid over one of the cloth, "1/64"."""
    fluid, cloth = (particle_mass(style.summary(results, run)["config"], body) for body in ("fluid", "cloth"))
    return str(Fraction(fluid / cloth).limit_denominator(1000))


def particle_mass(config, body):
    given = config.get(f"bodies.{body}.particle_mass")
    return given or config[f"bodies.{body}.density"] * (2 * config[f"bodies.{body}.radius"]) ** 3


def tank(axes, results):
    """Each way with α = 1 (solid) and 0 (dashed). Only averages are named: what the others do is the same."""
    ends = {"penalty": (style.GREY, draw_tank(axes, results, f"penalty-{STEP}", color=style.GREY, zorder=1.5))}
    for way, color, _ in WAYS[::-1]:
        for alpha, dashes in zip(RUNS.axis("alpha"), ("-", "--")):
            name = f"average, α = {alpha}" if way == "average" else "the others"
            ends[name] = (color if way == "average" else style.BLACK, draw_tank(axes, results, f"{way}-a{alpha}-{STEP}", color=color, linestyle=dashes))
    axes[0].axhline(1, color=style.GREY, linewidth=0.6)
    axes[0].set(ylabel="force on rim and walls / weight", ylim=(0.9, 1.15))
    axes[1].set(ylabel="deflection of the cloth, mm", ylim=(13, 20))
    for ax in axes:
        ax.set(xlabel="time, s", xlim=(START, END), xticks=np.arange(START, END + 0.1, 0.5))
    for k, ax in enumerate(axes):
        panels.end_labels(ax, {name: (*places[k], color) for name, (color, places) in ends.items()})


def jets(ax, results):
    ends = {}
    for way, color, mark in WAYS:
        gain = np.maximum([style.summary(results, run)["energy_gain"] for run in RUNS.sweep("jet-{way}-{ratio}", way=way)], FLOOR)
        ax.plot(range(len(gain)), gain, f"{mark}-", markersize=4, color=color)
        ends[way] = (len(gain) - 1, gain[-1], color)
    ax.set_yscale("log")
    ratios = [mass_ratio(results, run) for run in RUNS.sweep("jet-{way}-{ratio}", way=WAYS[0][0])]
    ax.set_xticks(range(len(ratios)), ratios)
    ax.set(xlabel="particle mass, fluid / cloth", ylabel=f"energy gain / impact energy\n(none: at {FLOOR:g})")
    panels.end_labels(ax, ends)


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.3)
    tank(axes[:2], results)
    jets(axes[2], results)
    style.save(figure, folder, "ablation-synchronization")
