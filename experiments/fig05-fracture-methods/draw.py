"""Figure 5: the wall from the side and, later, from behind, by fragment and by damage; crack maps of its faces; overlap,
speed and debris over time."""

import sys

import numpy as np
import style
from style import plt

METHODS = {**style.METHODS, "penalty-firm": ("penalty, firm", style.ORANGE, "-.")}
RUNS = ("penalty-weak", "penalty-medium", "penalty-firm", "penalty-strong", "sph-weak", "sph-strong", "impulse",
        "merging-and-splitting")
SHOWN = tuple(run for run in RUNS if run not in ("penalty-medium", "penalty-firm"))
SIDE, BEHIND = 5, 15  # frames


def at_time(results, run, frame, column):
    """A column of metrics.csv at the instant of a frame, or at the end of a run that ended before."""
    data = style.metrics(results, run)
    interval = style.setting(results, run, "time.frame_interval")
    return data[column][np.searchsorted(data["time"], frame * interval - 1e-9).clip(max=len(data["time"]) - 1)]


def columns(rows, height_ratios, height):
    """A panel per row and method shown; the methods' names above."""
    figure, axes = plt.subplots(rows, len(SHOWN), figsize=(9.6, height), constrained_layout=True,
                                gridspec_kw={"height_ratios": height_ratios})
    for ax, run in zip(axes[0], SHOWN):
        ax.set_title(METHODS[run][0].replace("-and-", "-\nand-").replace(", ", ",\n"))
    return figure, axes


def milliseconds(results, frame):
    return f"{1e3 * style.setting(results, SHOWN[0], 'time.frame_interval') * frame:.2g} ms"


def views(results, color, note):
    """The wall cut open from the side and, later, whole from behind, with what was measured below."""
    figure, axes = columns(2, (1.25, 1), 4.35)
    for side, behind, run in zip(axes[0], axes[1], SHOWN):
        numbers = style.summary(results, run)
        style.view(side, results, run, "side", color, SIDE)
        speed = numbers["speed_max"] / numbers["impact_speed"]
        side.set_xlabel(f"overlap {numbers['depth_before']:.2g} r\nspeed {speed:.2g} x impact", fontsize=7,
                        color=style.GREEN if numbers["depth_before"] < 0.25 and speed < 3 else style.RED)
        style.view(behind, results, run, "behind", color, BEHIND)
        chunks, debris = (at_time(results, run, BEHIND, column) for column in ("chunks", "debris_fraction"))
        behind.set_xlabel(f"{chunks:.0f} chunk{'s' if chunks != 1 else ''}, {100 * debris:.1f} % debris", fontsize=7)
    axes[0, 0].set_ylabel(f"cut open, from the side\nafter {milliseconds(results, SIDE)}\n{note}")
    axes[1, 0].set_ylabel(f"from behind\nafter {milliseconds(results, BEHIND)}\n{note}")
    return figure, axes


def fragments(results, folder):
    figure, _ = views(results, "fragment", "color: fragment")
    style.save(figure, folder, "fig05-views")


def damage(results, folder):
    figure, axes = views(results, "damage", "color: damage")
    figure.set_figheight(4.1)
    style.damage_bar(figure, axes, shrink=0.6, aspect=30, pad=0.01)
    style.save(figure, folder, "fig05-damage")


def cracks(results, folder):
    figure, axes = columns(2, (1, 1), 3.15)
    for row, face, what in zip(axes, ("back", "front"), ("back face", "front face, which is hit")):
        for ax, run in zip(row, SHOWN):
            style.crack_map(ax, results, run, face, BEHIND)
        row[0].set_ylabel(f"{what}\nafter {milliseconds(results, BEHIND)}")
    style.damage_bar(figure, axes, shrink=0.9, aspect=30, pad=0.01)
    style.save(figure, folder, "fig05-cracks")


def curves(results, folder):
    quantities = [
        ("largest overlap / radius", lambda m, _: m["overlap_depth"], "linear", (0, 0.5, 1, 1.5, 2)),
        ("largest speed / impact speed", lambda m, n: m["speed_max"] / n["impact_speed"], "log",
         (1, 2, 3, 4, 6, 10, 20)),
        ("debris, % of the wall", lambda m, _: 100 * m["debris_fraction"], "linear", (0, 2, 4, 6, 8)),
        ("largest fragment, % of the wall", lambda m, _: 100 * m["largest_fraction"], "linear",
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
    fragments(*sys.argv[1:])
    damage(*sys.argv[1:])
    cracks(*sys.argv[1:])
    curves(*sys.argv[1:])
