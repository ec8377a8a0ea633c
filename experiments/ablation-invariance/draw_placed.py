"""Deflection of the cloths of Figures 3 and 4 wherever the scene is placed."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LABELS = {"plain": "as in\nthe figure", "turned-x": "turned\nabout x", "turned-y": "turned\nabout y", "turned-z": "turned\nabout z",
          "mirrored": "mirrored", "far": "1.7 km\naway"}
SCENES = {"ball": ("Figure 3: ball on cloth", "shift"), "jet": ("Figure 4: jet on cloth", "jet_shift")}


def main(results, folder):
    figure, axes = panels.sheet(1, len(SCENES), 2.2)
    for ax, (scene, (title, shift)) in zip(axes, SCENES.items()):
        shifted = [1e3 * style.summary(results, f"placed-{scene}-shift-{k}")["deflection_max"] for k in RUNS.axis(shift)]
        places = RUNS.axis(scene)
        found = [1e3 * style.summary(results, f"placed-{scene}-{place}")["deflection_max"] for place in places]
        ax.plot(np.arange(len(places)), found, "o", color=style.GREEN, markersize=4)
        ax.plot(np.linspace(-0.3, -0.15, len(shifted)), shifted, ".", color=style.GREY, markersize=4)
        middle = np.mean(shifted + found[:1])
        ax.axhspan(0.98 * middle, 1.02 * middle, color=style.GREY, alpha=0.15, linewidth=0)
        ax.set_ylim(0.95 * middle, 1.05 * middle)
        ax.set_xticks(range(len(places)), [LABELS[place] for place in places])
        ax.set_title(title)
        ax.set_ylabel("largest deflection, mm")
    style.save(figure, folder, "ablation-placement")
