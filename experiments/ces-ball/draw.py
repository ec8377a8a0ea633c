"""A corotated ball on the cloth of Figure 3, and two of them: heights and velocities against time."""

import sys

import panels
import style


def heights(axes, results, run):
    for name, color, line in (("ball", style.BLUE, "-"), ("cloth", style.ORANGE, "--")):
        data = style.body(results, run, name)
        axes.plot(1e3 * data["time"], 1e3 * data["z"], color=color, ls=line, label=name)
    axes.set(xlabel="time, ms", ylabel="height of center of mass, mm")
    axes.legend()


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.3)
    for place, run, title in ((axes[0], "low", "from 0.2 m"), (axes[1], "high", "from 10 m")):
        heights(place, results, run)
        place.set_title(title)
    for name, color, line in (("left", style.BLUE, "-"), ("right", style.ORANGE, "--")):
        data = style.body(results, "pair", name)
        axes[2].plot(1e3 * data["time"], data["velocity_x"], color=color, ls=line, label=name)
    axes[2].set(xlabel="time, ms", ylabel="velocity, m/s")
    axes[2].set_title("two balls")
    axes[2].legend()
    style.save(figure, folder, "ces-ball")


if __name__ == "__main__":
    main(*sys.argv[1:])
