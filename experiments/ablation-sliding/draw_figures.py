"""The scenes of the figures with the paper's meta-particles and with sliding ones: what they are about, overlap, and work."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
METHODS = {"merging": ("merging-and-splitting", style.GREEN, "o"), "sliding": ("sliding meta-particles", style.BLACK, "s")}
STEPS = RUNS.axis("short")


def number(results, run, key):
    return style.summary(results, run)[key]


def taken(results, run):
    """What the wall takes of the ball's speed, m/s."""
    speed = style.body(results, run, "ball")["velocity_x"]
    return speed[0] - speed[-1]


def iterations(results, run):
    data = style.metrics(results, run)
    return np.sum(data["iterations_first"]) + np.sum(data["iterations_later"])


def deflection(results, run):
    return number(results, run, "deflection_max")


# scene, its name, axis of its samples, what it is about
SCENES = [("fig03", "Fig. 3, low", "ball", deflection), ("fig03-high", "Fig. 3, high", "ball", deflection),
          ("fig07", "Fig. 7", "ball", deflection), ("fig04", "Fig. 4", "seed", deflection), ("fig10", "Fig. 10", "seed", deflection)]
SCENES += [(f"fig05-{{}}-{step}", f"Fig. 5, {1e3 * float(step):g} ms", "wall", taken) for step in STEPS] + [("fig06", "Fig. 6", "aside", taken)]


def samples(scene, method, axis):
    stem = scene.replace("{}", method) if "{}" in scene else f"{scene}-{method}"
    return [f"figures-{stem}-{sample}" for sample in RUNS.axis(axis)]


def panel(ax, results, title, value, relative):
    """A point for each sample; over the mean of the paper's method if relative."""
    for place, (scene, _, axis, main) in enumerate(SCENES):
        measure = value or main
        base = np.mean([measure(results, run) for run in samples(scene, "merging", axis)]) if relative else 1.0
        for side, (method, (label, color, marker)) in zip((-0.15, 0.15), METHODS.items()):
            found = [measure(results, run) / base for run in samples(scene, method, axis)]
            ax.plot(place + side + np.linspace(-0.05, 0.05, len(found)), found, marker, color=color, markersize=3.5, linestyle="",
                    label=label if place == 0 else None)
    ax.set_xticks(range(len(SCENES)), [name for _, name, _, _ in SCENES], fontsize=panels.SMALLEST, rotation=60)
    ax.set_ylabel(title)
    ax.set_ylim(0, 1.05 * ax.dataLim.y1)


def block(ax, results):
    """Figure 11: the cloth under the middle of the block, over time."""
    looks = {"merging-parallel": (style.GREEN, "-"), "merging-turned": (style.GREEN, "--"),
             "sliding-parallel": (style.BLACK, "-"), "sliding-turned": (style.BLACK, "--"), "fine": (style.ORANGE, ":")}
    labels = {"merging-parallel": "merging-and-splitting", "merging-turned": "... lattice turned", "sliding-parallel": "sliding",
              "sliding-turned": "... lattice turned", "fine": "sliding, a fifth of the step"}
    for run, (color, line) in looks.items():
        data = style.metrics(results, f"figures-fig11-{run}")
        ax.plot(data["time"], 1e3 * data["deflection"], color=color, linestyle=line, label=labels[run])
    ax.set(xlabel="time, s", ylabel="deflection in\nFigure 11, mm")


def figures(results, folder):
    figure, axes = panels.sheet(2, 2, 4.6)
    panel(axes[0][0], results, "deflection or\nspeed, relative", None, True)
    panel(axes[0][1], results, "largest overlap, radii", lambda r, run: number(r, run, "overlap_depth_max"), False)
    panel(axes[1][0], results, "iterations, relative", iterations, True)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.25, 0))
    block(axes[1][1], results)
    panels.legend_below(axes[1][1], ncol=2)
    style.save(figure, folder, "ablation-sliding-figures")
