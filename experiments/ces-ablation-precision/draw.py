"""How far motions are from those in double precision, and iterations, against the tolerance of the solvers."""

import os
import statistics
import sys

import panels
import style

RUNS = style.experiment(__file__)
LENGTH = 1.2  # m
LABELS = {"0": ("factor alone (ν = 0)", style.BLUE, "o", "-"), "0.33": ("and volume (ν = 0.33)", style.ORANGE, "s", "--")}


def apart(results, run):
    return max(style.table(os.path.join(results, f"{run}.csv"))["rms"]) / LENGTH


def main(results, folder):
    figure, axes = panels.sheet(1, 2, 2.6)
    tolerances = RUNS.axis("tolerance")
    for poisson, (label, color, mark, line) in LABELS.items():
        look = {"color": color, "marker": mark, "markersize": 4, "ls": line, "label": label}
        distances = [(float(t), apart(results, f"{poisson}-{t}")) for t in tolerances]
        axes[0].loglog(*zip(*(point for point in distances if point[1] > 0)), **look)
        iterations = [statistics.fmean(style.metrics(results, f"{poisson}-{t}")["iterations_first"]) for t in (*tolerances, "exact")]
        axes[1].loglog([*(float(t) for t in tolerances), style.setting(results, f"{poisson}-exact", "solver.tolerance")], iterations, **look)
    axes[0].set(xlabel="tolerance", ylabel="from the exact motion, lengths")
    axes[1].set(xlabel="tolerance", ylabel="iterations in a step")
    style.plain_ticks(axes[1].yaxis, [1, 2, 3, 5, 10, 20, 50])
    for place in axes:
        place.legend()
        place.invert_xaxis()
    style.save(figure, folder, "ces-ablation-precision")


if __name__ == "__main__":
    main(*sys.argv[1:])
