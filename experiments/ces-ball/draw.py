"""Corotated balls on cloths, at each other, at a wall and in a pile: curves against time, and pictures of the last two."""

import sys

import numpy as np
import panels
import style
from draw_groups import groups
from outlines import filled

# As ms-render-prep colors them by fragment, and the pile by body.
COLORS = {"wall": "#76869c", "ball": style.BLUE, "bowl": style.ORANGE,
          **dict(zip("abcdefghij", 2 * (style.BLUE, style.GREEN, style.PURPLE, style.RED, style.YELLOW, style.GREY, style.ORANGE)))}


def heights(axes, results, run):
    for name, color, line in (("ball", style.BLUE, "-"), ("cloth", style.ORANGE, "--")):
        data = style.body(results, run, name)
        axes.plot(1e3 * data["time"], 1e3 * data["z"], color=color, ls=line, label=name)
    axes.set(xlabel="time, ms", ylabel="height of center of mass, mm")
    axes.legend()


def velocities(axes, results):
    for name, color, line in (("left", style.BLUE, "-"), ("right", style.ORANGE, "--")):
        data = style.body(results, "pair", name)
        axes.plot(1e3 * data["time"], data["velocity_x"], color=color, ls=line, label=name)
    axes.set(xlabel="time, ms", ylabel="velocity, m/s")
    axes.set_title("two balls")
    axes.legend()


def mass_ratios(axes, results):
    for ratio, line in (("1", "-"), ("100", "--")):
        data = style.body(results, f"ratio-{ratio}", "ball")
        axes.plot(1e3 * data["time"], 1e3 * data["z"], color=style.BLUE, ls=line, label=f"mass ratio {ratio}")
    axes.set(xlabel="time, ms", ylabel="height of the ball, mm")
    axes.set_title("cloth of Figure 7")
    axes.set_ylim(top=420)  # room for the legend
    axes.legend(loc="upper right")


def momentum(axes, results):
    for name, color, line in (("ball", style.BLUE, "-"), ("wall", style.ORANGE, "--")):
        data = style.body(results, "wall", name)
        axes.plot(1e3 * data["time"], data["velocity_x"], color=color, ls=line, label=name)
    axes.set(xlabel="time, ms", ylabel="mean velocity, m/s")
    axes.set_title("wall of Figure 5")
    axes.legend()


def rest(axes, results):
    data = style.metrics(results, "pile")
    axes.semilogy(data["time"], data["kinetic"], color=style.BLUE)
    axes.set(xlabel="time, s", ylabel="kinetic energy, J")
    axes.set_title("ten balls in a bowl")


def curves(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2)
    for place, run, title in ((axes[0, 0], "low", "from 0.2 m"), (axes[0, 1], "high", "from 10 m")):
        heights(place, results, run)
        place.set_title(title)
    velocities(axes[0, 2], results)
    mass_ratios(axes[1, 0], results)
    momentum(axes[1, 1], results)
    rest(axes[1, 2], results)
    style.save(figure, folder, "ces-ball")


def middle(axes, data, window):
    """Bodies in the middle plane, each piece of the wall with its own outline."""
    u, v, radius, body, fragment = (np.array(data[name]) for name in ("u", "v", "radius", "body", "fragment"))
    piece = np.where(body == "wall", fragment, -1)
    for name, color in COLORS.items():
        for number in np.unique(piece[body == name]):
            of = (body == name) & (piece == number)
            filled(axes, u[of], v[of], radius[of], color, window)
    axes.set(xlim=window[:2], ylim=window[2:], aspect="equal")
    style.frame_only(axes)


def pictures(results, folder):
    figure, axes = panels.sheet(1, 4, 2.0)
    for place, run, view, color, frame, title in ((axes[1], "wall", "behind", "fragment", 15, "from behind, 15 ms"), (axes[2], "pile", "above", "body", 50, "pile, at rest")):
        style.view(place, results, run, view, color, frame, bar=True)
        place.set_title(title)
    for place, run, frame, window, title in ((axes[0], "wall", 5, (-0.35, 0.35, -0.35, 0.35), "wall in section, 5 ms"),
                                             (axes[3], "pile", 50, (-0.29, 0.29, -0.37, 0.21), "in section")):
        middle(place, style.section(results, run, frame), window)
        panels.scale_bar(place)
        place.set_title(title)
    style.save(figure, folder, "ces-ball-pictures")


if __name__ == "__main__":
    curves(*sys.argv[1:])
    pictures(*sys.argv[1:])
    groups(*sys.argv[1:])
