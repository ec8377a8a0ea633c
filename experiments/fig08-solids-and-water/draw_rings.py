"""Figure 8, top: four instants, whole and cut open; momenta, the way of the tori, and overlap."""

import numpy as np
import panels
import style

RUN = "rings"
FRAMES = (2, 8, 13, 17)
# torus -> (color, as rendered; mark)
TORI = {"torus-a": (style.BLUE, "o"), "torus-b": (style.GREEN, "s"), "torus-c": (style.PURPLE, "^"), "torus-d": (style.RED, "D")}


def pictures(results, folder):
    rows = ("rings-side", "body+water", "whole"), ("rings-front", "body+water", "cut open")
    figure, _ = style.instants(results, RUN, FRAMES, rows, (panels.PAGE, 2.9))
    numbers = style.summary(results, RUN)
    figure.supxlabel(f"run: {style.verdict(numbers)}", color=style.verdict_color(numbers), fontsize=7)
    style.save(figure, folder, "fig08-cloth-and-tori")


def momenta(ax, results):
    """Downward momentum: what gravity adds, and where it is or has gone."""
    metrics = style.metrics(results, RUN)
    bodies = {name: style.body(results, RUN, name) for name in ("water", "cloth", *TORI)}
    time = bodies["water"]["time"]
    down = {name: -data["mass"] * data["velocity_z"] for name, data in bodies.items()}
    rim = np.interp(time, metrics["time"], np.cumsum(metrics["support_impulse_z"]))
    gravity = -np.interp(time, metrics["time"], np.cumsum(metrics["gravity_impulse_z"]))
    ax.plot(time, down["water"][0] + gravity, color=style.BLACK, linestyle=":", label="came with the water, and from gravity")
    ax.plot(time, down["water"], color=style.SKY, label="water")
    ax.plot(time, down["cloth"] + sum(down[name] for name in TORI), color=style.ORANGE, linestyle="-.", label="cloth and tori")
    ax.plot(time, rim, color=style.GREY, linestyle="--", label="taken by the rim")
    ax.set_title("downward momentum, kg m/s")


def ways(ax, results):
    """How far the tori are from the middle of the cloth, with water and without."""
    for run, line in ((RUN, "-"), ("rings-dry", ":")):
        for name, (color, mark) in TORI.items():
            data = style.body(results, run, name)
            ax.plot(data["time"], 100 * np.hypot(data["x"], data["y"]), color=color, linestyle=line, marker=mark, markersize=2.5, markevery=0.2,
                    label=f"{name}{', dry' if run == 'rings-dry' else ''}")
    ax.set_title("distance of the tori from the axis, cm")


def overlap(ax, results):
    data = style.metrics(results, RUN)
    ax.plot(data["time"], data["overlap_max"], color=style.GREEN, label="largest of all pairs")
    ax.plot(data["time"], data["overlap_mean"], color=style.GREEN, linestyle=":", label="mean")
    ax.plot(data["time"], 1 - (1 + data["strain"]) / np.sqrt(2), color=style.GREY, linestyle="--", label="between four of the cloth")
    ax.set_title("overlap / distance of contact")
    ax.set_ylim(0, 0.35)


def curves(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6)
    for ax, draw in zip(axes, (momenta, ways, overlap)):
        draw(ax, results)
        ax.set_xlabel("time, s")
        ax.margins(x=0)
        panels.legend_below(ax, ncols=2 if draw is ways else 1)
    style.save(figure, folder, "fig08-cloth-and-tori-curves")


def main(results, folder):
    pictures(results, folder)
    curves(results, folder)
