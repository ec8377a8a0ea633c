"""The period of a cantilever against the time step, for two lattices and two solvers."""

import sys

import numpy as np
import panels
import style
from sizes import COLUMN
from swings import turns

RUNS = style.experiment(__file__)
MARKS = {("12", "factor"): ("12 layers, factor", style.ORANGE, "s"), ("6", "factor"): ("6 layers, factor", style.SKY, "o"),
         ("6", "whole"): ("6 layers, both at once", style.BLACK, "x")}


def period(results, run):
    data = style.body(results, run, "beam")
    return turns(data["time"], data["velocity_z"])[1]


def inertia(results):
    """Of lagging rotations in the first mode (experiments/ces-cantilever), over that of the beam and dt^2, 1/ms^2."""
    run = "exact-6"
    free = style.setting(results, run, "bodies.beam.shape.box.size")[0] - style.setting(results, run, "bodies.beam.fixed_in.box.size")[0]
    waves = style.setting(results, run, "materials.steel.young_modulus") / style.setting(results, run, "bodies.beam.density")
    return 1e-6 * 2 * 4.648 * waves / free ** 2


def main(results, folder):
    figure, axes = panels.sheet(1, 1, 2.4, COLUMN)
    steps = np.array([float(step) for step in RUNS.axis("step")])
    along = np.geomspace(steps[0], steps[-1])
    axes.plot(along, np.sqrt(1 + inertia(results) * along ** 2), color=style.BLACK, lw=0.8, ls=":", label="inertia of the lag")
    for (layers, solver), (label, color, mark) in MARKS.items():
        slowed = [period(results, f"{solver}-{layers}-{step}") / period(results, f"exact-{layers}") for step in RUNS.axis("step")]
        axes.plot(steps, slowed, mark, color=color, markersize=5, label=label)
    axes.set_xscale("log")
    axes.set(xlabel="step at 1 MPa, ms", ylabel="period over that by exact steps")
    style.plain_ticks(axes.xaxis, steps)
    axes.legend()
    style.save(figure, folder, "ces-ablation-timestep")


if __name__ == "__main__":
    main(*sys.argv[1:])
