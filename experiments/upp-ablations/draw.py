"""What averages take from momentum, and what is left of constraints with larger factors."""

import sys

import numpy as np
import panels
import style

SCENES = {"cloth": (style.BLUE, "o", "cloth, longer"), "stack": (style.RED, "s", "stack, lower"), "pile": (style.GREEN, "^", "grains, overlap")}
WAYS = {"averaged": (style.RED, "averages"), "split": (style.BLUE, "split masses")}


def drifts(ax, values):
    kinds = ("two", "grains", "shapes")
    for (way, (color, label)), size in zip(WAYS.items(), (8, 4)):  # equal values: one around the other
        ax.plot(range(3), [max(values[f"UPP.drift.{kind}.{way}"], 1e-17) for kind in kinds], "o", color=color, markersize=size, label=label)
    ax.set_yscale("log")
    ax.set_ylim(3e-18, 3)
    ax.set_xlim(-0.4, 2.4)
    ax.set_xticks(range(3), ["two grains", "blocks of grains", "rigid blocks"])
    ax.set_ylabel("change of momentum, relative")
    ax.set_title("collision")
    panels.legend_below(ax, ncol=2)


def factors(ax, values):
    omega = np.array([1, 1.25, 1.5, 2])
    for scene, (color, mark, label) in SCENES.items():
        ax.plot(omega, [100 * values[f"UPP.omega.{scene}-{k:g}"] for k in omega], f"{mark}-", color=color, markersize=4, label=label)
    ax.set_xticks(omega, [f"{k:g}" for k in omega])
    ax.set_ylim(0, None)
    ax.set_xlabel("factor of corrections")
    ax.set_ylabel("left of constraints, %")
    ax.set_title("eight iterations")
    ax.legend()


def main(results, folder):
    values = style.measured(results)
    figure, axes = panels.sheet(1, 2, 2.5)
    drifts(axes[0], values)
    factors(axes[1], values)
    style.save(figure, folder, "upp-ablations")


if __name__ == "__main__":
    main(*sys.argv[1:])
