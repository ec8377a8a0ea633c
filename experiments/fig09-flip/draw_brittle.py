"""Figure 9, bottom: six instants, cut through the middle and whole; the cracks, and how they come about."""

import panels
import style

RUN = "flip-brittle"
FRAMES = (2, 4, 6, 10, 14, 20)
PARTS = ((0.1, 0.7, 0.1, 0.62), (0.1, 0.7, 0.22, 0.78), (0, 1, 0.06, 0.92), (0.1, 0.9, 0, 0.92))  # of the pictures: where something moves


def sequence(results, folder):
    rows = ("brittle-cut", "fragment+water", "cut through the middle"), ("brittle-whole", "fragment+water", "from the dry side")
    figure, _ = style.instants(results, RUN, FRAMES, rows, (panels.PAGE, 6.3), blocks=2, parts=PARTS)
    style.save(figure, folder, "fig09-flip-brittle")


def curves(results, folder):
    data = style.metrics(results, RUN)
    water, wall = (style.body(results, RUN, name) for name in ("water", "wall"))
    figure = panels.empty(2.2)
    axes = figure.subplots(1, 4, gridspec_kw={"width_ratios": (1, 1, 0.8, 0.8)})
    axes[0].plot(data["time"], data["broken_bonds"], color=style.RED, label="broken bonds")
    axes[0].plot(data["time"], data["fragments"], color=style.BLUE, linestyle="--", label="fragments")
    axes[0].plot(data["time"], data["chunks"], color=style.GREEN, linestyle=":", label="of these, larger than debris")
    axes[0].set_yscale("log")
    axes[0].set_title("cracks")
    axes[1].plot(water["time"], water["velocity_x"], color=style.SKY, label="water")
    axes[1].plot(wall["time"], wall["velocity_x"], color=style.ORANGE, linestyle="--", label="wall, where it is free")
    axes[1].set_title("mean speed along the channel, m/s")
    for ax in axes[:2]:
        ax.set_xlabel("time, s")
        ax.margins(x=0)
        panels.legend_below(ax)
    for ax, face in zip(axes[2:], ("wet", "dry")):
        style.crack_map(ax, results, RUN, face, FRAMES[-1])
        ax.set_title(f"{face} face,\nin its first place")
    style.damage_bar(figure, axes[2:], shrink=0.95, aspect=30, pad=0.01)
    style.save(figure, folder, "fig09-flip-brittle-curves")


def main(results, folder):
    sequence(results, folder)
    curves(results, folder)
