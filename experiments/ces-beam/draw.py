"""The tip of the beam with three solvers and four steps, beside other programs; and a soft beam with shape and volume solved apart or at once, and
against the tolerance of its solvers."""

import os
import statistics
import sys

import numpy as np
import panels
import style
from tips import tips

RUNS = style.experiment(__file__)
FRAMES = {"half": 1, "whole": 2}
SOLVERS = {"step": ("shape, then volume", style.GREEN, "o"), "whole": ("both at once", style.BLUE, "^"),
           "newton": ("both at once, rotations of the end", style.PURPLE, "s")}


# ---- beside other programs ------------------------------------------------------------------------

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


def programs(results, folder):
    figure, axes = panels.sheet(1, 2, 2.8)
    for place, time in zip(axes, FRAMES):
        panel(place, results, time)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ces-beam")


# ---- rotations and tolerances ---------------------------------------------------------------------

# Rotations that are found once in a step give curves that cannot be told from these (README).
WAYS = {"renewed": ("one after the other", style.BLUE, "-", "o"), "whole": ("one solve for both", style.GREEN, "-.", "^")}
POISSON = {"0": ("factor alone (ν = 0)", style.BLUE, "o", "-"), "0.33": ("and volume (ν = 0.33)", style.ORANGE, "s", "--")}


def rotations(axes, results):
    longest = RUNS.axis("time")[-1]
    tips(axes[0], results, {f"soft-exact-{longest}": ("exact", style.BLACK, ":")} |
         {f"soft-{way}-{longest}": (label, color, line) for way, (label, color, line, _) in WAYS.items()})
    axes[0].set_title(f"shape and volume, steps of {longest} ms")
    steps = np.array([float(step) for step in RUNS.axis("time")])
    for way, (label, color, line, mark) in WAYS.items():
        distances = [style.table(os.path.join(results, f"soft-{way}-{step}.csv")) for step in RUNS.axis("time")]
        axes[1].loglog(steps, [100 * max(data["rms"]) / max(data["moved_a"]) for data in distances], color=color, ls=line, marker=mark, markersize=4, label=label)
    axes[1].set(xlabel="step, ms", ylabel="from the exact motion, % of it")
    style.plain_ticks(axes[1].xaxis, steps)


def tolerances(axes, results):
    names = RUNS.axis("tolerance")
    length = style.setting(results, "poisson-0-exact", "bodies.beam.shape.box.size")[0]
    for poisson, (label, color, mark, line) in POISSON.items():
        look = {"color": color, "marker": mark, "markersize": 4, "ls": line, "label": label}
        distances = [(float(name), max(style.table(os.path.join(results, f"poisson-{poisson}-{name}.csv"))["rms"]) / length) for name in names]
        axes[0].loglog(*zip(*(point for point in distances if point[1] > 0)), **look)
        exact = style.setting(results, f"poisson-{poisson}-exact", "solver.tolerance")
        iterations = [statistics.fmean(style.metrics(results, f"poisson-{poisson}-{name}")["iterations_first"]) for name in (*names, "exact")]
        axes[1].loglog([*(float(name) for name in names), exact], iterations, **look)
    axes[0].set(xlabel="tolerance", ylabel="from the exact motion, lengths")
    axes[1].set(xlabel="tolerance", ylabel="iterations in a step")
    style.plain_ticks(axes[1].yaxis, [1, 2, 3, 5, 10, 20, 50])
    for place in axes:
        place.invert_xaxis()


def solvers(results, folder):
    figure, axes = panels.sheet(2, 2, 5.0)
    rotations(axes[0], results)
    tolerances(axes[1], results)
    for place in axes.flat:
        place.legend()
    style.save(figure, folder, "ces-beam-solvers")


if __name__ == "__main__":
    programs(*sys.argv[1:])
    solvers(*sys.argv[1:])
