"""The tip of a cantilever against time, and its period and sag against the spacing."""

import sys

import numpy as np
import panels
import style
from swings import turns

RUNS = style.experiment(__file__)
LAYERS = RUNS.axis("layers")
LOOKS = dict(zip(LAYERS, ((style.ORANGE, "-"), (style.SKY, "-."), (style.GREEN, "--"), (style.BLUE, ":"))))


def swing(axes, results):
    for layers in LAYERS:
        data = style.body(results, f"layers-{layers}", "beam")
        color, line = LOOKS[layers]
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), color=color, linestyle=line, label=f"{layers} layers")
    axes.set(xlabel="time, ms", ylabel="tip, mm")
    axes.legend(loc="upper center", bbox_to_anchor=(0.41, 1.03), handlelength=1.6)


def period_of(data):
    return turns(data["time"], data["velocity_z"])[1]


def inertia(results):
    """Of lagging rotations in the first mode (claims.py), over that of the beam and dt^2, 1/ms^2."""
    run = "step-2.5e-4"
    free = style.setting(results, run, "bodies.beam.shape.box.size")[0] - style.setting(results, run, "bodies.beam.fixed_in.box.size")[0]
    waves = style.setting(results, run, "materials.steel.young_modulus") / style.setting(results, run, "bodies.beam.density")
    return 1e-6 * 2 * 4.648 * waves / free ** 2


def long_steps(axes, results):
    steps = np.array([1e3 * style.setting(results, f"step-{step}", "time.max_step") for step in RUNS.axis("step")])
    for kind, label, color, mark in (("step", "rotations without forces", style.SKY, "o"), ("newton", "rotations of the end", style.RED, "s")):
        periods = [1e3 * period_of(style.body(results, f"{kind}-{step}", "beam")) for step in RUNS.axis("step")]
        axes.loglog(steps, periods, mark, color=color, markersize=4, label=label)
    along, limit = np.geomspace(steps[0], steps[-1]), 1e3 * period_of(style.body(results, "newton-2.5e-4", "beam"))
    axes.plot(along, limit * np.sqrt(1 + inertia(results) * along ** 2), color=style.BLACK, lw=0.8, ls=":", label="inertia of the lag")
    axes.set(xlabel="step, ms", ylabel="period, ms")
    style.plain_ticks(axes.xaxis, steps)
    style.plain_ticks(axes.yaxis, [80, 100, 150, 200, 300])
    axes.legend()


def convergence(axes, results):
    spacing = [2e3 * style.setting(results, f"layers-{layers}", "bodies.beam.radius") for layers in LAYERS]
    periods = [1e3 * period_of(style.body(results, f"layers-{layers}", "beam")) for layers in LAYERS]
    axes.plot(spacing, periods, "o", color=style.BLACK)
    finest, along = np.polyfit(spacing[-3:], periods[-3:], 2), np.linspace(0, spacing[-3])
    axes.plot(along, np.polyval(finest, along), color=style.BLACK, lw=0.8, ls=":")
    axes.set(xlabel="spacing, mm", ylabel="period, ms", xlim=(0, 80))


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6)
    swing(axes[0], results)
    convergence(axes[1], results)
    long_steps(axes[2], results)
    style.save(figure, folder, "ces-cantilever")


if __name__ == "__main__":
    main(*sys.argv[1:])
