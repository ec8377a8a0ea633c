"""What cracks spend over what was asked for, and two of them; and the test of Kalthoff and Winkler."""

import os
import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
RAYLEIGH = 0.9194 * np.sqrt(3 * 190e9 / 8 / 8000)  # m/s, plane stress with Poisson's ratio 1/3
LOOKS = {"slow-2": ("horizon 2", style.ORANGE), "short-2": ("horizon 2, a quarter of the step", style.ORANGE),
         "slow-3": ("horizon 3", style.BLUE), "slow-4": ("horizon 4", style.GREEN),
         "spaced-2": ("horizon 3, twice the spacing", style.BLUE), "spaced-0.67": ("horizon 3, 2/3 of the spacing", style.BLUE),
         "firm": ("horizon 3, strengthening", style.BLUE),
         "long-euler": ("horizon 3, backward Euler, long steps", style.BLUE), "long-newmark": ("horizon 3, Newmark, long steps", style.BLUE),
         "fast-3": ("free, horizon 3", style.BLUE), "fast-4": ("free, horizon 4", style.GREEN)}


def crack(results, run):
    """Speed over Rayleigh's, and energy over what was asked for."""
    face = style.table(os.path.join(results, run, "face-path-20.csv"))
    u, damage = (np.array(face[name]) for name in ("u", "damage"))
    d = 2 * face["radius"][0]
    length = u[damage > 0.3].max() - u.min() - 0.02 + d
    rows = style.metrics(results, run)
    released = np.cumsum(rows["broken_energy"])
    first, last = (rows["time"][np.argmax(released >= part * released[-1])] for part in (0.3, 0.8))
    return 0.5 * length / (last - first) / RAYLEIGH, released[-1] / (style.setting(results, run, "materials.steel.fracture_energy") * d * length)


def costs(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6, gridspec_kw={"width_ratios": (1, 1, 1)})
    for row, (kind, (_, color)) in enumerate(LOOKS.items()):
        speed, cost = zip(*(crack(results, f"{kind}-{seed}") for seed in RUNS.axis("seed")))
        axes[0].plot(cost, [row] * len(cost), "o", color=color, markersize=4, markeredgewidth=0, alpha=0.7)
        axes[0].annotate(f"{np.mean(speed):.2f}", (1.02, row), xycoords=("axes fraction", "data"), fontsize=panels.SMALLEST, va="center")
    axes[0].annotate("speed /\nRayleigh's", (1.02, 1), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points", fontsize=panels.SMALLEST)
    axes[0].axvline(1, color=style.BLACK, lw=0.6)
    axes[0].set(xlabel="energy spent / asked for", xlim=(0.9, 1.7), ylim=(len(LOOKS) - 0.5, -0.5))
    axes[0].set_yticks(range(len(LOOKS)), [label for label, _ in LOOKS.values()])
    style.crack_map(axes[1], results, "slow-3-1", "path", 20)
    style.crack_map(axes[2], results, "fast-3-1", "path", 20)
    axes[1].set_title("slow")
    axes[2].set_title("free")
    style.save(figure, folder, "ablation-fracture-energy")


def kalthoff(results, folder):
    figure, axes = panels.sheet(1, 2, 3.4, width=panels.COLUMN)
    for panel, run, title in zip(axes, ("impact-1", "impact-coarse-1"), ("spacing 2/3 mm", "spacing 1 mm")):
        style.crack_map(panel, results, run, "path", 20)
        for side in (1, -1):
            across = 0.0625 / np.tan(np.radians(68))
            panel.plot([0, across], [side * 0.0375, side * 0.1], color=style.BLUE, lw=0.8, ls=(0, (6, 4)))
        panel.annotate("68\N{DEGREE SIGN}", (0.007, 0.06), color=style.BLUE, fontsize=panels.SMALLEST, ha="right")
        panel.annotate("16.5 m/s", (-0.049, 0), xytext=(-0.024, 0), fontsize=panels.SMALLEST, va="center", arrowprops={"arrowstyle": "<-"})
        panel.set_title(title)
        panels.scale_bar(panel, 0.02)
    style.save(figure, folder, "ablation-fracture-energy-kalthoff")


def main(results, folder):
    costs(results, folder)
    kalthoff(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
