"""A ball of larger particles on a sheet of smaller ones; grains on a sheet of larger particles."""

import sys

import style
from style import plt

BALLS = {"1": ("1 : 1", style.GREY), "3": ("1 : 3", style.BLUE), "10": ("1 : 10", style.RED)}
GRAINS = ("0.1", "0.33", "0.38", "0.4", "0.45", "0.5", "0.7", "1")
SHOWN = ("0.1", "0.33", "0.5")


def sections(axes, results, runs, frame, window, title):
    for ax, run in zip(axes, runs):
        style.draw_section(ax, style.section(results, run, frame), window)
        ax.set_title(title(run))
        numbers = style.summary(results, run)
        ax.set_xlabel(style.verdict(numbers), color=style.verdict_color(numbers))


def dent(ax, results):
    for ratio, (label, color) in BALLS.items():
        for speed, line in (("2", "--"), ("4", "-")):
            data = style.metrics(results, f"ball-{ratio}-speed-{speed}")
            ax.plot(data["time"], 1e3 * data["sag"], color=color, linestyle=line,
                    label=f"{label}, {speed} m/s")
    ax.set_title("depth of the dent, mm")
    ax.set_xlabel("time in s")
    ax.set_xlim(0, 0.15)
    ax.set_ylim(0, 115)
    ax.legend(loc="upper center", ncol=2)


def leaks(ax, results):
    ratios = [float(g) for g in GRAINS]
    shares = []
    for g in GRAINS:
        grains = style.summary(results, f"grains-{g}")
        shares.append(grains["wrong_side_max"] / (grains["particles"] - 225))
    ax.plot(ratios, shares, "o-", color=style.BLUE, markersize=4)
    ax.axvline(2 ** 0.5 - 1, color=style.GREY, linestyle="--", linewidth=0.8)
    ax.annotate(r"$\sqrt{2} - 1$", (2 ** 0.5 - 1, max(shares)), textcoords="offset points",
                xytext=(4, -6), color=style.GREY)
    ax.set_xlabel("radius of a grain / of the sheet's particles")
    ax.set_title("share of the grains that got through")


def main(results, folder):
    figure, axes = plt.subplots(2, 4, figsize=(10.5, 4.6), constrained_layout=True,
                                gridspec_kw={"width_ratios": [1, 1, 1, 1.2]})
    sections(axes[0], results, [f"ball-{ratio}-speed-4" for ratio in BALLS], 6, (-0.21, 0.21, -0.12, 0.17),
             lambda run: f"sheet to ball {BALLS[run.split('-')[1]][0]}, 4 m/s")
    sections(axes[1], results, [f"grains-{g}" for g in SHOWN], 16, (-0.21, 0.21, -0.2, 0.09),
             lambda run: f"grains of {run.split('-')[1]} the sheet's radius")
    dent(axes[0][3], results)
    leaks(axes[1][3], results)
    style.save(figure, folder, "ablation-radius")


if __name__ == "__main__":
    main(*sys.argv[1:])
