"""The castle with four kinds of friction; bodies on slopes beside Coulomb's law; heaps and columns."""

import sys

import numpy as np
import panels
import style
from draw_sand import castle, repose

RUNS = style.experiment(__file__)
ANGLES, ITERATIONS = RUNS.axis("angle"), RUNS.axis("iterations")
MU = 0.5
COLORS = {"velocity": style.ORANGE, "position": style.BLUE, "kept": style.GREEN}
CUBES = {"cube-2": ":", "cube-4": "-", "cube-8": "--"}


def steepness(angle):
    """The tangent over the coefficient of friction."""
    return np.tan(np.radians(float(angle))) / MU


def run_of(friction, angle):
    return f"slope-{friction}-{angle}-4"


def creep(ax, results):
    """A cube of 4^3 particles on 20 degrees, where it has to stand."""
    for n, line in zip(ITERATIONS, (":", "-.", "-", "--")):
        for friction in ("position", "kept"):
            data = style.body(results, f"slope-{friction}-20-{n}", "cube-4")
            ax.semilogy(data["time"][1:], 1e3 * data["x"][1:], color=COLORS[friction], linestyle=line)
        ax.plot([], [], color=style.BLACK, linestyle=line, label=n)
    data = style.body(results, "slope-velocity-20-4", "cube-4")
    ax.semilogy(data["time"][1:], 1e3 * data["x"][1:], color=COLORS["velocity"])
    ax.set(xlabel="time, s", ylabel="way, mm", title="4³ cube at 20°, µ = 0.5", xlim=(0, 2), ylim=(1e-1, 2e4))
    ax.legend(loc="upper left", ncol=4, title="iterations", title_fontsize=panels.SMALLEST, handlelength=1.5, columnspacing=0.8)


def law(ax, results):
    """Lines: the law. Marks: the mean acceleration of the second second."""
    angles = np.linspace(0, 38, 200)
    line = np.sin(np.radians(angles)) - MU * np.cos(np.radians(angles))
    ax.plot(steepness(0) + np.tan(np.radians(angles)) / MU, np.maximum(line, 0), color=style.GREY, label="Coulomb's law")
    for (friction, color), mark in zip(COLORS.items(), "v^o"):
        for cube in CUBES:
            data = [style.body(results, run_of(friction, angle), cube) for angle in ANGLES]
            speed = [(d["velocity_x"][-1] - np.interp(1.0, d["time"], d["velocity_x"])) / 9.81 for d in data]
            ax.plot([steepness(angle) for angle in ANGLES], speed, mark, color=color, markersize=4, markerfacecolor="none",
                    label=friction if cube == "cube-4" else None)
    ax.set(xlabel="tan θ / µ", ylabel="acceleration / g", title="what slides obeys the law")
    ax.legend()


def below(ax, results):
    """How far bodies come within two seconds on slopes where they have to stand."""
    there = [angle for angle in ANGLES if steepness(angle) < 1.0]
    for friction, color in COLORS.items():
        for body, line in {"grain": "-.", **CUBES}.items():
            ways = [1e3 * abs(style.body(results, run_of(friction, angle), body)["x"][-1]) for angle in there]
            if max(ways) > 1e-3:
                ax.semilogy([steepness(angle) for angle in there], ways, color=color, linestyle=line, marker=".", markersize=3)
    for body, line in {"grain": "-.", **CUBES}.items():
        ax.plot([], [], color=style.BLACK, linestyle=line, label=body.replace("cube-2", "2³").replace("cube-4", "4³").replace("cube-8", "8³"))
    ax.set(xlabel="tan θ / µ", ylabel="way in 2 s, mm", title="4 iterations", ylim=(1e-2, 2e4))
    ax.legend(loc="upper left", ncol=2)


def chart(ax, results, friction):
    """The map of coefficient and slope: acceleration of the 4^3 cube over g, with the line of the law."""
    tilts, coefficients = RUNS.axis("tilt"), RUNS.axis("mu")
    for j, mu in enumerate(coefficients):
        for i, tilt in enumerate(tilts):
            data = style.body(results, f"map-{friction}-{mu}-{tilt}", "cube-4")
            law_here = max(np.sin(np.radians(float(tilt))) - float(mu) * np.cos(np.radians(float(tilt))), 0)
            acceleration = (data["velocity_x"][-1] - np.interp(1.0, data["time"], data["velocity_x"])) / 9.81
            slides, way = law_here > 0, 1e3 * data["x"][-1]
            ax.text(i, j, f"{acceleration / law_here:.4f}" if slides else f"{way:.{0 if way >= 10 else 1 if way >= 1 else 2}f}\nmm", ha="center", va="center",
                    fontsize=panels.SMALLEST, color=style.BLACK)
            ax.add_patch(style.plt.Rectangle((i - 0.5, j - 0.5), 1, 1, facecolor=style.ORANGE if slides else style.BLUE, alpha=0.25, edgecolor="white"))
    ax.set(xlim=(-0.5, len(tilts) - 0.5), ylim=(-0.5, len(coefficients) - 0.5), xlabel="slope θ, degrees", ylabel="µ", title=f"{friction}: a / law, or way")
    ax.set_xticks(range(len(tilts)), tilts)
    ax.set_yticks(range(len(coefficients)), coefficients)


def slopes(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2)
    creep(axes[0, 0], results)
    below(axes[0, 1], results)
    law(axes[0, 2], results)
    chart(axes[1, 0], results, "position")
    chart(axes[1, 1], results, "kept")
    repose(axes[1, 2], results)
    style.save(figure, folder, "upp-friction-slopes")


if __name__ == "__main__":
    castle(*sys.argv[1:])
    slopes(*sys.argv[1:])
