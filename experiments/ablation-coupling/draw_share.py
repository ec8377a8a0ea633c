"""What rim and walls carry over the weight, the deflection of the cloth, and what a jet's energy becomes."""

from fractions import Fraction

import numpy as np
import panels
import style

WAYS = (("average", style.RED, "v"), ("own-members", style.BLUE, "s"), ("sum", style.ORANGE, "^"), ("sequential", style.GREEN, "o"))
RUNS = style.experiment(__file__)
STEP = RUNS.axis("step")[-1]  # the shorter
WINDOW = 0.1  # s, over which impulses are averaged
FLOOR = 1e-4  # of the gain, where the axis begins


def averaged(data, column):
    """Mean rate of an impulse over windows of time."""
    number = np.floor(data["time"] / WINDOW * (1 - 1e-12)).astype(int)
    return np.bincount(number, weights=data[column]) / np.bincount(number, weights=data["dt"])


def draw_tank(axes, results, run, **line):
    data = style.metrics(results, run)
    carried = averaged(data, "support_impulse_z") / -averaged(data, "gravity_impulse_z")
    axes[0].plot(WINDOW * (np.arange(len(carried)) + 0.5), carried, **line)
    axes[1].plot(data["time"], 1e3 * data["deflection"], **line)


def mass_ratio(results, run):
    """Of a particle of the fluid over one of the cloth, "1/64"."""
    fluid, cloth = (particle_mass(style.summary(results, run)["config"], body) for body in ("fluid", "cloth"))
    return str(Fraction(fluid / cloth).limit_denominator(1000))


def particle_mass(config, body):
    given = config.get(f"bodies.{body}.particle_mass")
    return given or config[f"bodies.{body}.density"] * (2 * config[f"bodies.{body}.radius"]) ** 3


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.5)
    draw_tank(axes, results, f"penalty-{STEP}", color=style.GREY, label="penalty")
    for way, color, mark in WAYS:
        for alpha, dashes in zip(RUNS.axis("alpha"), ("-", "--")):
            draw_tank(axes, results, f"{way}-a{alpha}-{STEP}", color=color, linestyle=dashes, marker=mark, markersize=3, markevery=0.15,
                      label=f"{way}, α = {alpha}")
        gain = [style.summary(results, run)["energy_gain"] for run in RUNS.sweep("jet-{way}-{ratio}", way=way)]
        axes[2].plot(range(len(gain)), np.maximum(gain, FLOOR), f"{mark}-", markersize=4, color=color, label=way)
    axes[0].set_ylim(0.9, 1.2)
    axes[0].axhline(1, color=style.GREY, linewidth=0.6)
    axes[0].set_xlabel("time, s")
    axes[0].set_ylabel("force on rim and walls / weight")
    axes[1].set_xlabel("time, s")
    axes[1].set_ylabel("deflection of the cloth, mm")
    axes[1].set_ylim(0, None)
    axes[2].set_yscale("log")
    ratios = [mass_ratio(results, run) for run in RUNS.sweep("jet-{way}-{ratio}", way=WAYS[0][0])]
    axes[2].set_xticks(range(len(ratios)), ratios)
    axes[2].tick_params(axis="x", labelsize=panels.SMALLEST)
    axes[2].set_xlabel("particle mass, fluid / cloth")
    axes[2].set_ylabel(f"energy gain / impact energy\n(none: at {FLOOR:g})")
    figure.legend(*axes[1].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-synchronization")
