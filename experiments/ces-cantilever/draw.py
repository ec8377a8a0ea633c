"""A cantilever: its tip against time and its period against spacing and step; and the same with weights of the control, in the steps of
Table 2, and with fewer neighbors."""

import sys

import numpy as np
import panels
import style
from swings import turns
from tips import differences, tip, tips

RUNS = style.experiment(__file__)
LAYERS = RUNS.axis("layers")
LOOKS = dict(zip(LAYERS, ((style.ORANGE, "-"), (style.SKY, "-."), (style.GREEN, "--"), (style.BLUE, ":"))))


def period_of(results, run):
    data = style.body(results, run, "beam")
    return turns(data["time"], data["velocity_z"])[1]


def inertia(results, run):
    """Of lagging rotations in the first mode (claims.py), over that of the beam and dt^2, 1/ms^2."""
    free = style.setting(results, run, "bodies.beam.shape.box.size")[0] - style.setting(results, run, "bodies.beam.fixed_in.box.size")[0]
    waves = style.setting(results, run, "materials.steel.young_modulus") / style.setting(results, run, "bodies.beam.density")
    return 1e-6 * 2 * 4.648 * waves / free ** 2


# ---- against theory -------------------------------------------------------------------------------

def long_steps(axes, results):
    steps = np.array([1e3 * style.setting(results, f"step-{step}", "time.max_step") for step in RUNS.axis("step")])
    for kind, label, color, mark in (("step", "rotations without forces", style.SKY, "o"), ("newton", "rotations of the end", style.RED, "s")):
        axes.loglog(steps, [1e3 * period_of(results, f"{kind}-{step}") for step in RUNS.axis("step")], mark, color=color, markersize=4, label=label)
    along, limit = np.geomspace(steps[0], steps[-1]), 1e3 * period_of(results, "newton-2.5e-4")
    axes.plot(along, limit * np.sqrt(1 + inertia(results, "step-2.5e-4") * along ** 2), color=style.BLACK, lw=0.8, ls=":", label="inertia of the lag")
    axes.set(xlabel="step, ms", ylabel="period, ms")
    style.plain_ticks(axes.xaxis, steps)
    style.plain_ticks(axes.yaxis, [80, 100, 150, 200, 300])
    axes.legend()


def convergence(axes, results):
    spacing = [2e3 * style.setting(results, f"layers-{layers}", "bodies.beam.radius") for layers in LAYERS]
    periods = [1e3 * period_of(results, f"layers-{layers}") for layers in LAYERS]
    axes.plot(spacing, periods, "o", color=style.BLACK)
    finest, along = np.polyfit(spacing[-3:], periods[-3:], 2), np.linspace(0, spacing[-3])
    axes.plot(along, np.polyval(finest, along), color=style.BLACK, lw=0.8, ls=":")
    axes.set(xlabel="spacing, mm", ylabel="period, ms", xlim=(0, 80))


def theory(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6)
    tips(axes[0], results, {f"layers-{layers}": (f"{layers} layers", *look) for layers, look in LOOKS.items()})
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.41, 1.03), handlelength=1.6)
    convergence(axes[1], results)
    long_steps(axes[2], results)
    style.save(figure, folder, "ces-cantilever")


# ---- what the paper varies ------------------------------------------------------------------------

def table_2(axes, results):
    steps = np.array([float(step) for step in RUNS.axis("table")])
    along = np.geomspace(steps[0], steps[-1])
    axes.plot(along, np.sqrt(1 + inertia(results, "soft-6-exact") * along ** 2), color=style.BLACK, lw=0.8, ls=":", label="inertia of the lag")
    for layers, color, mark in (("12", style.ORANGE, "s"), ("6", style.SKY, "o")):
        slowed = [period_of(results, f"soft-{layers}-{step}") / period_of(results, f"soft-{layers}-exact") for step in RUNS.axis("table")]
        axes.plot(steps, slowed, mark, color=color, markersize=4, label=f"{layers} layers")
    axes.set_xscale("log")
    axes.set(xlabel="step at 1 MPa, ms", ylabel="period over that by exact steps", title="steps of Table 2")
    style.plain_ticks(axes.xaxis, steps)
    axes.legend()


def variations(results, folder):
    figure, axes = panels.sheet(1, 3, 2.9)
    table_2(axes[0], results)
    differences(axes[1], results, {("alpha-0.01", "alpha-0"): ("α = 0.01", style.SKY, ":"), ("layers-6", "alpha-0"): ("0.1", style.GREEN, "--"),
                                   ("alpha-1", "alpha-0"): ("1", style.ORANGE, "-")})
    axes[1].set_title("weight of the control, less none")
    differences(axes[2], results, {("lattice-10", "layers-6"): ("lattice", style.ORANGE, "-"), ("relaxed-10", "relaxed-all"): ("relaxed", style.BLUE, "--")})
    axes[2].set_title("nearest ten, less all neighbors")
    deepest = -min(tip(results, "layers-6")[1])
    for place in axes[1:]:
        place.set_ylim(-0.1 * deepest, 0.1 * deepest)
        place.annotate(f"swing: {deepest:.1f} mm deep", (0.97, 0.03), xycoords="axes fraction", ha="right", fontsize=panels.SMALLEST)
        place.legend(loc="upper left")
    style.save(figure, folder, "ces-cantilever-variations")


if __name__ == "__main__":
    theory(*sys.argv[1:])
    variations(*sys.argv[1:])
