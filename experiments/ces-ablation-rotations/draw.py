"""The tip of a beam in steps of 8 ms, and how far motions are from exact ones, with rotations found twice or once."""

import os
import sys

import numpy as np
import panels
import style
from tips import tips

RUNS = style.experiment(__file__)
LABELS = {"renewed": ("found twice", style.BLUE, "-", "o"), "kept": ("found once", style.ORANGE, "--", "s"),
          "whole": ("one solve for both", style.GREEN, "-.", "^")}


def apart(results, way, step):
    data = style.table(os.path.join(results, f"{way}-{step}.csv"))
    return 100 * max(data["rms"]) / max(data["moved_a"])


def main(results, folder):
    figure, axes = panels.sheet(1, 2, 2.6)
    longest = RUNS.axis("step")[-1]
    tips(axes[0], results, {f"exact-{longest}": ("exact", style.BLACK, ":")} |
         {f"{way}-{longest}": (label, color, line) for way, (label, color, line, _) in LABELS.items()})
    axes[0].set_title(f"steps of {longest} ms")
    axes[0].legend()
    steps = np.array([float(step) for step in RUNS.axis("step")])
    for way, (label, color, line, mark) in LABELS.items():
        axes[1].loglog(steps, [apart(results, way, step) for step in RUNS.axis("step")], color=color, ls=line, marker=mark, markersize=4, label=label)
    axes[1].set(xlabel="step, ms", ylabel="from the exact motion, % of it")
    style.plain_ticks(axes[1].xaxis, steps)
    axes[1].legend()
    style.save(figure, folder, "ces-ablation-rotations")


if __name__ == "__main__":
    main(*sys.argv[1:])
