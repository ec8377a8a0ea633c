"""Cross-sections of the exchange at three density ratios and with other methods, and the fronts over time."""

import panels
import style

ROWS = {"exchange-800": "ratio 1.25", "exchange-500": "ratio 2", "exchange-100": "ratio 10"}
METHODS = {"exchange-500": "merging-and-splitting", "exchange-500-sliding": "sliding", "exchange-500-penalty": "penalty-medium",
           "exchange-500-impulse": "impulse"}
FRAMES = (0, 10, 20, 30)
WINDOW = (-0.4, 0.4, 0.0, 0.3)


def sections(axes, results):
    interval = style.setting(results, "exchange-500", "time.frame_interval")
    for row, (run, label) in zip(axes, ROWS.items()):
        for ax, frame in zip(row, FRAMES):
            style.draw_section(ax, style.section(results, run, frame), WINDOW)
        row[0].set_ylabel(label)
    for ax, frame in zip(axes[0], FRAMES):
        ax.set_title(f"{interval * frame:.1f} s")
    panels.scale_bar(axes[0, 0], 0.2, (0.7, 0.75))


def fronts(axes, results):
    for run, method in METHODS.items():
        label, color, _ = style.METHODS[method]
        mark = style.mark_of(method)
        label = "penalty, 1e4 N/m" if method == "penalty-medium" else label
        heavy, light = style.body(results, run, "heavy"), style.body(results, run, "light")
        axes.plot(heavy["time"], heavy["max_x"], color=color, marker=mark, markersize=3, markevery=0.15, label=label)
        axes.plot(light["time"], -light["min_x"], color=color, ls="--", marker=mark, markersize=3, markevery=0.15)
    axes.plot([], [], color=style.GREY, ls="-", label="heavy")
    axes.plot([], [], color=style.GREY, ls="--", label="light")
    axes.set(xlabel="time, s", ylabel="front at density ratio 2, m", xlim=(0, 0.7), ylim=(0, None))
    panels.legend_below(axes, ncol=2)


def levels(axes, results):
    for run, label, color, mark in zip(ROWS, ROWS.values(), (style.SKY, style.BLUE, style.BLACK), ("o", "^", "")):
        for name, line in ((run, "-"), (f"{run}-penalty", ":")):
            heavy = style.body(results, name, "heavy")
            axes.plot(heavy["time"], 1e3 * heavy["z"], color=color, ls=line, marker=mark, markersize=3, markevery=0.15, label=label if name == run else None)
    axes.plot([], [], color=style.BLACK, ls=":", label="with penalty forces")
    axes.axhline(50, color=style.GREY, lw=0.6)
    axes.set(xlabel="time, s", ylabel="height of the heavy fluid, mm", xlim=(0, 0.7), ylim=(45, 102))
    panels.legend_below(axes, ncol=2)


def main(results, folder):
    figure = panels.empty(4.8)
    upper, lower = figure.subfigures(2, 1, height_ratios=(2.3, 2.5))
    sections(upper.subplots(len(ROWS), len(FRAMES)), results)
    below = lower.subplots(1, 2)
    fronts(below[0], results)
    levels(below[1], results)
    style.save(figure, folder, "sph-two-fluids")
