"""What rim and walls carry over the weight, how deep the cloth hangs, and what the tank looks like."""

import sys

import numpy as np
import style
from style import plt

RUNS = [("penalty", "penalty", style.YELLOW, "-")] + [
    (f"{joining}-a{alpha}", f"{label}, α = {alpha}", color, line)
    for joining, label, color in (("average", "average (Eq. 17)", style.RED), ("sum", "sum", style.GREEN))
    for alpha, line in ((1, "-"), (0, "--"))]
STEPS = ("5e-4", "2.5e-4")
WINDOW = 0.1  # s, over which impulses are averaged


def averaged(data, column):
    """Mean rate of an impulse over windows of time, and the middles of these."""
    number = np.floor(data["time"] / WINDOW * (1 - 1e-12)).astype(int)
    return np.bincount(number, weights=data[column]) / np.bincount(number, weights=data["dt"])


def main(results, folder):
    figure = plt.figure(figsize=(9.5, 2.7), constrained_layout=True)
    axes = figure.subplots(1, 3, gridspec_kw={"width_ratios": [2, 2, 1.3]})
    for run, label, color, line in RUNS:
        data = style.metrics(results, f"{run}-{STEPS[1]}")
        carried = averaged(data, "support_impulse_z") / -averaged(data, "gravity_impulse_z")
        axes[0].plot(WINDOW * (np.arange(len(carried)) + 0.5), carried, line, color=color, label=label)
        axes[1].plot(data["time"], 1e3 * data["sag"], line, color=color, label=label)
    axes[0].set_ylim(0.9, 1.2)
    axes[0].axhline(1, color=style.GREY, linewidth=0.6)
    axes[0].set_xlabel("time, s")
    axes[0].set_ylabel("carried by rim and walls / weight")
    axes[1].set_xlabel("time, s")
    axes[1].set_ylabel("largest sag of the cloth, mm")
    axes[1].set_ylim(0, None)
    axes[1].legend(loc="lower right", ncol=2)
    style.draw_section(axes[2], style.section(results, f"sum-a1-{STEPS[1]}", 25), (-0.13, 0.13, -0.04, 0.22))
    axes[2].set_title("sum, α = 1, at the end")
    style.save(figure, folder, "ablation-joining")


if __name__ == "__main__":
    main(*sys.argv[1:])
