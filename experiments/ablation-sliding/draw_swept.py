"""Deepest overlap, the cloth's deflection, energy from nothing and cost against the length of the step, with contacts found before
they close."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
STEPS = [*RUNS.axes["long"], "10"]  # the last at the fast fall alone
SCENES = {"low": "ball from 0.2 m", "high": "ball from 10 m", "heavy": "heavy ball (Figure 7)"}
METHODS = {"sliding": ("sliding, speculative links", style.BLUE, "o"),
           "merging": ("merging-and-splitting, swept detection", style.GREEN, "s")}
RUNS_MADE = {run.name for run in RUNS.runs}
SMALLEST = 1e-6  # radii: less is drawn there


def total(data, *columns):
    return sum(data[column].sum() for column in columns)


PANELS = {"deepest overlap, radii": lambda data: max(data["overlap_depth"].max(), SMALLEST),
          "energy gain": lambda data: data["energy_gain"][-1],
          "solver iterations, run": lambda data: total(data, "iterations_first", "iterations_later"),
          "solves per step": lambda data: data["stages"].mean()}


def swept_detection(results, folder):
    figure, axes = panels.sheet(len(SCENES), len(PANELS), 5.0, sharex=True)
    at = np.array([float(step) for step in STEPS])
    for row, (scene, name) in zip(axes, SCENES.items()):
        row[0].set_ylabel(name)
        for method, (label, color, marker) in METHODS.items():
            names = [name for step in STEPS if (name := f"swept-{scene}-{method}-{step}") in RUNS_MADE]
            ended = np.array([style.summary(results, name)["end"] == "complete" for name in names])
            swept = [style.metrics(results, name) for name in names]
            discrete = style.metrics(results, f"swept-{scene}-{method}-discrete")
            for ax, value in zip(row, PANELS.values()):
                values = np.array([value(data) for data in swept])
                ax.plot(at[:len(swept)][ended], values[ended], color=color, marker=marker, markersize=4, linewidth=1.2, label=label)
                if not ended.all():
                    ax.plot(at[:len(swept)][~ended], values[~ended], color=color, marker="x", markersize=6, linestyle="none",
                            label="… stopped after the first step")
                ax.plot(at[:1], [value(discrete)], color=color, marker=marker, markersize=7, fillstyle="none", linestyle="none",
                        label="… found at the start of the step")
        row[0].set_yscale("log")
        row[0].set_ylim(SMALLEST / 2, 5)
        row[1].set_yscale("symlog", linthresh=0.1)
        row[1].set_ylim(-0.005, 2 * row[1].dataLim.y1)
        for ax in row[2:]:
            ax.set_ylim(0, 1.08 * ax.dataLim.y1)
    for ax, title in zip(axes[0], PANELS):
        ax.set_title(title)
        ax.set_xscale("log")
        ax.set_xticks(at, STEPS)
        ax.set_xlim(0.8, 14)
        ax.minorticks_off()
    for ax in axes[-1]:
        ax.set_xlabel("step / radius rule's")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2)
    style.save(figure, folder, "ablation-sliding-swept")
