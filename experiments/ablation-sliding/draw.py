"""How a block slides, or does not: on slopes and on level ground; a ball along a cloth, and water over a bed."""

import sys

import numpy as np
import panels
import style
from draw_corotated import oblique as corotated_oblique
from draw_corotated import slopes as corotated_slopes
from draw_figures import figures
from draw_swept import swept_detection

RUNS = style.experiment(__file__)
STEPS = RUNS.axis("step")
ANGLES = RUNS.axis("angle")
SHIFTS = RUNS.axis("shift")
LINES = dict(zip(STEPS, (":", "--", "-")))
MARKERS = dict(zip(STEPS, "ovs"))
# method -> (label, color); each has a run for every step
SWEPT = {"merging": ("merging-and-splitting", style.GREEN), "sliding": ("sliding meta-particles", style.BLACK)}
IMPULSE = ("impulses, 1 ms", style.PURPLE)
REFERENCE = ("hard penalty, fine steps", style.ORANGE)


def milliseconds(step):
    return f"{1e3 * float(step):g} ms"


def swept():
    """(method, step, label, color) of every method at every step."""
    return [(method, step, f"{label}, {milliseconds(step)}", color) for method, (label, color) in SWEPT.items() for step in STEPS]


def acceleration(results, run):
    """The block's mean acceleration over g sin(angle)."""
    return (style.body(results, run, "block")["velocity_x"][-1]
            / (style.setting(results, run, "time.end") * style.setting(results, run, "gravity")[0]))


def friction(results, run):
    data = style.metrics(results, run)
    return -np.sum(data["support_impulse_x"]) / np.sum(data["support_impulse_z"])


def slope(ax, results, value, floor):
    """A value of each slope against its angle."""
    angles = [float(angle) for angle in ANGLES]

    def draw(name, **look):
        return ax.plot(angles, [value(results, f"slope-{floor}-{angle}-{name}") for angle in ANGLES], **look)[0]
    lines = [draw("reference", color=REFERENCE[1], marker="D", markersize=4, label=REFERENCE[0]),
             draw("impulse-1e-3", color=IMPULSE[1], marker="x", markersize=4, label=IMPULSE[0])]
    lines += [draw(f"{method}-{step}", color=color, linestyle=LINES[step], marker=MARKERS[step], markersize=3.5, label=label)
              for method, step, label, color in swept()]
    ax.set_xlabel("slope, degrees")
    ax.set_xlim(5, 85)
    ax.set_xticks(angles)
    return lines


def accelerations(ax, results, floor, title):
    lines = slope(ax, results, acceleration, floor)
    if floor == "plane":
        walls = [acceleration(results, f"slope-wall-{angle}") for angle in ANGLES]
        lines.append(ax.plot([float(angle) for angle in ANGLES], walls, "+", color=style.RED, markersize=7, label="a wall")[0])
    ax.set_ylim(-0.05, 1.08)
    ax.set_title(title)
    ax.set_ylabel("acceleration / (g sin θ)")
    return lines


def frictions(ax, results):
    slope(ax, results, friction, "plane")
    angle = np.linspace(5, 80, 100)
    ax.plot(angle, np.tan(np.radians(angle)), color=style.BLACK, linewidth=0.7)
    ax.annotate("tan θ", (71, np.tan(np.radians(71))), textcoords="offset points", xytext=(-4, 0), ha="right")
    ax.set_ylim(-0.2, 3.4)
    ax.set_title("what friction it would take")
    ax.set_ylabel("tangential / normal impulse")


def paths(ax, results, ground):
    """Where the block's center of mass goes on level ground."""
    def draw(name, **look):
        data = style.body(results, f"level-{ground}-3-{name}", "block")
        ax.plot(1e3 * (data["x"] - data["x"][0]), 1e3 * (data["z"] - data["z"][0]), **look)
        ax.plot(1e3 * (data["x"][-1] - data["x"][0]), 1e3 * (data["z"][-1] - data["z"][0]), "o", color=look["color"], markersize=3)
    draw("reference", color=REFERENCE[1], linewidth=4)
    draw("impulse-1e-3", color=IMPULSE[1], linewidth=2.4)
    for method, step, _, color in swept():
        if method == "merging" or step == STEPS[-1]:  # those of sliding contact are the same at all steps
            draw(f"{method}-{step}", color=color, linestyle=LINES[step], linewidth=1)
    ax.set_xlabel("path of the center of mass, mm")
    ax.set_ylabel("height, mm")


