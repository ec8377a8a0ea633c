"""Figure 3: cross-sections of all methods at both heights; penetration, energy and speed over time."""

import sys

import numpy as np
import style
from style import METHODS, plt

HEIGHTS = {"low": ("falling from 0.2 m", 6), "high": ("falling from 8 m", 6)}
WINDOW = (-0.33, 0.33, -0.45, 0.27)


def cross_sections(results, folder):
    figure, axes = plt.subplots(2, len(METHODS), figsize=(11.2, 3.6), constrained_layout=True)
    for row, (height, (label, frame)) in zip(axes, HEIGHTS.items()):
        for ax, (method, (name, _, _)) in zip(row, METHODS.items()):
            run = f"{height}-{method}"
            style.draw_section(ax, style.section(results, run, frame), WINDOW)
            numbers = style.summary(results, run)
            ax.set_xlabel(style.verdict(numbers), color=style.verdict_color(numbers), fontsize=7)
            if height == "low":
                ax.set_title(name.replace(", ", "\n") if "," in name else name.replace("-and-", "-\nand-"))
        row[0].set_ylabel(label)
    style.save(figure, folder, "fig03-cross-sections")


def curves(results, folder):
    quantities = [
        ("particles on the wrong side", lambda m: m["wrong_side"], ("symlog", 1)),
        ("mechanical energy / kinetic energy at impact", None, ("symlog", 2)),
        ("99.9th percentile of speed / impact speed", lambda m: m["speed_ratio"], ("log", None)),
    ]
    figure, axes = plt.subplots(2, len(quantities), figsize=(9.5, 4.6), sharex=True, constrained_layout=True)
    for row, (height, (label, _)) in zip(axes, HEIGHTS.items()):
        for ax, (quantity, value, (scale, linear)) in zip(row, quantities):
            for method, (name, color, line) in METHODS.items():
                run = f"{height}-{method}"
                data = style.metrics(results, run)
                if value is None:
                    impact = style.summary(results, run)["impact_kinetic"]
                    values = (data["energy"] - data["energy"][0]) / impact
                else:
                    values = value(data)
                own = method == "merging-and-splitting"
                ax.plot(data["time"], values, color=color, linestyle=line, label=name,
                        linewidth=2 if own else 1, zorder=3 if own else 2)
            ax.set_yscale(scale, **({"linthresh": linear} if linear else {}))
            if height == "low":
                ax.set_title(quantity)
            else:
                ax.set_xlabel("time in s")
            ax.margins(x=0)
        row[0].set_ylabel(label)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig03-curves")


def shapes(results, folder):
    figure, ax = plt.subplots(figsize=(4.2, 2.6), constrained_layout=True)
    for name, label, line in (("low-shape", "0.2 m", "-"), ("high-shape", "8 m", "--")):
        data = style.table(f"{results}/{name}.csv")
        ax.plot(data["time"], 1e3 * np.array(data["rms"]), color=style.GREEN, linestyle=line, label=f"distance, {label}")
        ax.plot(data["time"], 1e3 * np.array(data["moved_a"]), color=style.GREY, linestyle=line, label=f"displacement, {label}")
    ax.set_xlabel("time in s")
    ax.set_ylabel("rms over the cloth, mm")
    ax.set_title("cloth: merging-and-splitting against medium penalty forces")
    ax.set_yscale("symlog", linthresh=1)
    ax.margins(x=0)
    ax.legend()
    style.save(figure, folder, "fig03-shape-distance")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    curves(*sys.argv[1:])
    shapes(*sys.argv[1:])
