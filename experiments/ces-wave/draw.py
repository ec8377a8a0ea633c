"""The length of a bar through which waves run, against time."""

import sys

import numpy as np
import style
from style import plt

RUNS = style.experiment(__file__)
LABELS = {"uniform": ("volumes of lattice cells", style.BLUE), "kernel": ("volumes by the kernel", style.ORANGE)}


def main(results, folder):
    figure, axes = plt.subplots(figsize=(5.0, 3.0), constrained_layout=True)
    for run in RUNS.axis("volumes"):
        label, color = LABELS[run]
        data = style.body(results, run, "bar")
        length = data["max_x"] - data["min_x"]
        axes.plot(1e3 * data["time"], 1e3 * (length - length[0]), color=color, label=label)
    size, density = (style.setting(results, "uniform", f"bodies.bar.{key}") for key in ("shape.box.size", "density"))
    young = style.setting(results, "uniform", "materials.rubber.young_modulus")
    axes.axvline(1e3 * size[0] * np.sqrt(density / young), color=style.BLACK, lw=0.8, ls=":", label="theory")
    axes.axhline(0, color=style.BLACK, lw=0.5)
    axes.set(xlabel="time in ms", ylabel="longer by, in mm")
    axes.legend()
    style.save(figure, folder, "ces-wave")


if __name__ == "__main__":
    main(*sys.argv[1:])
