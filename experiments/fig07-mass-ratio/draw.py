"""Figure 7: cross-sections for each mass ratio over time; deflection and energy."""

import sys

import style
from style import plt

RUNS = style.experiment(__file__)
RATIOS = dict(zip(RUNS.axis("ratio"), (style.SKY, style.BLUE, style.ORANGE, style.RED)))
FRAMES = (8, 16, 30)
WINDOW = (-0.62, 0.62, -0.75, 0.3)


def cross_sections(results, folder):
    figure, axes = plt.subplots(len(FRAMES), len(RATIOS), figsize=(9.0, 6.0), constrained_layout=True)
    for row, frame in zip(axes, FRAMES):
        for ax, ratio in zip(row, RATIOS):
            run = f"ratio-{ratio}"
            style.draw_section(ax, style.section(results, run, frame), WINDOW)
            if frame == FRAMES[0]:
                ax.set_title("same mass" if ratio == "1" else f"{ratio} times heavier")
            if frame == FRAMES[-1]:
                numbers = style.summary(results, run)
                ax.set_xlabel(style.verdict(numbers), color=style.verdict_color(numbers))
        row[0].set_ylabel(f"{frame * style.setting(results, run, 'time.frame_interval'):.2f} s")
    style.save(figure, folder, "fig07-cross-sections")


def curves(results, folder):
    quantities = [("deflection, m", lambda m, _: m["deflection"]),
                  ("largest overlap of ball and cloth", lambda m, _: m["overlap_max"]),
                  ("energy gained / kinetic energy at impact", lambda m, n: (m["energy"] - m["energy"][0]) / n["impact_kinetic"])]
    figure, axes = plt.subplots(1, len(quantities), figsize=(9.0, 2.5), constrained_layout=True)
    for ax, (quantity, value) in zip(axes, quantities):
        for ratio, color in RATIOS.items():
            data, numbers = style.metrics(results, f"ratio-{ratio}"), style.summary(results, f"ratio-{ratio}")
            ax.plot(data["time"], value(data, numbers), color=color, label=f"{ratio}x")
        ax.set_title(quantity)
        ax.set_xlabel("time in s")
        ax.margins(x=0)
    axes[0].legend(title="mass of the ball")
    style.save(figure, folder, "fig07-curves")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    curves(*sys.argv[1:])
