"""Error, iterations, fragments and energy against the solver's tolerance; for comparison, the error of the time step."""

import os

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
*TOLERANCES, EXACT = RUNS.axis("tolerance")
SEEN = 3  # the row of the frame at 1.5 ms
WHOLE, BREAKS = ("bonds that never break", style.BLUE, "-", "o"), ("bonds that break", style.ORANGE, "--", "s")


def error(results, name):
    """The error of the positions over the distance that the wall has moved."""
    data = style.table(os.path.join(results, name + ".csv"))
    return data["rms"][SEEN] / data["moved_a"][SEEN]


def run_of(kind, tolerance):
    return f"{kind}-{tolerance}" if kind == "whole" else f"{kind}-{tolerance}-a"


def tolerances(results, names):
    return [style.setting(results, f"breaks-{name}-a", "solver.tolerance") for name in names]


def iterations(results, run):
    numbers = style.summary(results, run)
    return numbers["iterations_first_mean"] + numbers["iterations_later_mean"]


def line(ax, x, y, look, **more):
    name, color, dashes, marker = look
    ax.plot(x, y, color=color, linestyle=dashes, marker=marker, markersize=3.5, linewidth=1, label=name, **more)


def errors(results, left, right):
    for kind, look in (("whole", WHOLE), ("breaks", BREAKS)):
        found = [error(results, f"{kind}-{t}") for t in TOLERANCES]
        line(left, tolerances(results, TOLERANCES), found, look)
        line(right, [iterations(results, run_of(kind, t)) for t in TOLERANCES], found, look)
    half = error(results, "whole-half")
    for ax in (left, right):
        ax.set_yscale("log")
        ax.axhline(half, color=style.GREY, linewidth=1, linestyle=":")
        ax.set_ylim(1e-9, 1)
    right.annotate("half the time step", (1, half), xycoords=right.get_yaxis_transform(), xytext=(0, 3), textcoords="offset points", ha="right",
                   color=style.GREY, fontsize=7)
    left.set_ylabel("error of positions after 1.5 ms / motion, rms")
    left.legend(loc="lower left", bbox_to_anchor=(0, 0))
    right.set_ylabel("error of positions after 1.5 ms / motion, rms")
    right.set_xlabel("iterations per time step, all stages")


def fragments(results, ax):
    x = np.array(tolerances(results, (*TOLERANCES, EXACT)))
    for column, name, color, marker in (("fragments", "fragments", style.GREEN, "o"), ("chunks", "chunks", style.PURPLE, "s")):
        values = np.array([[style.summary(results, run)[column] for run in RUNS.sweep("breaks-{tolerance}-{sample}", tolerance=t)]
                           for t in (*TOLERANCES, EXACT)])
        mean = values.mean(axis=1)
        ax.errorbar(x, mean, np.abs([mean - values.min(axis=1), values.max(axis=1) - mean]), color=color, marker=marker,
                    markersize=3.5, linewidth=1, elinewidth=0.8, capsize=2, label=name)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("number after 8 ms")
    ax.legend(loc="center left", bbox_to_anchor=(0, 0.45))


def residual_work(results, ax):
    for kind, look in (("whole", WHOLE), ("breaks", BREAKS)):
        numbers = [style.summary(results, run_of(kind, t)) for t in TOLERANCES]
        line(ax, tolerances(results, TOLERANCES), [abs(n["residual_work"]) / n["impact_kinetic"] for n in numbers], look)
    ax.set_yscale("log")
    ax.set_ylabel("|work of the residual| / impact energy")


def tolerance(results, folder):
    figure, axes = panels.sheet(2, 2, 4.4)
    axes = axes.flat
    errors(results, axes[0], axes[1])
    fragments(results, axes[2])
    residual_work(results, axes[3])
    for ax in (axes[0], axes[2], axes[3]):
        ax.set_xscale("log")
        ax.minorticks_off()
        ax.invert_xaxis()
        ax.set_xlabel("tolerance of the solver")
    style.save(figure, folder, "ablation-fracture-timestep-tolerance")
