"""A water balloon that bursts, its momentum and that of the jet, and how far it can be pulled."""

import sys

import numpy as np
import panels
import style
from mergesplit import Run

RUNS = style.experiment(__file__)
AWAY, AFTER, LAST = 0.17, 6, 30  # as in claims.py
FRAMES = (0, 3, 12, 30)


def slices(ax, results, number):
    frame = Run(f"{results}/burst-splitting").frames[number]
    x, body = frame["position"], frame["body"]
    near = np.abs(x[:, 1]) < 0.02
    for which, color in ((1, style.BLUE), (0, style.ORANGE)):
        own = near & (body == which)
        ax.plot(x[own, 0], x[own, 2], "o", ms=2.6, color=color)
    ax.set_aspect("equal")
    ax.set(xlim=(-0.22, 0.22), ylim=(-0.2, 0.5))
    style.frame_only(ax)
    ax.set_title(f"{frame.time:.2f} s")


def momenta(ax, results):
    for run, dashes, label in (("burst-splitting", "-", "split masses"), ("burst-particle", "--", "averages")):
        frames = Run(f"{results}/{run}").frames
        last = frames[LAST]
        beyond = last["position"][:, 2] > AWAY
        jet = beyond & (last["body"] == 1)
        balloon = ~beyond & (last["state"] == 0)
        for part, color, name in ((jet, style.BLUE, "jet"), (balloon, style.ORANGE, "balloon")):
            p = np.array([np.sum(f["mass"][part] * f["velocity"][part, 2]) for f in frames[AFTER:]])
            ax.plot([f.time for f in frames[AFTER:]], p - p[0], dashes, color=color, label=f"{name}, {label}")
    ax.set_xlabel("time, s")
    ax.set_ylabel("gain along the jet, kg m/s")
    ax.set_title("jet and balloon")
    ax.legend()


def limits(ax, results):
    pulls = [float(pull) for pull in RUNS.axis("pull")]
    data = [style.metrics(results, f"pull-{pull}") for pull in RUNS.axis("pull")]
    ax.plot(1000 * np.array(pulls), [np.max(d["strain"]) for d in data], "s-", color=style.BLACK)
    ax.axhline(0.6, color=style.BLACK, ls=":")
    ax.set_xscale("log")
    ax.set_xlabel("pulled by, mm")
    ax.set_ylabel("largest strain of whole springs")
    ax.set_title("how far it can be pulled")
    for pull, d in zip(pulls, data):
        ax.annotate(f"{d['broken_bonds'][-1]:.0f} broken", (1000 * pull, np.max(d["strain"])), xytext=(6, -7), textcoords="offset points", va="center",
                    fontsize=panels.SMALLEST, color=style.RED)
    ax.set(xlim=(7, 400), ylim=(0.28, 0.66))


def main(results, folder):
    figure, axes = panels.sheet(2, 4, 5.4)
    for ax, number in zip(axes[0], FRAMES):
        slices(ax, results, number)
    panels.scale_bar(axes[0, 0], 0.1)
    grid = axes[1, 0].get_gridspec()
    for ax in axes[1]:
        ax.remove()
    momenta(figure.add_subplot(grid[1, :2]), results)
    limits(figure.add_subplot(grid[1, 2:]), results)
    style.save(figure, folder, "upp-balloons")


if __name__ == "__main__":
    main(*sys.argv[1:])
