"""Figure 5: the wall from the side and, later, from behind, for all methods; overlap, speed and dust over time."""

import sys

import numpy as np
import style
from matplotlib.collections import EllipseCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from style import plt

METHODS = {**style.METHODS, "penalty-firm": ("penalty, firm", style.ORANGE, "-.")}
RUNS = ("penalty-weak", "penalty-medium", "penalty-firm", "penalty-strong", "sph-weak", "sph-strong", "impulse",
        "merging-and-splitting")
SHOWN = tuple(run for run in RUNS if run not in ("penalty-medium", "penalty-firm"))
SIDE, BEHIND = 5, 15  # frames
SIDE_WINDOW = (-0.21, 0.33, -0.36, 0.36)
BEHIND_WINDOW = (-0.48, 0.48, -0.48, 0.48)
DUST = 3  # particles, as in docs/measures.md
DAMAGE = LinearSegmentedColormap.from_list("damage", (style.BLUE, style.SKY, style.YELLOW))
CHUNKS = (style.SKY, style.GREEN, style.PURPLE, style.BLUE, style.YELLOW, style.RED)  # the largest first


def damage_colors(data):
    """The wall by the share of bonds that broke; the ball in one color."""
    colors = DAMAGE(np.array(data["damage"], dtype=float))[:, :3]
    colors[np.array(data["body"]) == "ball"] = to_rgb(style.ORANGE)
    return colors


def fragment_colors(data):
    """The chunks of the wall by their rank, dust black; the ball in one color."""
    ball = np.array(data["body"]) == "ball"
    labels = np.array(data["fragment"])
    names, sizes = np.unique(labels[~ball], return_counts=True)
    ranked = names[np.lexsort((names, -sizes))]
    color = {name: CHUNKS[rank % len(CHUNKS)] for rank, name in enumerate(ranked)}
    color.update({name: style.BLACK for name, size in zip(names, sizes) if size <= DUST})
    return np.array([to_rgb(style.ORANGE if b else color[name]) for b, name in zip(ball, labels)])


def draw(axes, data, colors, window):
    """All particles as disks of their true radius, the nearest last and, deeper, darker."""
    u, v, depth, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "depth", "radius"))
    light = np.clip(0.9 - 0.5 * depth, 0.6, 1)[:, None]  # 1 m deeper: half as bright
    # thousands of disks: an image inside the vector picture
    axes.add_collection(EllipseCollection(
        2 * radius, 2 * radius, np.zeros_like(radius), units="xy", offsets=np.column_stack([u, v]),
        transOffset=axes.transData, facecolors=colors * light, edgecolors="#404040", linewidths=0.1,
        rasterized=True))
    axes.set_xlim(window[:2])
    axes.set_ylim(window[2:])
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#cccccc")


def at_time(results, run, frame, column):
    """A column of metrics.csv at the instant of a frame, or at the end of a run that ended before."""
    data = style.metrics(results, run)
    interval = float(style.setting(results, run, "time.frame_interval"))
    return data[column][np.searchsorted(data["time"], frame * interval - 1e-9).clip(max=len(data["time"]) - 1)]


def views(results, folder):
    figure, axes = plt.subplots(2, len(SHOWN), figsize=(9.6, 4.3), constrained_layout=True,
                                gridspec_kw={"height_ratios": (1.25, 1)})
    interval = float(style.setting(results, SHOWN[0], "time.frame_interval"))
    for side, behind, run in zip(axes[0], axes[1], SHOWN):
        numbers = style.summary(results, run)
        data = style.section(results, run, SIDE)
        draw(side, data, damage_colors(data), SIDE_WINDOW)
        side.set_title(METHODS[run][0].replace("-and-", "-\nand-").replace(", ", ",\n"))
        speed = numbers["speed_max"] / numbers["impact_speed"]
        side.set_xlabel(f"overlap {numbers['depth_before']:.2g} r\nspeed {speed:.2g} x impact", fontsize=7,
                        color=style.GREEN if numbers["depth_before"] < 0.25 and speed < 3 else style.RED)
        data = style.section(results, run, BEHIND)
        draw(behind, data, fragment_colors(data), BEHIND_WINDOW)
        chunks, dust = (at_time(results, run, BEHIND, column) for column in ("chunks", "dust_share"))
        behind.set_xlabel(f"{chunks:.0f} chunk{'s' if chunks != 1 else ''}, {100 * dust:.1f} % dust", fontsize=7)
    axes[0, 0].set_ylabel(f"from the side after {1e3 * interval * SIDE:.2g} ms\ncolor: share of bonds broken")
    axes[1, 0].set_ylabel(f"from behind after {1e3 * interval * BEHIND:.2g} ms\ncolor: chunks; dust black")
    style.save(figure, folder, "fig05-views")


def curves(results, folder):
    quantities = [
        ("largest overlap / radius", lambda m, _: m["overlap_depth"], "linear", (0, 0.5, 1, 1.5, 2)),
        ("largest speed / impact speed", lambda m, n: m["speed_max"] / n["impact_speed"], "log",
         (1, 2, 3, 4, 6, 10, 20)),
        ("share of the wall in dust, %", lambda m, _: 100 * m["dust_share"], "linear", (0, 2, 4, 6, 8)),
        ("share of the largest fragment, %", lambda m, _: 100 * m["largest_share"], "linear",
         (0, 20, 40, 60, 80, 100)),
    ]
    figure, axes = plt.subplots(1, len(quantities), figsize=(9.8, 2.5), constrained_layout=True)
    for ax, (quantity, value, scale, ticks) in zip(axes, quantities):
        for run in RUNS:
            name, color, line = METHODS[run]
            data, numbers = style.metrics(results, run), style.summary(results, run)
            own = run == "merging-and-splitting"
            ax.plot(1e3 * data["time"], value(data, numbers), color=color, linestyle=line, label=name,
                    linewidth=2 if own else 1, zorder=3 if own else 2)
        ax.set_yscale(scale)
        style.plain_ticks(ax.yaxis, ticks)
        ax.set_title(quantity)
        ax.set_xlabel("time in ms")
        ax.margins(x=0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=8, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig05-curves")


if __name__ == "__main__":
    views(*sys.argv[1:])
    curves(*sys.argv[1:])
