"""What cracks spend over what was asked for, against their speed, and two of them."""

import os
import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
RAYLEIGH = 0.9194 * np.sqrt(3 * 190e9 / 8 / 8000)  # m/s, plane stress with Poisson's ratio 1/3
LOOKS = {"slow-2": ("horizon 2", style.ORANGE, "^"), "slow-3": ("horizon 3", style.BLUE, "o"), "slow-4": ("horizon 4", style.GREEN, "s"),
         "fast-3": (None, style.BLUE, "o"), "fast-4": (None, style.GREEN, "s"), "firm": ("strengthening", style.BLUE, "x"),
         "long-euler": ("backward Euler, long steps", style.BLACK, "v"), "long-newmark": ("Newmark, long steps", style.GREY, "d")}


def crack(results, run):
    """Speed over Rayleigh's, and energy over what was asked for."""
    face = style.table(os.path.join(results, run, "face-path-20.csv"))
    u, v, damage = (np.array(face[name]) for name in ("u", "v", "damage"))
    d = 2 * face["radius"][0]
    length = u[(abs(v) < d) & (damage > 0.3)].max() - u.min() - 0.02 + d
    rows = style.metrics(results, run)
    released = np.cumsum(rows["broken_energy"])
    first, last = (rows["time"][np.argmax(released >= part * released[-1])] for part in (0.3, 0.8))
    return 0.5 * length / (last - first) / RAYLEIGH, released[-1] / (style.setting(results, run, "materials.steel.fracture_energy") * d * length)


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6, gridspec_kw={"width_ratios": (1.5, 1, 1)})
    for kind, (label, color, mark) in LOOKS.items():
        runs = [kind] if "-" not in kind or kind.startswith("long") else [f"{kind}-{seed}" for seed in RUNS.axis("seed")]
        speed, cost = zip(*(crack(results, run) for run in runs))
        axes[0].plot(speed, cost, mark, color=color, label=label, markersize=5)
    axes[0].axhline(1, color=style.BLACK, lw=0.6)
    axes[0].set(xlabel="speed / Rayleigh's", ylabel="energy spent / asked for", xlim=(0, 1), ylim=(0.9, 1.7))
    style.crack_map(axes[1], results, "slow-3-1", "path", 20)
    style.crack_map(axes[2], results, "fast-3-1", "path", 20)
    axes[1].set_title("slow")
    axes[2].set_title("free")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-fracture-energy")


if __name__ == "__main__":
    main(*sys.argv[1:])
