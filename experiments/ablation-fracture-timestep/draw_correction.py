"""Energy from nothing, overlap and its price over time, with positions corrected and without, in the scenes of Figures 3 and 5."""

import numpy as np
import panels as printed
import style

METHODS = {"impulse": ("impulses, iterated", style.PURPLE, "-"),
           "impulse-partly": ("… and position correction by a fifth", style.PURPLE, "--"),
           "impulse-corrected": ("… by the whole overlap", style.PURPLE, ":"),
           "penalty": ("penalty", style.ORANGE, "-"),
           "penalty-partly": ("… and position correction by a fifth", style.ORANGE, "--"),
           "penalty-corrected": ("… by the whole overlap", style.ORANGE, ":"),
           "merging-and-splitting": ("merging-and-splitting", style.GREEN, "-")}
GAIN = ("energy gain", lambda data: data["energy_gain"])
OVERLAP = ("deepest overlap, radii", lambda data: np.maximum.accumulate(data["overlap_depth"]))
SPEED = ("largest speed / impact speed", lambda data: np.maximum.accumulate(data["speed_max"]) / data["speed_max"][0])
DEBRIS = ("debris, % of the particles", lambda data: 100 * data["debris_fraction"])
SCENES = {"cloth": ("ball on the cloth of Figure 3", (GAIN, OVERLAP, SPEED)),
          "wall": ("wall of Figure 5", (GAIN, OVERLAP, DEBRIS))}


def correction(results, folder):
    figure, axes = printed.sheet(len(SCENES), 3, 4.2)
    for row, (scene, (title, panels)) in zip(axes, SCENES.items()):
        for method, (name, color, dashes) in METHODS.items():
            data = style.metrics(results, f"correct-{scene}-{method.removesuffix('-and-splitting')}")
            for ax, (_, value) in zip(row, panels):
                style.method_curve(ax, 1e3 * data["time"], value(data), method, name, color, dashes)
        for ax, (panel, _) in zip(row, panels):
            ax.set_title(panel)
            ax.margins(x=0)
            ax.set_xlabel("time, ms")
        row[0].set_ylabel(title)
        row[0].set_yscale("symlog", linthresh=0.1)
        row[0].set_ylim(bottom=0)
    axes[0][2].set_yscale("log")
    axes[1][2].set_yscale("symlog", linthresh=0.1)
    axes[1][2].set_ylim(bottom=0)
    lines, names = axes[0][0].get_legend_handles_labels()
    gaps = 2 * [style.plt.Line2D([], [], linestyle="")]  # below the third, so that each method has its column
    figure.legend(lines + gaps, names + ["", ""], loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-fracture-timestep-correction")
