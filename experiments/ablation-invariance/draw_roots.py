"""Real roots of MS 13 taken, as in the paper, or ignored: what the scenes are about, overlap, work, and a body that is pressed on another."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LOOKS = {"taken": ("roots taken, as in the paper", style.GREEN, "o", "-"), "ignored": ("roots ignored", style.ORANGE, "s", "--")}


def deflection(results, run):
    return style.summary(results, run)["deflection_max"]


def taken(results, run):
    speed = style.body(results, run, "ball")["velocity_x"]
    return speed[0] - speed[-1]


def rise(results, run):
    fluid = style.summary(results, run)["bodies"]["fluid"]
    return fluid["lowest_height"] + fluid["rebound_height"]


# scene -> (its name, axis of its samples, what it is about)
FIGURES = {"fig03": ("Fig. 3", "drop", deflection), "fig07": ("Fig. 7", "drop", deflection), "fig04": ("Fig. 4", "jitter", deflection),
           "fig10": ("Fig. 10", "jitter", rise), "fig05": ("Fig. 5", "wall", taken)}
ALL = {**FIGURES, "sand": ("two balls of sand", "draw", None), "pressed": ("pressed block", "block", None)}


def runs(scene, roots):
    return RUNS.sweep(f"{scene}-{{roots}}-{{{ALL[scene][1]}}}", roots=roots)


def work(results, run):
    """How many pairs were merged, over all steps."""
    data = style.metrics(results, run)
    return np.sum(data["splits_with_root"]) + np.sum(data["splits_without_root"])


def panel(ax, results, scenes, title, measure, relative):
    """A point for each sample; over the mean with roots taken if relative."""
    for place, scene in enumerate(scenes):
        value = measure or FIGURES[scene][2]
        base = np.mean([value(results, run) for run in runs(scene, "taken")]) if relative else 1.0
        for side, (roots, (label, color, marker, _)) in zip((-0.15, 0.15), LOOKS.items()):
            found = [value(results, run) / base for run in runs(scene, roots)]
            ax.plot(place + side + np.linspace(-0.05, 0.05, len(found)), found, marker, color=color, markersize=3.5, linestyle="",
                    label=label if place == 0 else None)
    ax.set_xticks(range(len(scenes)), [ALL[scene][0] for scene in scenes], fontsize=panels.SMALLEST, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_ylabel(title)


def pressed(ax, results):
    for roots, (_, color, _, line) in LOOKS.items():
        for run in runs("pressed", roots):
            data = style.body(results, run, "block")
            ax.plot(data["time"][1:], data["kinetic"][1:], color=color, linestyle=line)
    ax.set(yscale="log", xlabel="time, s", ylabel="kinetic energy of\nthe pressed block, J")


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 4.2)
    panel(axes[0][0], results, FIGURES, "deflection, rise or\nspeed, relative", None, True)
    axes[0][0].axhspan(0.9, 1.1, color=style.GREY, alpha=0.15, linewidth=0)
    axes[0][0].set_ylim(0.7, 1.2)
    panel(axes[0][1], results, ALL, "deepest overlap, radii", lambda r, run: style.summary(r, run)["overlap_depth_max"], False)
    axes[0][1].set_ylim(0)
    panel(axes[1][0], results, ALL, "pairs merged in all\nsteps, relative", work, True)
    axes[1][0].set_ylim(0)
    pressed(axes[1][1], results)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2)
    style.save(figure, folder, "ablation-roots")
