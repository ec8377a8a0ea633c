"""The tip of the beam with three solvers and four steps, beside other programs."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
FRAMES = {"half": 1, "whole": 2}
SOLVERS = {"step": ("shape, then volume", style.GREEN, "o"), "whole": ("both at once", style.BLUE, "^"),
           "newton": ("both at once, rotations of the end", style.PURPLE, "s")}


def tip(results, run, time):
    table = {name: np.array(values) for name, values in style.table(f"{results}/{run}/section-{FRAMES[time]}.csv").items() if name in ("id", "u", "v")}
    at_tip = np.isin(table["id"], style.table(f"{results}/{run}/face-tip-1.csv")["id"])
    return np.mean(table["u"][at_tip]), np.mean(table["v"][at_tip])


def panel(axes, results, time):
    for kind, (label, color, mark) in SOLVERS.items():
        places = np.array([tip(results, f"{kind}-{step}", time) for step in RUNS.axis("step")])
        axes.plot(places[:, 0], places[:, 1], color=color, marker=mark, markersize=4, label=label)
        for step, place in zip(RUNS.axis("step"), places):
            if kind == "step":
                axes.annotate(f"{step} ms", place, xytext=(5, -7), textcoords="offset points", fontsize=panels.SMALLEST)
    others = style.table("experiments/ces-beam/tips.csv")
    for program, mark, color in (("independent", "x", style.BLACK), ("SPlisHSPlasH", "+", style.RED)):
        row = list(zip(others["program"], others["run"])).index((program, "step-2"))
        axes.plot(others[f"x_{time}"][row], others[f"y_{time}"][row], mark, color=color, markersize=8, label=f"{program}, 2 ms")
    row = others["program"].index("SPlisHSPlasH whole")
    axes.plot(others[f"x_{time}"][row], others[f"y_{time}"][row], "s", color=style.RED, markersize=6, markerfacecolor="none", label="SPlisHSPlasH, both at once, 2 ms")
    axes.set(xlabel="x, m", ylabel="y, m", title={"half": "after 0.5 s", "whole": "after 1 s"}[time])
    axes.margins(0.15)


def main(results, folder):
    figure, axes = panels.sheet(1, 2, 2.8)
    for place, time in zip(axes, FRAMES):
        panel(place, results, time)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ces-beam")


if __name__ == "__main__":
    main(*sys.argv[1:])
