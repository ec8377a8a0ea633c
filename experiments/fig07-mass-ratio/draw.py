"""Figure 7: cross-sections for each mass ratio at the deepest, and how deep the cloth is over time; overlap and energy."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
RATIOS = dict(zip(RUNS.axis("ratio"), ((style.SKY, "-"), (style.BLUE, "--"), (style.ORANGE, "-."), (style.RED, ":"))))
FRAMES = (9, 10, 13, 20)  # with sections: each is the deepest of a run
WINDOW = (-0.21, 0.21, -0.41, 0.19)


def named(ratio):
    return "same mass" if ratio == "1" else f"{ratio} times heavier"


def deepest(results, ratio):
    """The frame nearest to the largest deflection, and its instant."""
    data, interval = (read(results, f"ratio-{ratio}", *of) for read, of in ((style.metrics, ()), (style.setting, ("time.frame_interval",))))
    frame = min(FRAMES, key=lambda frame: abs(frame * interval - data["time"][data["deflection"].argmax()]))
    return frame, frame * interval


def cross_sections(results, folder):
    figure, axes = panels.sheet(2, len(RATIOS), 4.4, height_ratios=(2.5, 1.5))
    grid = axes[1, 0].get_gridspec()
    for ax in axes[1]:
        ax.remove()
    below = figure.add_subplot(grid[1, :])
    for ax, (ratio, (color, line)) in zip(axes[0], RATIOS.items()):
        run, (frame, instant) = f"ratio-{ratio}", deepest(results, ratio)
        style.draw_solids(ax, style.section(results, run, frame), WINDOW)
        ax.set_title(f"{named(ratio)},\n{instant:.2f} s")
        numbers, data = style.summary(results, run), style.metrics(results, run)
        ax.set_xlabel(f"{style.verdict_at(results, run, frame)}\ndeepest overlap {numbers['overlap_depth_max']:.2f} r", color=style.verdict_color(numbers))
        below.plot(data["time"], data["deflection"], color=color, linestyle=line)
        dot = instant, np.interp(instant, data["time"], data["deflection"])
        below.plot(*dot, "o", color=color, markersize=4)
        below.annotate(named(ratio), dot, xytext=(6, 3), textcoords="offset points", fontsize=panels.SMALLEST, color=color)
    panels.scale_bar(axes[0, 0], 0.1)
    below.set(xlabel="time, s", ylabel="deflection, m", ylim=(0, 0.42))
    below.margins(x=0)
    style.save(figure, folder, "fig07-cross-sections")


def curves(results, folder):
    quantities = [("largest overlap of ball and cloth / radius", lambda m, _: m["overlap_depth"]),
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
