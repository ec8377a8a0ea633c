"""Figure 8, bottom: five instants, from above and cut open; how the bowl breaks, how it moves, and the two splashes."""

import panels
import style

RUN = "bowl"
FRAMES = (1, 4, 13, 20, 30)


def pictures(results, folder):
    rows = ("bowl-above", "fragment+water", "from above"), ("bowl-side", "fragment+water", "cut open")
    figure, _ = style.instants(results, RUN, FRAMES, rows, (panels.PAGE, 2.6))
    style.save(figure, folder, "fig08-bowl-on-water")


def cracks(ax, results):
    data = style.metrics(results, RUN)
    ax.plot(data["time"], data["broken_bonds"] / data["broken_bonds"][-1], color=style.BLUE, label="broken bonds / all that break")
    ax.plot(data["time"], data["largest_fraction"], color=style.RED, linestyle="--", label="largest fragment / bowl")
    ax.plot(data["time"], data["debris_fraction"], color=style.GREEN, linestyle=":", label="debris / bowl")
    ax.set_title("fracture")
    ax.set_ylim(0, 1.05)


def splashes(ax, results):
    water, bowl = (style.body(results, RUN, name) for name in ("water", "bowl"))
    ax.plot(water["time"], 100 * water["max_z"], color=style.SKY, label="highest water")
    ax.plot(bowl["time"], 100 * bowl["height"], color=style.ORANGE, linestyle="--", label="center of mass of the bowl")
    ax.set_title("height, cm")


def momenta(ax, results):
    """What the bowl loses in downward momentum, and what gravity gives it, goes to the water and to the tank."""
    bowl = style.body(results, RUN, "bowl")
    down = -bowl["mass"] * bowl["velocity_z"]
    weight = bowl["mass"] * -style.setting(results, RUN, "gravity")[2] * bowl["time"]
    ax.plot(bowl["time"], down, color=style.ORANGE, label="bowl")
    ax.plot(bowl["time"], down[0] + weight - down, color=style.SKY, linestyle="--", label="taken by the water")
    ax.axhline(0, color=style.BLACK, linewidth=0.6)
    ax.set_title("downward momentum, kg m/s")


def curves(results, folder):
    figure, axes = panels.sheet(1, 3, 2.2)
    for ax, draw in zip(axes, (cracks, splashes, momenta)):
        draw(ax, results)
        ax.set_xlabel("time, s")
        ax.margins(x=0)
        panels.legend_below(ax)
    style.save(figure, folder, "fig08-bowl-on-water-curves")


def main(results, folder):
    pictures(results, folder)
    curves(results, folder)
