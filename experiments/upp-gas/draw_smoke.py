"""Smoke, as light that does not come through it: a plume past a ball (UPP Figure 14), and a jet."""

import numpy as np
import panels
import style
from mergesplit import Run

BALL, RADIUS = (0, 0.6), 0.15  # of smoke.yaml
FRAMES = (0, 8, 12, 16)
PIXEL = 0.006  # m
PUFF = 0.04  # spacings^2: what a particle of smoke takes from the light
VIEW = (-0.5, 0.5, 0, 1.9)


def smoke(ax, frame, radius):
    """The smoke of a frame from the front, in gas of particles of this radius."""
    place, view = frame["diffuse_position"], VIEW
    sides = [np.arange(low, high + PIXEL / 2, PIXEL) for low, high in (view[:2], view[2:])]
    count = np.histogram2d(place[:, 2], place[:, 0], bins=sides[::-1])[0]
    weights = np.array([1, 2, 1]) / 4
    for axis in (0, 1):
        count = np.apply_along_axis(np.convolve, axis, count, weights, mode="same")
    ax.imshow(1 - np.exp(-count * PUFF * (2 * radius / PIXEL)**2), origin="lower", extent=view, cmap="Greys", vmin=0, vmax=1.2, interpolation="bilinear")
    ax.set(xlim=view[:2], ylim=view[2:])
    style.frame_only(ax)


def draw(results, folder):
    figure, axes = panels.sheet(1, len(FRAMES) + 1, 2.9)
    frames = Run(f"{results}/smoke").frames
    for ax, number in zip(axes, FRAMES):
        smoke(ax, frames[number], style.setting(results, "smoke", "bodies.gas.radius"))
        ax.add_patch(style.plt.Circle(BALL, RADIUS, fill=False, color=style.RED, linewidth=0.8))
        ax.set_title(f"{frames[number].time:.1f} s")
    smoke(axes[-1], Run(f"{results}/layers-2").frames[-1], style.setting(results, "layers-2", "bodies.core.radius"))
    axes[-1].set_title("jet, 2 s")
    panels.scale_bar(axes[0], 0.2)
    style.save(figure, folder, "upp-gas-smoke")
