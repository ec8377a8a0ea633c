"""Compression and overlap of a jet and of a block on a cloth against CPU time, for three fluids."""

import os

import panels
import style
from claims_liquids import LATE
from timings import spent_read

# prefix of runs -> label, color, mark
LOOKS = {"sph": ("SPH, ever stiffer", style.BLUE, "s"), "dfsph": ("incompressible SPH, ever shorter steps", style.GREEN, "o"),
         "flip": ("FLIP", style.ORANGE, "^")}
SCENES = {"jet": "jet on a cloth (Figure 4)", "block": "block on a cloth (Figure 11)"}
RUNS = style.experiment(__file__)


def compression(results, run):
    data = style.metrics(results, run)
    return data["density_error_mean"][data["time"] > LATE].mean()


def overlap(results, run):
    return style.summary(results, run)["overlap_depth_max"]


def runs_of(scene, fluid):
    """In the order of `runs`."""
    return [run.name for run in RUNS.runs if run.name.startswith(f"liquid-{scene}-{fluid}")]


def panel(ax, results, scene, value):
    for fluid, (label, color, mark) in LOOKS.items():
        runs = runs_of(scene, fluid)
        price = [spent_read(os.path.join(results, run)).steps() for run in runs]
        ax.plot(price, [value(results, run) for run in runs], color=color, marker=mark, ms=4, lw=0.8, label=label)
    ax.set(xscale="log", yscale="log")
    style.plain_ticks(ax.xaxis, (1, 2, 3, 5, 10, 20, 30))


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 3.8, sharex="col", sharey="row")
    for column, (scene, title) in zip(axes.T, SCENES.items()):
        panel(column[0], results, scene, compression)
        panel(column[1], results, scene, overlap)
        column[0].set_title(title)
        column[1].set_xlabel("CPU time, s")
    axes[0, 0].set_ylabel("mean compression")
    axes[1, 0].set_ylabel("largest overlap, radii")
    style.plain_ticks(axes[0, 0].yaxis, (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5))
    style.plain_ticks(axes[1, 0].yaxis, (0.1, 0.2, 0.5, 1, 2))
    axes[0, 1].legend()
    style.save(figure, folder, "ablation-liquids")
