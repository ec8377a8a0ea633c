"""Figure 3: cross-sections of all methods at both heights; penetration, energy and speed over time."""

import sys

import numpy as np
import style
from style import plt

METHODS = {method: style.METHODS[method] for method in style.experiment(__file__).axis("method")}
FRAMES = {"low": 6, "high": 3}  # drawn of each height
WINDOW = (-0.33, 0.33, -0.45, 0.27)


def label(results, height):
    meters = style.height_of_fall(results, f"{height}-merging-and-splitting")
    return f"falling from {meters:.2g} m"


def cross_sections(results, folder):
    figure, axes = plt.subplots(2, len(METHODS), figsize=(11.2, 3.6), constrained_layout=True)
    for row, (height, frame) in zip(axes, FRAMES.items()):
        for ax, (method, (name, _, _)) in zip(row, METHODS.items()):
            run = f"{height}-{method}"
            style.draw_section(ax, style.section(results, run, frame), WINDOW)
            numbers = style.summary(results, run)
            ax.set_xlabel(style.verdict(numbers), color=style.verdict_color(numbers), fontsize=7)
            if height == "low":
                ax.set_title(name.replace(", ", "\n") if "," in name else name.replace("-and-", "-\nand-"))
        row[0].set_ylabel(label(results, height))
    style.save(figure, folder, "fig03-cross-sections")


def curves(results, folder):
    quantities = [
        ("particles that penetrated", lambda m, _: m["penetrated"], ("symlog", 1), (0, 1, 10, 100, 1000)),
        ("energy gained / kinetic energy at impact",
         lambda m, n: (m["energy"] - m["energy"][0]) / n["impact_kinetic"],
         ("symlog", 2), (-3, -2, -1, -0.5, 0, 0.5, 1, 2, 10, 100, 1000)),
        ("99.9th percentile of speed so far / speed allowed", lambda m, _: m["speed_ratio"], ("log", None),
         (1, 1.5, 2, 3, 5, 10, 20, 50, 100)),
    ]
    figure, axes = plt.subplots(2, len(quantities), figsize=(9.5, 4.6), sharex=True, constrained_layout=True)
    for row, height in zip(axes, FRAMES):
        for ax, (quantity, value, (scale, linear), ticks) in zip(row, quantities):
            for method, (name, color, line) in METHODS.items():
                run = f"{height}-{method}"
                data, numbers = style.metrics(results, run), style.summary(results, run)
                values = value(data, numbers)
                own = method == "merging-and-splitting"
                ax.plot(data["time"], values, color=color, linestyle=line, label=name,
                        linewidth=2 if own else 1, zorder=3 if own else 2)
            ax.set_yscale(scale, **({"linthresh": linear} if linear else {}))
            style.plain_ticks(ax.yaxis, ticks)
            if height == "low":
                ax.set_title(quantity)
            else:
                ax.set_xlabel("time in s")
            ax.margins(x=0)
        row[0].set_ylabel(label(results, height))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig03-curves")


def shapes(results, folder):
    figure, ax = plt.subplots(figsize=(4.6, 3.0), constrained_layout=True)
    for height, line in (("low", "-"), ("high", "--")):
        name, fall = f"{height}-shape", label(results, height)
        data = style.table(f"{results}/{name}.csv")
        ax.plot(data["time"], 1e3 * np.array(data["rms"]), color=style.GREEN, linestyle=line, label=f"distance, {fall}")
        ax.plot(data["time"], 1e3 * np.array(data["moved_a"]), color=style.GREY, linestyle=line, label=f"displacement, {fall}")
    ax.set_xlabel("time in s")
    ax.set_ylabel("rms over the cloth, mm")
    ax.set_title("cloth: merging-and-splitting against tuned penalty forces")
    ax.set_yscale("symlog", linthresh=1)
    ax.margins(x=0)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), ncol=2)
    style.save(figure, folder, "fig03-shape-distance")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    curves(*sys.argv[1:])
    shapes(*sys.argv[1:])
