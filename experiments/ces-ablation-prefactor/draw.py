"""How many times as long rivals of the factor take, against how far waves get in a step; and all times as CSV."""

import csv
import math
import os
import sys

import panels
import style
from timings import timing_read

RUNS = style.experiment(__file__)
RIVALS = {"assembled": "constant matrix", "whole": "whole system"}
LOOKS = {"1k": (style.SKY, "o", ":"), "4k": (style.ORANGE, "s", "--"), "16k": (style.GREEN, "^", "-")}


def timing(results, run):
    return timing_read(os.path.join(results, run))


def time(results, run):
    return timing(results, run).median("stage 1")


def reach(results, run):
    """dt c / d."""
    step, radius, density, young = (style.setting(results, run, key) for key in (
        "time.max_step", "bodies.beam.radius", "bodies.beam.density", "materials.rubber.young_modulus"))
    return step * math.sqrt(young / density) / (2 * radius)


def write_csv(results, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["particles", "young_modulus_Pa", "solver", "reach_spacings", "elastic_median_s", "iterations", "disturbed"])
        for run in (run for run in RUNS.runs if "young" in run.place):
            found = timing(results, run.name)
            out.writerow([found.record["particles"], run.place["young"], run.place["solver"], f"{reach(results, run.name):.4f}",
                          f"{found.median('stage 1'):.9f}", f"{found.count('iterations_first'):.2f}", int(bool(found.disturbed()))])


def main(results, folder):
    write_csv(results, os.path.join(folder, "ces-ablation-prefactor.csv"))
    figure, axes = panels.sheet(1, 2, 2.6, sharey=True)
    for place, (rival, title) in zip(axes, RIVALS.items()):
        for size, (color, mark, line) in LOOKS.items():
            factored = [f"{size}-{young}-prefactored" for young in RUNS.axis("young")]
            ratios = [time(results, run.replace("prefactored", rival)) / time(results, run) for run in factored]
            place.loglog([reach(results, run) for run in factored], ratios, color=color, marker=mark, ls=line, markersize=4, label=f"{size} particles")
        place.axhline(1, color=style.BLACK, lw=0.5)
        place.set(xlabel="waves pass in a step, spacings", title=title)
        style.plain_ticks(place.xaxis, [0.02, 0.1, 0.5, 2, 10])
    style.plain_ticks(axes[0].yaxis, [0.5, 1, 2, 5, 10])
    axes[0].set(ylabel="time over that with the factor")
    axes[0].legend()
    style.save(figure, folder, "ces-ablation-prefactor")


if __name__ == "__main__":
    main(*sys.argv[1:])
