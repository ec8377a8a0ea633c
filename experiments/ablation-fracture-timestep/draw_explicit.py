"""Fragments, overlap and dissipation over time, with explicit bonds and with implicit ones, in the scenes of Figures 5 and 6."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
SCENES = {"wall": ("Figure 5", "explicit-wall-{integrator}-seed-{draw}", "integrator"),
          "impact": ("Figure 6", "explicit-impact-{solver}-seed-{twin}", "solver")}
LOOKS = {"euler": ("backward Euler, step of the figure", style.ORANGE, "-"),
         "euler-short": ("… half of it", style.ORANGE, ":"),
         "verlet": ("Verlet, longest step", style.BLUE, "-"),
         "verlet-short": ("… a third of it", style.BLUE, "--")}
PANELS = (("fragments", lambda data: data["fragments"]),
          ("debris, %", lambda data: 100 * data["debris_fraction"]),
          ("deepest overlap, radii", lambda data: np.maximum.accumulate(data["overlap_depth"])),
          ("dissipation, %", lambda data: 100 * data["numerical_dissipation_fraction"]))


def draw_band(ax, results, runs, value, look, end):
    """The mean over the samples, and from the least to the most of them."""
    name, color, dashes = look
    time = np.linspace(0, end, 200)
    lines = []
    for run in runs:
        data = style.metrics(results, run)
        lines.append(np.interp(time, data["time"], value(data)))
    ax.fill_between(1e3 * time, np.min(lines, axis=0), np.max(lines, axis=0), color=color, alpha=0.15, linewidth=0)
    ax.plot(1e3 * time, np.mean(lines, axis=0), color=color, linestyle=dashes, linewidth=1, label=name)


def explicit(results, folder):
    figure, axes = panels.sheet(len(SCENES), len(PANELS), 3.8)
    for row, (title, pattern, axis) in zip(axes, SCENES.values()):
        for integrator in RUNS.axis(axis):
            runs = RUNS.sweep(pattern, **{axis: integrator})
            end = style.setting(results, runs[0], "time.end")
            for ax, (_, value) in zip(row, PANELS):
                draw_band(ax, results, runs, value, LOOKS[integrator], end)
        for ax, (panel, _) in zip(row, PANELS):
            ax.set_title(panel)
            ax.set_xlabel("time, ms")
            ax.margins(x=0)
        row[0].set_ylabel(f"impact of {title}")
        row[2].axhline(0.25, color=style.GREY, linestyle=":", linewidth=0.8)
        for ax in row[:3]:
            ax.set_ylim(bottom=0)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=len(LOOKS))
    style.save(figure, folder, "ablation-fracture-timestep-explicit")
