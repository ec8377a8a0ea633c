"""Twisted bars as lit surfaces, colored by speed."""

import os
import sys

import numpy as np
import panels
import style
from matplotlib.collections import PolyCollection
from matplotlib.colors import LogNorm
from mergesplit.frames import Frame

RUNS = style.experiment(__file__)
FRAME = 18
SPEEDS = LogNorm(0.01, 10)
LIGHT = np.array([-0.35, 0.65, 0.67])  # to the right, up, to the eye
WINDOW = (-0.97, 0.97, -0.26, 0.26)


def faces(results, run):
    """The squares between neighbors on the surface of the bar's lattice at the start: particles by index (n, 4), counterclockwise from
    outside."""
    place = Frame(os.path.join(results, run, "initial.hdf"))["position"]
    cells = np.rint((place - place.min(axis=0)) / (2 * style.setting(results, run, "bodies.bar.radius"))).astype(int)
    index = np.empty(cells.max(axis=0) + 1, dtype=int)
    index[tuple(cells.T)] = np.arange(len(place))
    found = []
    for axis in range(3):
        for end in (0, -1):
            side = np.take(index, end, axis=axis)
            corners = [side[:-1, :-1], side[1:, :-1], side[1:, 1:], side[:-1, 1:]]
            outwards = (end == -1) == (axis != 1)  # y is what x and z turn against
            found.append(np.stack([corner.ravel() for corner in (corners if outwards else corners[::-1])], axis=1))
    return np.concatenate(found)


def bar(axes, results, run, label):
    data = style.section(results, run, FRAME)
    order = np.argsort(data["id"])
    place = np.stack([np.array(data["u"]), np.array(data["v"]), -np.array(data["depth"])], axis=1)[order]
    corner = place[faces(results, run)]
    normal = np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 1])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    speed = np.array(data["speed"])[order][faces(results, run)].mean(axis=1)
    light = 0.6 + 0.4 * np.clip(normal @ LIGHT, 0, 1)
    color = style.plt.get_cmap("viridis")(SPEEDS(np.maximum(speed, SPEEDS.vmin)))
    color[:, :3] *= light[:, None]
    front = np.argsort(corner[:, :, 2].mean(axis=1), kind="stable")
    axes.add_collection(PolyCollection(corner[front][:, :, :2], facecolors="none", edgecolors="black", linewidths=1.6))
    axes.add_collection(PolyCollection(corner[front][:, :, :2], facecolors=color[front], edgecolors=color[front], linewidths=0.3))
    axes.set(xlim=WINDOW[:2], ylim=WINDOW[2:], aspect="equal")
    instant = min(FRAME * style.setting(results, run, "time.frame_interval"), style.setting(results, run, "time.end"))
    axes.set_title(f"{label}, after {instant:g} s")
    style.frame_only(axes)


def main(results, folder):
    shown = [(f"implicit-{weight}", f"implicit, α = {weight}") for weight in RUNS.axis("weight")]
    shown += [(f"explicit-{push}", f"explicit, α' = {push}") for push in RUNS.axis("push")]
    figure, axes = panels.sheet(4, 2, 5.2)
    for place, (run, label) in zip(axes.flat, shown):
        bar(place, results, run, label)
    axes[-1, -1].set_axis_off()
    scale = style.matplotlib.cm.ScalarMappable(SPEEDS, "viridis")
    figure.colorbar(scale, ax=axes[-1, -1], orientation="horizontal", fraction=0.5, shrink=0.8, aspect=25, label="speed, m/s")
    panels.scale_bar(axes.flat[0], 0.2, (0.04, 0.09))
    style.save(figure, folder, "ces-fig04")


if __name__ == "__main__":
    main(*sys.argv[1:])
