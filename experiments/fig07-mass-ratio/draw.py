"""Figure 7: cross-sections for each mass ratio over time; deflection and energy."""

import sys

import panels
import style

RUNS = style.experiment(__file__)
RATIOS = dict(zip(RUNS.axis("ratio"), ((style.SKY, "-"), (style.BLUE, "--"), (style.ORANGE, "-."), (style.RED, ":"))))
FRAMES = (8, 16, 30)
WINDOW = (-0.5, 0.5, -0.39, 0.37)


def cross_sections(results, folder):
    figure, axes = panels.sheet(len(FRAMES), len(RATIOS), 4.2)
    for row, frame in zip(axes, FRAMES):
        for ax, ratio in zip(row, RATIOS):
            run = f"ratio-{ratio}"
            style.draw_solids(ax, style.section(results, run, frame), WINDOW)
            if frame == FRAMES[0]:
                ax.set_title("same mass" if ratio == "1" else f"{ratio} times heavier")
            if frame == FRAMES[-1]:
                numbers = style.summary(results, run)
                overlap = numbers["overlap_depth_max"]
                ax.set_xlabel(f"{style.verdict_at(results, run, frame)}\ndeepest overlap {overlap:.2f} r", color=style.verdict_color(numbers))
        panels.scale_bar(row[0])
        row[0].set_ylabel(f"{frame * style.setting(results, run, 'time.frame_interval'):.2f} s")
    style.save(figure, folder, "fig07-cross-sections")


def curves(results, folder):
    quantities = [("deflection, m", lambda m, _: m["deflection"]),
                  ("largest overlap of ball and cloth / radius", lambda m, _: m["overlap_depth"]),
                  ("energy gained / kinetic energy at impact", lambda m, n: (m["energy"] - m["energy"][0]) / n["impact_kinetic"])]
    figure, axes = panels.sheet(1, len(quantities), 2.2)
    for ax, (quantity, value) in zip(axes, quantities):
        for ratio, (color, line) in RATIOS.items():
            data, numbers = style.metrics(results, f"ratio-{ratio}"), style.summary(results, f"ratio-{ratio}")
            ax.plot(data["time"], value(data, numbers), color=color, linestyle=line, label=f"{ratio}x")
        ax.set_title(quantity)
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0), title="mass of the ball")
    style.save(figure, folder, "fig07-curves")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    curves(*sys.argv[1:])