def distances(ax, results):
    """Distances on level ground over those without friction."""
    places = [(ground, speed) for speed in RUNS.axis("speed") for ground in RUNS.axis("ground")]

    def draw(name, offset, **look):
        runs = [f"level-{ground}-{speed}-{name}" for ground, speed in places]
        moved = [style.body(results, run, "block")["x"] for run in runs]
        ideal = [style.setting(results, run, "bodies.block.velocity")[0] * style.setting(results, run, "time.end") for run in runs]
        ax.plot(np.arange(len(runs)) + offset, [(x[-1] - x[0]) / far for x, far in zip(moved, ideal)], linestyle="", **look)
    draw("reference", 0, color=REFERENCE[1], marker="D", markersize=4)
    draw("impulse-1e-3", 0, color=IMPULSE[1], marker="x", markersize=4)
    for method, step, _, color in swept():
        draw(f"{method}-{step}", 0.15 * (STEPS.index(step) - 1), color=color, marker=MARKERS[step], markersize=3.5)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_xticks(range(len(places)), [f"{ground}\n{speed} m/s" if ground == "bed" else ground for ground, speed in places])
    ax.set_ylabel("distance / (speed × time)")
    ax.set_title("level ground, 0.2 s")


def oblique(ax, results):
    def draw(run, color, line="-", **look):
        data = style.body(results, run, "ball")
        ax.plot(1e3 * data["time"], data["velocity_x"], color=color, linestyle=line, **look)
    for shift in SHIFTS:
        draw(f"oblique-shift-penalty-{shift}", REFERENCE[1], linewidth=0.8)
        for method, (_, color) in SWEPT.items():
            draw(f"oblique-shift-{method}-{shift}", color, linewidth=0.6)
    draw("oblique-reference", style.RED, ":", linewidth=1)
    draw("oblique-impulse-1e-3", IMPULSE[1], "-.", linewidth=1)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_xlabel("time, ms")
    ax.set_ylabel("speed along the cloth, m/s")
    ax.set_title(f"ball on cloth, {len(SHIFTS)} places 1 µm apart")


def fluid(ax, results):
    def draw(run, color, label, line="-", **look):
        data = style.body(results, run, "water")
        ax.plot(1e3 * data["time"], data["velocity_x"] / data["velocity_x"][0], color=color, linestyle=line, label=label, **look)
    draw("fluid-wall", style.GREY, "a wall", "-")
    draw("fluid-reference", REFERENCE[1], "penalty")
    draw("fluid-impulse-5e-4", IMPULSE[1], "impulses", "-.")
    for method, (_, color) in SWEPT.items():
        for flow, line in zip(RUNS.axis("flow"), ("--", "-")):
            for alpha, width in (("1", 1.2), ("0", 0.6)):
                draw(f"fluid-{method}-a{alpha}-{flow}", color, None, line, linewidth=width)
    ax.set_ylim(0.4, 1.03)
    ax.set_xlabel("time, ms")
    ax.set_ylabel("momentum / that at the start")
    ax.set_title("water over a bed (thin lines: α = 0)")
    ax.legend(loc="lower left")


def slopes(results, folder):
    figure, axes = panels.sheet(1, 3, 2.4)
    lines = accelerations(axes[0], results, "plane", "block on a plane")
    accelerations(axes[1], results, "bed", "block on a bed of particles")
    frictions(axes[2], results)
    figure.legend(handles=lines, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-sliding")
    return lines


def motions(results, folder, lines):
    figure, axes = panels.sheet(4, 2, 7.6)
    distances(axes[0][0], results)
    corotated_slopes(axes[0][1], results)
    paths(axes[1][0], results, "plane")
    axes[1][0].set_title("3 m/s on a level plane")
    paths(axes[1][1], results, "fine")
    axes[1][1].set_title("3 m/s on a fine bed")
    oblique(axes[2][0], results)
    fluid(axes[2][1], results)
    corotated_oblique(axes[3][0], results)
    axes[3][1].axis("off")
    axes[3][1].legend(handles=lines, loc="center")
    style.save(figure, folder, "ablation-sliding-motions")


def main(results, folder):
    motions(results, folder, slopes(results, folder))
    figures(results, folder)
    swept_detection(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
