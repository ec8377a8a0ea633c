"""Rest: speeds in columns, pyramids, stacks and piles, and how many contacts of a step are unresolved."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
COLORS = dict(zip(RUNS.axis("mu"), (style.BLACK, style.SKY, style.RED)))
WINDOWS = 250
AT_REST = 1e-11  # m/s; below it speeds are rounding, and a curve ends


def speeds(ax, results, lines, title):
    """Runs and their line styles, for each coefficient: the largest speed within a part of the time, up to where a run is at rest for good."""
    for pattern, line, label in lines:
        for mu, color in COLORS.items():
            data = style.metrics(results, pattern.replace("{mu}", mu))
            starts = np.arange(0, len(data["time"]), max(1, len(data["time"]) // WINDOWS))
            times, speed = data["time"][starts], np.maximum.reduceat(data["speed_max"], starts)
            moving = 1 + np.flatnonzero(speed > AT_REST)[-1]
            if moving < len(speed):
                times, speed = times[:moving + 1], np.append(speed[:moving], AT_REST)
                ax.plot(times[-1], AT_REST, "o", color=color, markersize=4, clip_on=False, zorder=3)
            ax.semilogy(times, speed, color=color, linestyle=line, linewidth=1)
        ax.plot([], [], color=style.GREY, linestyle=line, linewidth=0.8, label=label)
    ax.set(xlabel="time, s", ylabel="largest speed, m/s", title=title, ylim=(AT_REST, 30))
    ax.set_xlim(left=0)


def rest(results, folder):
    figure, axes = panels.sheet(1, 3, 2.6)
    speeds(axes[0], results, (("column-{mu}", "-", "column"), ("pyramid-{mu}", ":", "pyramid")), "Loose particles")
    speeds(axes[1], results, (("stack-soft-{mu}", "-", "soft"), ("stack-stiff-{mu}", ":", "stiff")), "Ten elastic blocks")
    speeds(axes[2], results, (("pile-{mu}", "-", None),), "512 particles in a box")
    for ax in axes[:2]:
        ax.legend(loc="upper right")
    colors = [axes[2].plot([], [], color=color)[0] for color in COLORS.values()]
    figure.legend(colors, [f"coefficient of friction {mu}" for mu in COLORS], loc="upper center", ncol=len(colors), bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-friction-rest")
