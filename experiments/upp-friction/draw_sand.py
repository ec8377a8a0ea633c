"""The castle: pictures, profile, height over time; columns and heaps."""

import numpy as np
import panels
import style
from heaps import LAYER, slope_of

RUNS = style.experiment(__file__)
WAYS = {"none": (style.GREY, "none"), "velocity": (style.ORANGE, "velocity"), "position": (style.BLUE, "position"), "kept": (style.GREEN, "kept")}


def height(data):
    """Of the center of mass over a layer on the floor, over that at the start."""
    return (data["z"] - LAYER) / (data["z"][0] - LAYER)


def skyline(results, run, number):
    """The highest grain in strips along x, m."""
    data = style.section(results, run, number)
    strip = np.floor(np.array(data["u"]) / 0.02).astype(int)
    z = np.abs(np.array(data["depth"]))
    at = np.arange(-25, 25)
    return 0.02 * (at + 0.5), [np.max(z[strip == k], initial=0.0) for k in at]


def over_time(ax, results):
    for way, (color, label) in WAYS.items():
        for run, line in ((f"castle-{way}", "-"), *((f"column-{way}-{seed}", ":") for seed in RUNS.axis("seed"))):
            data = style.body(results, run, "sand")
            ax.plot(data["time"], height(data), color=color, linestyle=line, label=label if line == "-" else None)
    for friction in RUNS.axis("friction"):
        for seed in RUNS.axis("seed"):
            data = style.body(results, f"short-{friction}-{seed}", "sand")
            ax.plot(data["time"], height(data), color=WAYS[friction][0], linestyle="--", linewidth=0.8)
    ax.plot([], [], color=style.BLACK, linestyle=":", label="columns")
    ax.plot([], [], color=style.BLACK, linestyle="--", linewidth=0.8, label="..., 24 steps")
    ax.set(xlabel="time, s", ylabel="height / that at the start", ylim=(0, 1.05))
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.57), ncol=2)


def profile(ax, results):
    ax.step(*skyline(results, "castle-kept", 0), where="mid", color=style.BLACK, linestyle=":", label="at the start")
    ax.legend(loc="upper left")
    for way, (color, _) in WAYS.items():
        ax.step(*skyline(results, f"castle-{way}", 10), where="mid", color=color)
    ax.set(xlabel="x, m", ylabel="highest grain, m", ylim=(0, 0.36))


def castle(results, folder):
    figure = panels.empty(3.4)
    grid = figure.add_gridspec(2, 4, height_ratios=(1, 1.4))
    for k, (run, frame, title) in enumerate((("castle-kept", 0, "at the start"), ("castle-velocity", 10, "velocity, 4.8 s"), ("castle-position", 10, "position, 4.8 s"),
                                             ("castle-kept", 10, "kept, 4.8 s"))):
        place = figure.add_subplot(grid[0, k])
        style.view(place, results, run, "front", "body", frame)
        place.set_title(title)
    profile(figure.add_subplot(grid[1, :2]), results)
    over_time(figure.add_subplot(grid[1, 2:]), results)
    style.save(figure, folder, "upp-friction-castle")


def repose(ax, results):
    """Angles of heaps, and that of friction."""
    def slope(run):
        data = style.section(results, run, 10)
        return slope_of(list(data["u"]), list(data["v"]), list(data["depth"]))
    mu = np.linspace(0.1, 0.8, 50)
    ax.plot(mu, np.degrees(np.arctan(mu)), color=style.GREY, label="atan µ")
    for friction, mark in (("position", "^"), ("kept", "o")):
        for rough in RUNS.axis("rough"):
            ax.plot([float(rough)] * 3, [slope(f"heap-{friction}-{rough}-{seed}") for seed in RUNS.axis("seed")], mark, color=WAYS[friction][0],
                    markersize=4, markerfacecolor="none", label=friction if rough == "0.2" else None)
    ax.set(xlabel="µ", ylabel="slope of a heap, degrees", title="heaps in disorder, 3 seeds")
    ax.legend()
