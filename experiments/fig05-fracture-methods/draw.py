"""Figure 5: the wall from the side and, later, from behind, by fragment and by damage; crack maps of its faces; overlap,
speed and debris over time."""

import sys

import panels
import style

METHODS = {**style.METHODS, "penalty-firm": ("penalty, firm", style.ORANGE, "-.")}
RUNS = ("penalty-weak", "penalty-medium", "penalty-firm", "penalty-strong", "sph-weak", "sph-strong", "impulse",
        "merging-and-splitting")
SHOWN = tuple(run for run in RUNS if run not in ("penalty-medium", "penalty-firm"))
SIDE, BEHIND = 5, 15  # frames


def columns(rows, height_ratios, height):
    """A panel per row and method shown; the methods' names above."""
    figure, axes = panels.sheet(rows, len(SHOWN), height, gridspec_kw={"height_ratios": height_ratios})
    for ax, run in zip(axes[0], SHOWN):
        ax.set_title(METHODS[run][0].replace("-and-", "-\nand-").replace(", ", ",\n"))
    return figure, axes


def milliseconds(results, frame):
    return f"{1e3 * style.setting(results, SHOWN[0], 'time.frame_interval') * frame:.2g} ms"


def views(results, color, note):
    """The wall cut open from the side and, later, whole from behind, with what was measured below."""
    figure, axes = columns(2, (1.25, 1), 3.6)
    for side, behind, run in zip(axes[0], axes[1], SHOWN):
        numbers = style.summary(results, run)
        style.view(side, results, run, "side", color, SIDE, bar=run == SHOWN[0])
        speed = numbers["speed_max"] / numbers["impact_speed"]
        side.set_xlabel(f"run: overlap\nto {numbers['depth_before']:.2g} r, speed\nto {speed:.2g} x impact", fontsize=6.5,
                        color=style.GREEN if numbers["depth_before"] < 0.25 and speed < 3 else style.RED)
        style.view(behind, results, run, "behind", color, BEHIND, bar=run == SHOWN[0])
        chunks, debris = (style.at_frame(results, run, BEHIND, column) for column in ("chunks", "debris_fraction"))
        behind.set_xlabel(f"{chunks:.0f} chunk{'s' if chunks != 1 else ''},\n{100 * debris:.1f} % debris", fontsize=6.5)
    axes[0, 0].set_ylabel(f"cut open, from the side\nafter {milliseconds(results, SIDE)}\n{note}")
    axes[1, 0].set_ylabel(f"from behind\nafter {milliseconds(results, BEHIND)}\n{note}")
    return figure, axes


def fragments(results, folder):
    figure, _ = views(results, "fragment", "color: fragment")
    style.save(figure, folder, "fig05-views")


def damage(results, folder):
    figure, axes = views(results, "damage", "color: damage")
    figure.set_figheight(3.5)
    style.damage_bar(figure, axes, shrink=0.6, aspect=30, pad=0.01)
    style.save(figure, folder, "fig05-damage")


def cracks(results, folder):
    figure, axes = columns(2, (1, 1), 2.6)
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
         (1, 2, 3, 4, 6, 10, 20, 40)),
        ("debris, % of the wall", lambda m, _: 100 * m["debris_fraction"], "linear", range(0, 14, 2)),
        ("largest fragment, % of the wall", lambda m, _: 100 * m["largest_fraction"], "linear",
         (0, 20, 40, 60, 80, 100)),
    ]
    figure, axes = panels.sheet(1, len(quantities), 2.3)
    for ax, (quantity, value, scale, ticks) in zip(axes, quantities):
        for run in RUNS:
            name, color, line = METHODS[run]
            data, numbers = style.metrics(results, run), style.summary(results, run)
            style.method_curve(ax, 1e3 * data["time"], value(data, numbers), run, name, color, line)
        ax.set_yscale(scale)
        style.plain_ticks(ax.yaxis, ticks)
        ax.set_title(quantity)
        ax.set_xlabel("time, ms")
        ax.margins(x=0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig05-curves")


if __name__ == "__main__":
    fragments(*sys.argv[1:])
    damage(*sys.argv[1:])
    cracks(*sys.argv[1:])
    curves(*sys.argv[1:])
