"""Figure 3: cross-sections of all methods at both heights, and ball and cloth as surfaces; penetration, energy and speed over time."""

import sys

import numpy as np
import panels
import style

METHODS = {method: style.METHODS[method] for method in style.experiment(__file__).axis("method")}
FRAMES = {"low": 6, "high": 3}  # drawn of each height
WINDOWS = {"low": (-0.26, 0.26, -0.23, 0.26), "high": (-0.26, 0.26, -0.41, 0.08)}


def label(results, height):
    meters = style.height_of_fall(results, f"{height}-merging-and-splitting")
    return f"falling from {meters:.2g} m"


def cross_sections(results, folder):
    figure, axes = panels.sheet(2, len(METHODS), 2.8)
    for row, (height, frame) in zip(axes, FRAMES.items()):
        for ax, (method, (name, _, _)) in zip(row, METHODS.items()):
            run = f"{height}-{method}"
            data = style.section(results, run, frame)
            style.draw_solids(ax, data, WINDOWS[height], [(style.behind(data, "ball", "cloth"), style.RED)])
            numbers = style.summary(results, run)
            ax.set_xlabel(style.verdict_at(results, run, frame), color=style.verdict_color(numbers), fontsize=6.5)
            if height == "low":
                ax.set_title(name.replace(", ", "\n") if "," in name else name.replace("-and-", "-\nand-"), fontsize=7)
        panels.scale_bar(row[-1])
        time = frame * style.setting(results, f"{height}-impulse", "time.frame_interval")
        row[0].set_ylabel(f"{label(results, height)}\nafter {time:.2f} s", fontsize=7)
    style.save(figure, folder, "fig03-cross-sections")


def surfaces(results, folder):
    """At the instants of the cross-sections."""
    figure, axes = panels.sheet(1, len(FRAMES), 1.5, 3.5)
    for ax, (height, frame) in zip(axes, FRAMES.items()):
        style.view(ax, results, f"{height}-merging-and-splitting", "above", "body", frame)
        time = frame * style.setting(results, f"{height}-merging-and-splitting", "time.frame_interval")
        ax.set_title(f"{label(results, height)},\nafter {time:.2f} s")
    style.save(figure, folder, "fig03-surfaces")


def curves(results, folder):
    quantities = [
        ("particles that penetrated", lambda m, _: m["penetrated"], ("symlog", 1), (0, 1, 10, 100, 1000)),
        ("energy gained / kinetic energy at impact",
         lambda m, n: (m["energy"] - m["energy"][0]) / n["impact_kinetic"],
         ("symlog", 2), (-2, -1, -0.5, 0, 0.5, 1, 2, 10, 100, 1000)),
        ("99.9th percentile of speed so far / speed allowed", lambda m, _: m["speed_ratio"], ("log", None),
         (1, 1.5, 2, 3, 5, 10, 20, 50, 100)),
    ]
    figure, axes = panels.sheet(2, len(quantities), 4.0, sharex=True)
    for row, height in zip(axes, FRAMES):
        for ax, (quantity, value, (scale, linear), ticks) in zip(row, quantities):
            for method, (name, color, line) in METHODS.items():
                run = f"{height}-{method}"
                data, numbers = style.metrics(results, run), style.summary(results, run)
                style.method_curve(ax, data["time"], value(data, numbers), method, name, color, line)
            ax.set_yscale(scale, **({"linthresh": linear} if linear else {}))
            style.plain_ticks(ax.yaxis, ticks)
            if height == "low":
                ax.set_title(quantity)
            else:
                ax.set_xlabel("time, s")
            ax.margins(x=0)
        row[0].set_ylabel(label(results, height))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig03-curves")


def shapes(results, folder):
    figure, ax = panels.sheet(1, 1, 2.6, panels.COLUMN)
    for height, line, moved in (("low", "-", "-."), ("high", "--", ":")):
        name, fall = f"{height}-shape", label(results, height)
        data = style.table(f"{results}/{name}.csv")
        ax.plot(data["time"], 1e3 * np.array(data["rms"]), color=style.GREEN, linestyle=line, label=f"distance, {fall}")
        ax.plot(data["time"], 1e3 * np.array(data["moved_a"]), color=style.GREY, linestyle=moved, label=f"displacement, {fall}")
    ax.set_xlabel("time, s")
    ax.set_ylabel("rms over the cloth, mm")
    ax.set_title("cloth: merging-and-splitting against tuned forces")
    ax.set_yscale("symlog", linthresh=1)
    ax.margins(x=0)
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.22), ncol=1)
    style.save(figure, folder, "fig03-shape-distance")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    surfaces(*sys.argv[1:])
    curves(*sys.argv[1:])
    shapes(*sys.argv[1:])
