"""Errors of the properties, on one scale; grazing collisions missed; columns of loose particles sinking."""

import sys

import numpy as np
import panels
import style

# name -> (label, limit of the claim)
ERRORS = {
    "M01.momentum": ("merging: momentum", 1e-12), "M01.energy": ("merging: energy", 1e-12),
    "M02.momentum": ("splitting: momentum", 1e-12), "M02.energy": ("splitting: energy", 1e-12),
    "M02.held.energy": ("... of groups held fixed", 1e-12), "M03.approach": ("splitting: approach", 1e-13),
    "M04.place": ("no real root: velocity", 1e-9), "M04.along": ("no real root: Eq. 15", 1e-12),
    "M07.momentum": ("two integrators: momentum", 1e-12), "M07.energy": ("two integrators: energy", 1e-12),
    "FREE.momentum": ("free cluster: momentum", 1e-12), "FREE.energy_imbalance": ("free cluster: ledger", 1e-9),
}
OFFSETS = ("0.4", "0.8", "1.2", "1.7", "1.99")
COLUMNS = {2: (style.BLUE, "o"), 3: (style.SKY, "s"), 4: (style.ORANGE, "^"), 5: (style.RED, "D")}


def errors(ax, values):
    rows = range(len(ERRORS), 0, -1)
    for y, (name, (_, limit)) in zip(rows, ERRORS.items()):
        ax.plot([values[name]] * 2, [y] * 2, "o", color=style.GREEN, markersize=4)
        ax.plot([limit] * 2, [y - 0.35, y + 0.35], color=style.RED)
    ax.set_yticks(list(rows), [label for label, _ in ERRORS.values()])
    ax.tick_params(axis="y", length=0)
    ax.set_xscale("log")
    ax.set_xlim(1e-17, 1e-8)
    ax.set_xticks([1e-16, 1e-14, 1e-12, 1e-10])
    ax.set_xlabel("largest relative error")


def grazing(ax, values):
    x = np.linspace(0, 2, 200)
    ax.plot(x, 1 - np.sqrt(1 - (x / 2) ** 2), color=style.GREY, label="closed form")
    ax.plot([0, *map(float, OFFSETS)], [values["M08.head-on"], *(values[f"M08.grazing-{x}"] for x in OFFSETS)],
            "o", color=style.BLUE, markersize=4, label="beams of 500")
    ax.set_xlabel("impact parameter, radii")
    ax.set_ylabel("fraction missed")
    ax.legend()


def columns(ax, values):
    for n, (color, mark) in COLUMNS.items():
        stages = range(1, 7)
        sunk = [1e4 * values[f"M36.column-{n}.stages-{s}"] for s in stages]
        # a little aside of each other, so that all are seen
        ax.plot([s + 0.06 * (n - 3.5) for s in stages], sunk, f"{mark}-", color=color, markersize=3.5,
                label=str(n))
    ax.set_xlabel("stages")
    ax.set_ylabel("sinking, 0.0001 radii / step")
    panels.legend_below(ax, ncol=4, columnspacing=1, title="particles on a fixed one")


def main(results, folder):
    values = style.measured(results)
    figure, axes = panels.sheet(1, 3, 2.6)
    for draw, ax in zip((errors, grazing, columns), axes):
        draw(ax, values)
    style.save(figure, folder, "unit-properties")


if __name__ == "__main__":
    main(*sys.argv[1:])
