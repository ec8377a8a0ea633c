"""What runs that differ only in rounding have in common and what not: medians, and from the least to the largest of all."""

import numpy as np
import panels
import style

COLUMNS = (("overlap_depth", "largest overlap / radius", 1.0), ("speed_max", "largest speed / impact speed", None),
           ("debris_fraction", "debris, % of the wall", 100.0))
RUNS = style.experiment(__file__)
WINDOW = 1e-4  # s, of which the largest value is drawn: a curve with every step is a thicket
# stages -> (color, color of the band, line); bands are told from each other in grey, too
LOOKS = dict(zip(RUNS.axis("stages"), ((style.BLUE, "#cfe6f4", "-"), (style.BLACK, "none", "--"))))


def largest(data, column):
    """In each window of time."""
    number = np.floor(data["time"] / WINDOW * (1 - 1e-12)).astype(int)
    return np.maximum.reduceat(data[column], np.flatnonzero(np.diff(number, prepend=-1)))


def band(ax, values, label, look):
    """The median of the runs against time, and a band of all."""
    color, pale, line = look
    time = 1e3 * WINDOW * (np.arange(values.shape[1]) + 0.5)
    low, high = values.min(axis=0), values.max(axis=0)
    if pale != "none":
        ax.fill_between(time, low, high, color=pale, linewidth=0)
    else:
        for edge in (low, high):
            ax.plot(time, edge, ":", color=color, linewidth=0.8)
    ax.plot(time, np.median(values, axis=0), line, color=color, linewidth=1.4, label=label)


def roundings(results, folder):
    figure, axes = panels.sheet(1, len(COLUMNS), 2.3)
    for stages, look in LOOKS.items():
        runs = RUNS.sweep("stages-{stages}-{aside}", stages=stages)
        for ax, (column, _, scale) in zip(axes, COLUMNS):
            values = [largest(style.metrics(results, run), column) * (scale or 1 / style.summary(results, run)["impact_speed"]) for run in runs]
            band(ax, np.array(values), f"{stages} stages", look)
    for ax, (_, title, _) in zip(axes, COLUMNS):
        ax.set(xlabel="time, ms", ylabel=title, xlim=(0, 3))
    axes[0].axhline(0.25, color=style.GREY, linewidth=0.8)
    for ax in axes:
        ax.set_ylim(0)
    axes[2].legend(loc="upper left")
    style.save(figure, folder, "fig06-roundings")
