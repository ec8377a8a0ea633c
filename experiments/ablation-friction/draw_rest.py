"""Rest: speeds in columns, pyramids, stacks and piles, and how many contacts of a step are unresolved."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
COLORS = dict(zip(RUNS.axis("mu"), (style.BLACK, style.SKY, style.RED)))
WIDTHS = (0.8, 0.9, 1.7)  # of their curves: what rests lies on each other
WINDOWS = 250
LEAST = 1e-18  # m/s; what rests entirely is drawn here


def speeds(ax, results, lines, title):
    """Runs and their line styles, for each coefficient: the largest speed within a part of the time."""
    for pattern, line, label in lines:
        for (mu, color), width in reversed([*zip(COLORS.items(), WIDTHS)]):
            data = style.metrics(results, pattern.replace("{mu}", mu))
            starts = np.arange(0, len(data["time"]), max(1, len(data["time"]) // WINDOWS))
            ax.semilogy(data["time"][starts], np.maximum(np.maximum.reduceat(data["speed_max"], starts), LEAST), color=color, linestyle=line, linewidth=width)
        ax.plot([], [], color=style.GREY, linestyle=line, linewidth=0.8, label=label)
    ax.set(xlabel="time, s", ylabel="largest speed, m/s", title=title, ylim=(LEAST / 3, 30))


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
