"""Corotated solids with sliding contact: a block on slopes with friction, and a ball on a cloth of springs."""

import numpy as np
import style

RUNS = style.experiment(__file__)
LOOKS = {"0": (style.BLACK, "o"), "0.3": (style.BLUE, "s"), "0.6": (style.GREY, "^")}
BALLS = {"corotated-oblique-reference": (style.ORANGE, "-", "penalty, 0.02 ms"),
         "corotated-sliding-oblique-fine": (style.BLACK, "--", "sliding, 0.02 ms"),
         "corotated-sliding-oblique-5e-4": (style.BLACK, ":", "sliding, 0.5 ms"),
         "corotated-sliding-oblique-rough": (style.BLUE, "-", "... with friction, 0.5")}


def slopes(ax, results):
    """The block's acceleration over g, and what Coulomb's law says."""
    angle = np.linspace(0, 85, 200)
    for rub, (color, marker) in LOOKS.items():
        law = np.sin(np.radians(angle)) - float(rub) * np.cos(np.radians(angle))
        ax.plot(angle, np.maximum(law, 0), color=color, linewidth=0.8)
        runs = [f"corotated-sliding-slope-{slope}-{rub}" for slope in RUNS.axis("angle")]
        reached = [style.body(results, run, "block")["velocity_x"][-1] / (9.81 * style.setting(results, run, "time.end")) for run in runs]
        ax.plot([float(slope) for slope in RUNS.axis("angle")], reached, color=color, marker=marker, markersize=3.5, linestyle="",
                label=f"friction {rub}")
    ax.set(xlabel="slope, degrees", ylabel="acceleration / g", xlim=(0, 85), title="corotated block on a plane")
    ax.legend(loc="upper left")


def oblique(ax, results):
    for run, (color, line, label) in BALLS.items():
        data = style.body(results, run, "ball")
        ax.plot(1e3 * data["time"], data["velocity_x"], color=color, linestyle=line, linewidth=1, label=label)
    ax.set(xlabel="time, ms", ylabel="speed along the cloth, m/s", ylim=(0, 2.1), title="corotated ball on a cloth")
    ax.legend(loc="lower left")
