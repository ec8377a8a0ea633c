"""What the limits of meta-particles, alpha and beta change in short versions of Figures 3, 4, 5, 7 and 10."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LABELS = {"default": "8 to 64", "8": "8", "64": "64", "a0": "α = 0", "b1": "β = 1"}
LOOKS = {"default": (style.GREEN, "o"), "8": (style.BLUE, "s"), "64": (style.BLUE, "D"), "a0": (style.RED, "v"), "b1": (style.RED, "^")}


def deflection(results, run):
    return style.summary(results, run)["deflection_max"]


def taken(results, run):
    speed = style.body(results, run, "ball")["velocity_x"]
    return speed[0] - speed[-1]


def rise(results, run):
    fluid = style.summary(results, run)["bodies"]["fluid"]
    return fluid["lowest_height"] + fluid["rebound_height"]


# scene -> (title, axis of its variants, axis of its samples, main measure, its name)
SCENES = {
    "fig03": ("Figure 3", "solid", "ball", deflection, "deflection"),
    "fig04": ("Figure 4", "fluid", "draw", deflection, "deflection"),
    "fig05": ("Figure 5", "solid", "wall", taken, "speed taken"),
    "fig07": ("Figure 7", "solid", "ball", deflection, "deflection"),
    "fig10": ("Figure 10", "fluid", "draw", rise, "rise"),
}


def points(ax, results, scene, value):
    """A value of every sample, over the variants of the scene."""
    _, variants, samples, _, _ = SCENES[scene]
    names = RUNS.axis(variants)
    for place, variant in enumerate(names):
        found = [value(results, f"{scene}-{variant}-{sample}") for sample in RUNS.axis(samples)]
        color, mark = LOOKS[variant]
        ax.plot(place + 0.12 * (np.arange(len(found)) - 1), found, mark, color=color, markersize=3.5)
    ax.set_xticks(range(len(names)), [LABELS[name] for name in names], fontsize=panels.SMALLEST, rotation=60)
    ax.set_xlim(-0.5, len(names) - 0.5)


def figures(results, folder):
    figure, axes = panels.sheet(2, len(SCENES), 3.4, sharex="col", sharey="row")
    for column, (scene, (title, _, samples, measure, name)) in zip(axes.T, SCENES.items()):
        base = np.mean([measure(results, f"{scene}-default-{sample}") for sample in RUNS.axis(samples)])
        points(column[0], results, scene, lambda r, run, measure=measure, base=base: measure(r, run) / base)
        column[0].axhspan(0.9, 1.1, color=style.GREY, alpha=0.15, linewidth=0)
        column[0].set_ylim(0.8, 1.2)
        column[0].set_title(f"{title}:\n{name}")
        points(column[1], results, scene, lambda r, run: style.summary(r, run)["overlap_depth_max"])
        column[1].set_ylim(0, 0.55)
        column[1].set_xlabel("limit, or α or β")
    axes[0][0].set_ylabel("over that with 8 to 64")
    axes[1][0].set_ylabel("deepest overlap, radii")
    style.save(figure, folder, "ablation-group-limits-figures")
