"""Scattered particles, and what became of them with and without control."""

import sys

import numpy as np
import panels
import style
from matplotlib.collections import EllipseCollection

RUNS = style.experiment(__file__)
SHOWN = (("alpha-1", 0, "start"), ("alpha-0", 40, "α = 0"), ("alpha-1", 40, "α = 1"))
CURVES = (("alpha-0", "α = 0", style.ORANGE, "-"), ("alpha-1", "α = 1", style.BLUE, "-"),
          ("soft", "α = 1, softer", style.SKY, "--"), ("hard", "α = 1, harder", style.BLACK, ":"))


def body(axes, results, run, frame, label):
    """As seen from the front, around the center of mass."""
    data = {name: np.array(values) for name, values in style.section(results, run, frame).items() if name in ("u", "v", "depth", "radius")}
    order = np.argsort(data["depth"])
    places = np.column_stack([data["u"] - data["u"].mean(), data["v"] - data["v"].mean()])[order]
    width = 2 * data["radius"][order]
    axes.add_collection(EllipseCollection(width, width, np.zeros(len(width)), units="xy", offsets=places, offset_transform=axes.transData,
                                          array=data["depth"][order], cmap="Blues_r", edgecolors="white", linewidths=0.2))
    axes.set(xlim=(-0.58, 0.58), ylim=(-0.58, 0.58), aspect="equal", xticks=[], yticks=[])
    axes.set_title(label)
    style.frame_only(axes)


def curves(axes, results):
    spacing = 2 * style.setting(results, "still", "bodies.rabbit.radius")
    for name, label, color, line in CURVES:
        data = style.table(f"{results}/{name}.csv")
        young = style.setting(results, name, "materials.rubber.young_modulus") / style.setting(results, "still", "materials.rubber.young_modulus")
        time = np.array(data["time"]) * np.sqrt(young)
        axes.semilogy(time, np.array(data["fitted"]) / spacing, line, color=color, label=label)
    axes.set(xlabel="time × √(E / 2.5 MPa), s", ylabel="distance, spacings", ylim=(None, 300))
    axes.legend(loc="upper right", ncol=2, columnspacing=1)


def main(results, folder):
    figure, axes = panels.sheet(1, 4, 1.9, width_ratios=[1, 1, 1, 1.5])
    for place, shown in zip(axes, SHOWN):
        body(place, results, *shown)
    panels.scale_bar(axes[0], 0.2)
    curves(axes[3], results)
    style.save(figure, folder, "ces-fig03")


if __name__ == "__main__":
    main(*sys.argv[1:])
