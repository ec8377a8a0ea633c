"""Overlap at the wall over time and for each seed; overlap of fluid and cloth; the solver's work, for each rule."""

import sys

import numpy as np
import panels
import style
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

# (label, color, mark, hatching)
RULES = {"split": ("split", style.RED, "o", ""), "integrated": ("integrated", style.BLUE, "s", "///"), "either": ("either", style.GREEN, "^", "...")}
RUNS = style.experiment(__file__)
WALL_SEEDS, FLUID_SEEDS = RUNS.axis("seed"), RUNS.axis("place")
WALL = {"2 stages": "wall-{}-2-seed-{}", "4 stages": "wall-{}-4-seed-{}"}
FLUID = {"8 to 64,\n2 stages": "fluid-{}-2-seed-{}", "8 to 64,\n4 stages": "fluid-{}-4-seed-{}", "no limit,\n2 stages": "unlimited-{}-seed-{}"}
WORK = (("wall", "wall-{}-2-seed-{}", "wall-{}-4-seed-{}", WALL_SEEDS), ("fluid", "fluid-{}-2-seed-{}", "fluid-{}-4-seed-{}", FLUID_SEEDS))


def curves(ax, results):
    for rule, (label, color, mark, _) in RULES.items():
        for seed in WALL_SEEDS:
            data = style.metrics(results, f"wall-{rule}-2-seed-{seed}")
            ax.plot(1e3 * data["time"], data["overlap_depth"], color=color, linewidth=0.9, marker=mark, markersize=3, markevery=0.2)
    ax.set_xlim(0, 3)
    ax.set_ylim(0, None)
    ax.set_xlabel("time, ms")
    ax.set_ylabel("wall, 2 stages: overlap, radii")


def dots(ax, places, seeds, value):
    """A column of dots, one per seed, for each place and rule."""
    for x, pattern in enumerate(places.values()):
        for offset, (rule, (_, color, marker, _)) in zip((-0.2, 0, 0.2), RULES.items()):
            values = [value(pattern.format(rule, seed)) for seed in seeds]
            ax.plot([x + offset] * len(values), values, marker, color=color, markersize=4.5, fillstyle="none", linestyle="none")
    ax.set_xticks(range(len(places)), places)
    ax.set_xlim(-0.5, len(places) - 0.5)
    ax.set_ylim(0, None)


def work(ax, results):
    """Iterations in a run over those by split velocities in two stages, means over seeds."""
    def iterations(pattern, rule, seeds):
        rows = [style.metrics(results, pattern.format(rule, seed)) for seed in seeds]
        return np.mean([(data["iterations_first"] + data["iterations_later"]).sum() for data in rows])

    names = []
    for name, two, four, seeds in WORK:
        base = iterations(two, "split", seeds)
        for stages, pattern in (("2", two), ("4", four)):
            for offset, (rule, (_, color, _, hatch)) in zip((-0.25, 0, 0.25), RULES.items()):
                ax.bar(len(names) + offset, iterations(pattern, rule, seeds) / base, width=0.22, color=color, hatch=hatch, edgecolor="white", linewidth=0)
            names.append(f"{name},\n{stages} stages")
    ax.axhline(1, color=style.GREY, linewidth=0.6, zorder=0)
    ax.set_xticks(range(len(names)), names)
    ax.tick_params(axis="x", length=0)
    ax.set_ylabel("iterations, relative")


def legend(ax):
    """What the marks and bars of all panels stand for, in a panel of its own."""
    ax.axis("off")
    marks = [Line2D([], [], color=color, marker=mark, linewidth=0.9, markersize=4) for _, color, mark, _ in RULES.values()]
    bars = [Patch(facecolor=color, hatch=hatch, edgecolor="white", linewidth=0) for _, color, _, hatch in RULES.values()]
    ax.legend(list(zip(marks, bars)), [label for label, *_ in RULES.values()], handler_map={tuple: HandlerTuple(None)}, handlelength=5, loc="center",
              title="late pairs by velocities", title_fontsize=7)


def main(results, folder):
    figure, axes = panels.sheet(2, 3, 4.4)
    axes = axes.flat
    curves(axes[0], results)
    dots(axes[1], WALL, WALL_SEEDS, lambda run: style.summary(results, run)["overlap_depth_max"])
    axes[1].set_ylabel("wall: deepest overlap, radii")
    dots(axes[2], FLUID, FLUID_SEEDS, lambda run: 2 * style.metrics(results, run)["overlap_mean"].mean())
    axes[2].set_ylabel("fluid: mean overlap, radii")
    dots(axes[3], FLUID, FLUID_SEEDS, lambda run: style.summary(results, run)["penetrated_max"])
    axes[3].set_ylabel("fluid: particles through")
    axes[3].set_ylim(-0.5, None)
    axes[3].yaxis.get_major_locator().set_params(integer=True)
    work(axes[4], results)
    legend(axes[5])
    style.save(figure, folder, "ablation-late")


if __name__ == "__main__":
    main(*sys.argv[1:])
