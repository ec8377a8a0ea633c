"""Figure 6: three instants of the impact from behind, by fragment; the cracks at the end, the sizes of the fragments
and how they come about."""

import sys

import numpy as np
import panels
import style
from draw_roundings import roundings
from style import plt

RUN = "impact"
SHOWN = (4, 12, 24)  # frames: cracks grow, the ball is halfway out, and it has left
FRAMES = (1, 2, 4, 8, 16, 24)
COLORS = (style.GREY, style.SKY, style.GREEN, style.ORANGE, style.RED, style.BLACK)  # of the instants,
MARKS = "xsv^Do"  # and their marks
DEBRIS = 3  # particles, as in docs/measures.md


def milliseconds(results, frame):
    return f"{1e3 * style.setting(results, RUN, 'time.frame_interval') * frame:.2g} ms"


def ring(axes, results, frame):
    """Where the ball is, also behind wall and debris: printed in grey, these are as bright as it is."""
    ball, seen = style.body(results, RUN, "ball"), style.camera_of(results, "behind")
    center = seen.seen(np.array([ball[axis][frame] for axis in "xyz"])) + [axes.get_xlim()[1] / 2, axes.get_ylim()[1] / 2]
    radius = style.setting(results, RUN, "bodies.ball.shape.ball.radius")
    axes.add_patch(plt.Circle(center, radius, fill=False, linewidth=0.9, zorder=3, path_effects=panels.RIM))
    axes.annotate("ball", center + [0, 1.1 * radius], ha="center", va="bottom", fontsize=panels.SMALLEST, zorder=3, path_effects=panels.RIM)


def sequence(results, folder):
    figure, axes = panels.sheet(1, len(SHOWN), 2.6)
    for ax, frame in zip(axes, SHOWN):
        style.view(ax, results, RUN, "behind", "fragment", frame, bar=frame == SHOWN[0])
        ring(ax, results, frame)
        ax.set_title(f"after {milliseconds(results, frame)}")
    style.save(figure, folder, "fig06-sequence")


def cracks(results, folder):
    figure, axes = panels.sheet(1, 2, 3.3)
    for ax, face, what in zip(axes, ("front", "back"), ("front face, which is hit", "back face")):
        style.crack_map(ax, results, RUN, face, FRAMES[-1])
        ax.set_title(f"{what}, after {milliseconds(results, FRAMES[-1])}")
    style.damage_bar(figure, axes, shrink=0.95, aspect=30, pad=0.01)
    style.save(figure, folder, "fig06-cracks")


def sizes(axes, results):
    """The number of fragments of the wall of at least each size, at each instant."""
    rows = style.fragments(results, RUN, "wall")
    for frame, color, mark in zip(FRAMES, COLORS, MARKS):
        found, counts = np.unique(rows["particles"][rows["frame"] == frame], return_counts=True)
        axes.step(found, counts[::-1].cumsum()[::-1], where="pre", marker=mark, markersize=3, linewidth=0.8, color=color,
                  label=milliseconds(results, frame))
    axes.axvline(DEBRIS + 0.5, color=style.GREY, linestyle=":", linewidth=0.8)
    axes.text(DEBRIS + 0.8, 0.93, "larger than debris", transform=axes.get_xaxis_transform(), fontsize=7, color=style.GREY)
    axes.set_xscale("log")
    axes.set_yscale("log")
    style.plain_ticks(axes.xaxis, [10.0 ** k for k in range(7)])
    style.plain_ticks(axes.yaxis, [10.0 ** k for k in range(7)])
    axes.set_xlabel("particles of a fragment")
    axes.set_title("fragments of at least this size")
    axes.legend(loc="upper right", bbox_to_anchor=(1, 0.9))


def curves(axes, lines, title, **legend):
    """Against time: (data of a run, values, label) each."""
    for (data, values, label), color, style_of_line in zip(lines, (style.BLUE, style.RED, style.GREEN), ("-", "--", ":")):
        axes.plot(1e3 * data["time"], values, color=color, linestyle=style_of_line, label=label)
    axes.set_title(title)
    axes.set_xlabel("time, ms")
    axes.margins(x=0)
    axes.legend(**legend)


def statistics(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2)
    data, speed = style.metrics(results, RUN), style.summary(results, RUN)["impact_speed"]
    sizes(axes[0, 0], results)
    curves(axes[0, 1], [(data, data["broken_bonds"], "broken bonds"), (data, data["fragments"], "fragments"),
                        (data, data["chunks"], "larger than debris")], "cracks",
           loc="center right", bbox_to_anchor=(1.02, 0.42))
    axes[0, 1].set_yscale("log")
    style.plain_ticks(axes[0, 1].yaxis, [10.0 ** k for k in range(0, 8, 2)])
    axes[0, 1].set_ylim(0.8)
    curves(axes[0, 2], [(data, 100 * data["largest_fraction"], "largest fragment"), (data, 100 * data["debris_fraction"], "debris")],
           "fraction of the wall, %")
    curves(axes[1, 0], [(data, 1e-3 * np.cumsum(data["broken_energy"]), "released by broken bonds"),
                        (data, 1e-3 * np.cumsum(data["numerical_dissipation"]), "dissipated by the integrator")], "energy, kJ")
    # mean of 1 - d / (2 r) over pairs; in radii twice that
    curves(axes[1, 1], [(data, data["overlap_depth"], "largest"), (data, 2 * data["overlap_mean"], "mean over pairs")],
           "overlap of wall and ball / radius")
    curves(axes[1, 2], [(data, data["speed_max"] / speed, "fastest particle"),
                        (data, data["speed_p999"] / speed, "99.9th percentile")], "speed / impact speed")
    for ax in axes.flat[2:]:
        ax.set_ylim(0)
    style.save(figure, folder, "fig06-statistics")


if __name__ == "__main__":
    sequence(*sys.argv[1:])
    cracks(*sys.argv[1:])
    statistics(*sys.argv[1:])
    roundings(*sys.argv[1:])
