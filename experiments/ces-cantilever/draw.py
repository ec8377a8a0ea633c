"""The tip of a cantilever against time, and its period and sag against the spacing."""

import sys

import numpy as np
import style
from style import plt

RUNS = style.experiment(__file__)
LAYERS = RUNS.axis("layers")
COLORS = dict(zip(LAYERS, (style.ORANGE, style.SKY, style.GREEN, style.BLUE)))


def swing(axes, results):
    for layers in LAYERS:
        data = style.body(results, f"layers-{layers}", "beam")
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), color=COLORS[layers], label=f"{layers} layers")
    axes.set(xlabel="time in ms", ylabel="tip in mm")
    axes.legend()


def turns(data):
    t, v = data["time"], data["velocity_z"]
    k = np.flatnonzero(v[1:-1] * v[2:] < 0) + 1
    return t[k] + (t[k + 1] - t[k]) * v[k] / (v[k] - v[k + 1])


def long_steps(axes, results):
    runs = ["layers-6"] + [f"step-{step}" for step in RUNS.axis("step")]
    steps = [1e3 * style.setting(results, run, "time.max_step") for run in runs]
    axes.loglog(steps, [1e3 * turns(style.body(results, run, "beam"))[1] for run in runs], "o-", color=style.SKY)
    axes.set(xlabel="step in ms", ylabel="period in ms")
    style.plain_ticks(axes.xaxis, steps)
    style.plain_ticks(axes.yaxis, [80, 100, 150, 200, 300])


def convergence(axes, results):
    spacing = [2e3 * style.setting(results, f"layers-{layers}", "bodies.beam.radius") for layers in LAYERS]
    periods = [1e3 * turns(style.body(results, f"layers-{layers}", "beam"))[1] for layers in LAYERS]
    axes.plot(spacing, periods, "o", color=style.BLACK)
    finest, along = np.polyfit(spacing[-3:], periods[-3:], 2), np.linspace(0, spacing[-3])
    axes.plot(along, np.polyval(finest, along), color=style.BLACK, lw=0.8, ls=":")
    axes.set(xlabel="spacing in mm", ylabel="period in ms", xlim=(0, 80))


def main(results, folder):
    figure, axes = plt.subplots(1, 3, figsize=(9.0, 2.8), constrained_layout=True)
    swing(axes[0], results)
    convergence(axes[1], results)
    long_steps(axes[2], results)
    style.save(figure, folder, "ces-cantilever")


if __name__ == "__main__":
    main(*sys.argv[1:])
