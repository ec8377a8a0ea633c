"""Grains that got through against the initial strain of the sheet, and pictures of it."""

import panels
import style

RUNS = style.experiment(__file__).sweep("strain-{strain}")
SHOWN = ("0.2", "0.4", "0.5", "0.8")


def stretched(results, folder):
    figure, axes = panels.sheet(1, 1 + len(SHOWN), 1.9, gridspec_kw={"width_ratios": [1.5, *[1] * len(SHOWN)]})
    leaks = [style.summary(results, run)["penetrated_max"] for run in RUNS]
    strain = [style.setting(results, run, "bodies.cloth.shape.sheet.initial_strain") for run in RUNS]
    axes[0].plot(strain, leaks, "o-", color=style.BLUE)
    axes[0].axvline(2 ** 0.5 - 1, color=style.GREY, linestyle="--", linewidth=0.8)
    axes[0].annotate("41 %", (2 ** 0.5 - 1, max(leaks)), textcoords="offset points",
                     xytext=(-3, -4), ha="right", color=style.GREY)
    axes[0].set_xlabel("initial strain of the sheet")
    axes[0].set_ylabel("grains through the sheet")
    for ax, s in zip(axes[1:], SHOWN):
        style.draw_section(ax, style.section(results, f"strain-{s}", 15), (-0.22, 0.22, -0.26, 0.18))
        ax.set_title(f"strain {s}")
    panels.scale_bar(axes[1], 0.1)
    style.save(figure, folder, "ablation-radius-strain")
