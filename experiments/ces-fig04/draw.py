"""Particles of twisted bars by their speed."""

import sys

import numpy as np
import panels
import style
from matplotlib.collections import EllipseCollection
from matplotlib.colors import LogNorm

RUNS = style.experiment(__file__)
FRAME = 18
SPEEDS = LogNorm(0.01, 10)


def bar(axes, results, run, label):
    data = {name: np.array(values) for name, values in style.section(results, run, FRAME).items() if name != "body"}
    order = np.argsort(data["depth"])
    width = 2 * data["radius"][order]
    drawn = EllipseCollection(width, width, np.zeros(len(width)), units="xy", offsets=np.column_stack([data["u"], data["v"]])[order],
                              offset_transform=axes.transData, array=data["speed"][order], norm=SPEEDS, cmap="viridis", linewidths=0)
    axes.add_collection(drawn)
    axes.set(xlim=(-1, 1), ylim=(-0.3, 0.3), aspect="equal", xticks=[], yticks=[])
    instant = min(FRAME * style.setting(results, run, "time.frame_interval"), style.setting(results, run, "time.end"))
    axes.set_title(f"{label}, {instant:g} s")
    style.frame_only(axes)
    return drawn


def main(results, folder):
    shown = [(f"implicit-{weight}", f"implicit, α = {weight}") for weight in RUNS.axis("weight")]
    shown += [(f"explicit-{push}", f"explicit, α' = {push}") for push in RUNS.axis("push")]
    figure, axes = panels.sheet(3, 3, 3.0)
    for place, (run, label) in zip(axes.flat, shown):
        drawn = bar(place, results, run, label)
    for place in axes.flat[len(shown):]:
        place.set_axis_off()
    figure.colorbar(drawn, ax=axes[-1, 1:], orientation="horizontal", fraction=0.3, aspect=30, label="speed, m/s")
    panels.scale_bar(axes.flat[0], 0.2)
    style.save(figure, folder, "ces-fig04")


if __name__ == "__main__":
    main(*sys.argv[1:])
