"""Tables 1 and 2 of corotated SPH: the time of the elastic solve against size, stiffness and time step, five ways, beside the
paper's two; how many times as long rivals of the factor take, against how far waves get in a step; and all numbers of the tables as CSV."""

import csv
import math
import os
import sys

import panels
import style
from timings import timing_read

RUNS = style.experiment(__file__)
SOLVERS = {"coupled": ("both at once, factor", style.BLACK, "v"),
           "prefactored": ("factor, then volume, as in the paper", style.GREEN, "o"), "assembled": ("constant matrix, then volume", style.ORANGE, "s"),
           "whole": ("both at once, no matrix (Peer et al.)", style.BLUE, "^"), "newton": ("both at once, rotations of the end", style.PURPLE, "D")}
PUBLISHED = {"ours_ms": ("Kugelstadt et al., factor", "o"), "peer2018_ms": ("Kugelstadt et al., no matrix", "^")}
AXES = ("size", "young", "step")


def published(axis):
    """(x, {column: ms}) of the paper's table."""
    folder = os.path.dirname(__file__)
    if axis == "size":
        table = style.table(os.path.join(folder, "kugelstadt-2021-table1.csv"))
        return table["particles"], table
    table = style.table(os.path.join(folder, "kugelstadt-2021-table2.csv"))
    rows = [row for row, series in enumerate(table["series"]) if series == {"young": "young", "step": "dt"}[axis]]
    table = {name: [values[row] for row in rows] for name, values in table.items()}
    return table["value"], table


def timings(results, axis, solver):
    """(x, timing) of each setting."""
    for value in RUNS.axis(axis):
        timing = timing_read(os.path.join(results, f"{axis}-{value}-{solver}"))
        yield timing.record["particles"] if axis == "size" else float(value), timing


def panel(axes, results, axis):
    for solver, (label, color, mark) in SOLVERS.items():
        x, times = zip(*((x, 1e3 * timing.median("stage 1")) for x, timing in timings(results, axis, solver)))
        axes.loglog(x, times, color=color, marker=mark, markersize=3.5, label=label)
    x, table = published(axis)
    for column, (label, mark) in PUBLISHED.items():
        axes.loglog(x, table[column], color=style.GREY, linestyle=":", marker=mark, markersize=3, markerfacecolor="white", label=label)
    style.plain_ticks(axes.yaxis, [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000])


def picture(results, folder):
    figure, axes = panels.sheet(1, len(AXES), 2.6)
    for place, axis in zip(axes, AXES):
        panel(place, results, axis)
    style.plain_ticks(axes[0].xaxis, [4000, 8000, 16000, 32000, 64000])
    style.plain_ticks(axes[1].xaxis, [0.1, 0.5, 1, 5, 10])
    style.plain_ticks(axes[2].xaxis, [1, 2, 5, 10, 15])
    axes[0].set(xlabel="particles", ylabel="time of an elastic step, ms", title="size (1 MPa, 2 ms)")
    axes[0].tick_params(axis="x", labelsize=panels.SMALLEST)
    axes[1].set(xlabel="Young's modulus, MPa", title="stiffness (2 ms)")
    axes[2].set(xlabel="time step, ms", title="time step (1 MPa)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ces-tables")


# ---- when a factor pays ---------------------------------------------------------------------------

def reach(results, run):
    """dt c / d."""
    step, radius, density, young = (style.setting(results, run, key) for key in (
        "time.max_step", "bodies.beam.radius", "bodies.beam.density", "materials.rubber.young_modulus"))
    return step * math.sqrt(young / density) / (2 * radius)


def waves(results, folder):
    figure, axes = panels.sheet(1, 2, 2.6, sharey=True)
    moduli = sorted([*RUNS.axis("pascals"), "1e6"], key=float)
    for place, (rival, title) in zip(axes, (("assembled", "constant matrix"), ("whole", "whole system"))):
        for beam, (color, mark, line) in {"4k": (style.ORANGE, "s", "--"), "16k": (style.GREEN, "^", "-")}.items():
            factored = [f"size-{beam}-prefactored" if young == "1e6" else f"waves-{beam}-{young}-prefactored" for young in moduli]
            times = {run: timing_read(os.path.join(results, run)).median("stage 1") for way in ("prefactored", rival)
                     for run in (run.replace("prefactored", way) for run in factored)}
            place.loglog([reach(results, run) for run in factored], [times[run.replace("prefactored", rival)] / times[run] for run in factored],
                         color=color, marker=mark, ls=line, markersize=4, label=f"{beam} particles")
        place.axhline(1, color=style.BLACK, lw=0.5)
        place.set(xlabel="waves pass in a step, spacings", title=title)
        style.plain_ticks(place.xaxis, [0.02, 0.1, 0.5, 2, 10])
    style.plain_ticks(axes[0].yaxis, [0.5, 1, 2, 5, 10])
    axes[0].set(ylabel="time over that with the factor")
    axes[0].legend(loc="upper left")
    style.save(figure, folder, "ces-tables-waves")


# ---- all numbers of the tables --------------------------------------------------------------------

def write_csv(results, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["series", "value", "particles", "solver", "steps", "threads", "cores", "processor", "elastic_median_s", "elastic_mean_s", "elastic_min_s",
                      "total_median_s", "iterations", "peak_memory_bytes", "cores_taken_by_others", "disturbed"])
        for axis in AXES:
            for solver in SOLVERS:
                for value, (_, t) in zip(RUNS.axis(axis), timings(results, axis, solver)):
                    record = t.record
                    out.writerow([axis, value, record["particles"], solver, len(t.rows), record["threads"], record["cores"], record["processor"],
                                  *(f"{seconds:.9f}" for seconds in (t.median("stage 1"), t.mean("stage 1"), t.least("stage 1"), t.median("total"))),
                                  f"{t.count('iterations_first'):.2f}", record["peak_memory_bytes"], f"{t.others():.3f}", int(bool(t.disturbed()))])


def main(results, folder):
    write_csv(results, os.path.join(folder, "ces-tables.csv"))
    picture(results, folder)
    waves(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
