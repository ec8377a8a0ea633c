"""A ball of larger particles on a sheet of smaller ones; grains on a sheet of larger particles."""

import sys

import panels
import style
from draw_strain import stretched

RUNS = style.experiment(__file__)
LOOKS = dict(zip(RUNS.axis("ratio"), ((style.GREY, ""), (style.BLUE, "o"), (style.RED, "^"))))
SHOWN = ("grains-0.1", "grains-0.33", "grains-0.5")


def sections(axes, results, runs, frame, window, title):
    for ax, run in zip(axes, runs):
        style.draw_section(ax, style.section(results, run, frame), window)
        ax.set_title(title(run))
        numbers = style.summary(results, run)
        ax.set_xlabel(style.verdict(numbers), color=style.verdict_color(numbers))


def radius_ratio(results, run, body):
    """Of the particles of a body over those of the sheet."""
    return style.setting(results, run, f"bodies.{body}.radius") / style.setting(results, run, "bodies.cloth.radius")


def ball(results, run):
    """Which ball it is: particles of sheet and ball, and its speed."""
    return f"1 : {radius_ratio(results, run, 'ball'):.0f}, {-style.setting(results, run, 'bodies.ball.velocity')[2]:g} m/s"


def dent(ax, results):
    for ratio, (color, mark) in LOOKS.items():
        for run, line in zip(RUNS.sweep("ball-{ratio}-speed-{speed}", ratio=ratio), ("--", "-")):
            data = style.metrics(results, run)
            ax.plot(data["time"], 1e3 * data["deflection"], color=color, linestyle=line, marker=mark, markersize=3, markevery=0.1, label=ball(results, run))
    ax.set_ylabel("deflection, mm")
    ax.set_xlabel("time, s")
    ax.set_xlim(0, 0.15)
    ax.set_xticks((0, 0.05, 0.1, 0.15))
    ax.set_ylim(0, None)


def leaks(ax, results):
    ratios, fractions = [], []
    for run in RUNS.sweep("grains-{grain}"):
        grains = style.summary(results, run)
        columns, rows = style.setting(results, run, "bodies.cloth.shape.sheet.cells")
        ratios.append(radius_ratio(results, run, "grains"))
        fractions.append(grains["penetrated_max"] / (grains["particles"] - columns * rows))
    ax.plot(ratios, fractions, "o-", color=style.BLUE, markersize=4)
    ax.axvline(2 ** 0.5 - 1, color=style.GREY, linestyle="--", linewidth=0.8)
    ax.annotate(r"$\sqrt{2} - 1$", (2 ** 0.5 - 1, max(fractions)), textcoords="offset points",
                xytext=(4, -6), color=style.GREY)
    ax.set_xlabel("radius of a grain / of the sheet's")
    ax.set_ylabel("fraction of the grains through")


def main(results, folder):
    figure, axes = panels.sheet(2, 4, 3.6, gridspec_kw={"width_ratios": [1, 1, 1, 1.3]})
    sections(axes[0], results, RUNS.sweep("ball-{ratio}-speed-{speed}", speed="4"), 6, (-0.21, 0.21, -0.12, 0.17),
             lambda run: f"ball {ball(results, run)}")
    sections(axes[1], results, SHOWN, 16, (-0.21, 0.21, -0.2, 0.09),
             lambda run: f"grains {radius_ratio(results, run, 'grains'):.2g}")
    for ax in axes[:, 0]:
        panels.scale_bar(ax, 0.1)
    dent(axes[0][3], results)
    leaks(axes[1][3], results)
    figure.legend(*axes[0][3].get_legend_handles_labels(), loc="upper right", bbox_to_anchor=(1, 0), ncol=3, title="sheet to ball")
    style.save(figure, folder, "ablation-radius")
    stretched(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
