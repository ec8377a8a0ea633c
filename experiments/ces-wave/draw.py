"""The length of a bar through which waves run, against time."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LOOKS = {"uniform": ("volumes of lattice cells", style.BLUE, "-"), "kernel": ("volumes by the kernel", style.ORANGE, "--")}


def main(results, folder):
    figure, axes = panels.sheet(1, 1, 2.3, panels.COLUMN)
    for run in RUNS.axis("volumes"):
        label, color, line = LOOKS[run]
        data = style.body(results, run, "bar")
        length = data["max_x"] - data["min_x"]
        axes.plot(1e3 * data["time"], 1e3 * (length - length[0]), color=color, ls=line, label=label)
    size, density = (style.setting(results, "uniform", f"bodies.bar.{key}") for key in ("shape.box.size", "density"))
    young = style.setting(results, "uniform", "materials.rubber.young_modulus")
    axes.axvline(1e3 * size[0] * np.sqrt(density / young), color=style.BLACK, lw=0.8, ls=":", label="half a period, by theory")
    axes.axhline(0, color=style.BLACK, lw=0.5)
    axes.set(xlabel="time, ms", ylabel="longer by, mm")
    axes.legend()
    style.save(figure, folder, "ces-wave")


if __name__ == "__main__":
    main(*sys.argv[1:])
