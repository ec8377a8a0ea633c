"""Gas: the plume past a ball, vortices and drag, a closed room, a gust."""

import sys

import draw_smoke
import numpy as np
import panels
import style
from mergesplit import Run

BALL, RADIUS = (0.02, 0.01, 0.6), 0.16
SHADES = (style.BLUE, style.SKY, style.ORANGE, style.RED)


def here(frame):
    return frame["state"] == 0


def slice_of_plume(ax, results, run, color):
    """The particles in a middle layer at the end, by speed."""
    frame = Run(f"{results}/{run}").frames[-1]
    place, speed = frame["position"], np.linalg.norm(frame["velocity"], axis=1)
    near = here(frame) & (np.abs(place[:, 1] - BALL[1]) < 0.06)
    shown = ax.scatter(place[near, 0], place[near, 2], c=speed[near], s=4, cmap="viridis", vmin=0, vmax=1.5)
    ax.add_patch(style.plt.Circle((BALL[0], BALL[2]), RADIUS, color="0.7"))
    ax.set_aspect("equal")
    ax.set(xlim=(-0.55, 0.55), ylim=(0, 2.3), title=color)
    style.frame_only(ax)
    return shown


def slice_of_room(ax, results):
    """Figure 15: the middle of the room."""
    frame = Run(f"{results}/warm-0.4").frames[-1]
    place, warm = frame["position"], frame["body"] != frame["body"][0]
    near = np.abs(place[:, 1]) < 0.03
    for which, color in ((near & ~warm, style.BLUE), (near & warm, style.RED)):
        ax.scatter(place[which, 0], place[which, 2], s=9, color=color)
    ax.set_aspect("equal")
    ax.set_title("closed room, 1.2 s")
    style.frame_only(ax)


def rises(ax, results, axes):
    for warmth, color in zip(axes.axis("warmth"), SHADES):
        rows = style.body(results, f"warm-{warmth}", "warm")
        ax.plot(rows["time"], 100 * (np.array(rows["z"]) - rows["z"][0]), color=color, label=warmth)
    ax.set(xlabel="time, s", ylabel="rise, cm", title="warm gas")
    ax.legend(title="lighter by")


def curls(ax, results, axes):
    for beta, color in zip(axes.axis("beta"), SHADES):
        rows = style.metrics(results, f"plume-{beta}")
        ax.plot(rows["time"], rows["enstrophy"], color=color, label=beta, linewidth=0.8)
    ax.set(xlabel="time, s", ylabel="mean squared curl, 1/s²", title="vortices")
    ax.set(ylim=(-5, 190))
    ax.legend(title="beta, 1/s", ncols=2, loc="upper left")


def widths(ax, results):
    for run, color in (("drag-0", style.BLUE), ("drag-5", style.SKY), ("plume-10", style.ORANGE), ("drag-500", style.RED)):
        frames = [frame for frame in Run(f"{results}/{run}").frames][2:]
        wide = [np.sqrt((frame["position"][here(frame), :2]**2).sum(axis=1).mean()) for frame in frames]
        ax.semilogy([frame.time for frame in frames], wide, color=color, label="50" if run == "plume-10" else run[5:])
    ax.set(xlabel="time, s", ylabel="width, m", title="drag")
    style.plain_ticks(ax.yaxis, (0.05, 0.1, 0.2, 0.5, 1, 2))
    ax.set(ylim=(0.04, 12))
    ax.legend(title="k, 1/s", ncols=2, loc="upper left")


def gusts(ax, results):
    for run, color in (("closed", style.RED), ("open", style.BLUE)):
        frames = [frame for frame in Run(f"{results}/{run}").frames]
        far = frames[0]["position"][:, 0] > 1.4
        ax.plot([frame.time for frame in frames], [100 * np.linalg.norm(frame["velocity"][far], axis=1).mean() for frame in frames], color=color, label=run)
    ax.set(xlabel="time, s", ylabel="speed at the other end, cm/s", title="gust")
    ax.legend()


def main(results, folder):
    figure, axes = panels.sheet(2, 4, 5.2)
    experiment = style.experiment(__file__)
    style.view(axes[0, 0], results, "plume-10", "side", "body", 30, bar=True)
    axes[0, 0].set_title("beta 10, 2.4 s")
    for ax, beta in zip(axes[0, 1:3], ("0", "100")):
        shown = slice_of_plume(ax, results, f"plume-{beta}", f"beta {beta}")
    figure.colorbar(shown, ax=axes[0, 2], label="speed, m/s", shrink=0.8)
    slice_of_room(axes[0, 3], results)
    curls(axes[1, 0], results, experiment)
    widths(axes[1, 1], results)
    gusts(axes[1, 2], results)
    rises(axes[1, 3], results, experiment)
    style.save(figure, folder, "upp-gas")
    draw_smoke.draw(results, folder)
    figure, _ = style.instants(results, "curtain", (8, 11, 14, 21), (("front", "body", ""),), (panels.COLUMN, 3.4), blocks=2)
    style.save(figure, folder, "upp-gas-cloth")


if __name__ == "__main__":
    main(*sys.argv[1:])
