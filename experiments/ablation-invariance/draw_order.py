"""Deflection and shape of the cloth over time for each order of merging; single velocities."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
ASIDE, SEEDS = RUNS.axis("aside"), RUNS.axis("seed")
ORDERS = {"order-index": ("by index", style.BLUE, "-"),
          **{f"order-shuffled-{s}": ("shuffled, four seeds" if s == SEEDS[0] else None, style.GREEN, ":") for s in SEEDS}}
GROUPS = {"random-2": "2, random", "random-3": "3, random", "random-8": "8, random", "random-32": "32, random",
          "layers-4": "two layers of 4", "layers-16": "two layers of 16"}


def dent(ax, results):
    for run, (label, color, line) in ORDERS.items():
        data = style.metrics(results, run)
        ax.plot(data["time"], 1e3 * data["deflection"], color=color, linestyle=line, label=label)
    ax.set_ylabel("deflection, mm")
    ax.set_xlabel("time, s")
    ax.set_xlim(0, 0.3)
    panels.legend_below(ax)


def shapes(ax, results):
    for run, (label, color, line) in ORDERS.items():
        if run == "order-index":
            continue
        data = style.table(f"{results}/shape-{run}.csv")
        ax.plot(data["time"], 1e3 * np.array(data["rms"]), color=color, linestyle=line, label=label)
    for place in ASIDE:
        data = style.table(f"{results}/shape-order-aside-{place}.csv")
        ax.plot(data["time"], 1e3 * np.array(data["rms"]), color=style.PURPLE, linewidth=0.8, linestyle="-.",
                label="ball moved by 1 µm" if place == ASIDE[0] else None)
    ax.plot(data["time"], 1e3 * np.array(data["moved_a"]), color=style.GREY, label="displacement")
    ax.set_yscale("symlog", linthresh=1)
    style.plain_ticks(ax.yaxis, (0, 0.5, 1, 10, 100))
    ax.set_ylim(0, 1000)
    ax.set_ylabel("distance of shapes, rms, mm")
    ax.set_xlabel("time, s")
    ax.margins(x=0)
    panels.legend_below(ax)


def velocities(ax, results):
    values = style.measured(results)
    rows = range(len(GROUPS), 0, -1)
    ax.barh(list(rows), [values[f"M06.{name}"] for name in GROUPS], color=style.SKY, height=0.6)
    ax.set_yticks(list(rows), GROUPS.values())
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("velocities of two orders:\ndifference / spread, rms")


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.4)
    for draw, ax in zip((dent, shapes, velocities), axes):
        draw(ax, results)
    style.save(figure, folder, "ablation-order")
