"""Collisions off center, a heap, and a row of dominoes."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
STEPS = RUNS.axis("step")
WAYS = {"merging": style.GREEN, "sliding": style.BLACK}
MARKS = {"0.25": "s", "1": "^"}
TOPPLED, FRAME = 0.02, 75  # as in claims.py; the frame that is shown


def error(results, run, closed):
    rod = style.body(results, run, "lower")
    return np.hypot(rod["velocity_x"][-1] - closed, rod["velocity_z"][-1])


def closed_forms():
    """The velocity of the lower rod along x where rods part, as in claims.py."""
    for way, quarter in (("merging", (1 + np.sqrt(0.25 - 0.75 * 0.08)) / 6), ("sliding", 0.25)):
        yield way, "0.25", quarter
        yield way, "1", 1 / 3


def collisions(ax, results):
    for way, alpha, closed in closed_forms():
        ax.loglog([1e3 * float(step) for step in STEPS], [error(results, f"collide-{way}-{alpha}-{step}", closed) for step in STEPS], MARKS[alpha] + "-",
                  color=WAYS[way], markersize=4, label=f"{way}, α = {alpha}")
    ax.set_xticks([0.25, 0.5, 1], ["0.25", "0.5", "1"])
    ax.xaxis.set_minor_locator(style.plt.NullLocator())
    ax.set_xlabel("step, ms")
    ax.set_ylabel("error of a velocity, m/s")
    ax.set_title("off center")
    ax.legend(loc="center", bbox_to_anchor=(0.5, 0.55))


def heaps(ax, results):
    for way, color in WAYS.items():
        data = style.metrics(results, f"heap-{way}")
        ax.plot(data["time"], data["kinetic"] + data["gravitational"], color=color, label=way)
    ax.set_xlabel("time, s")
    ax.set_ylabel("energy, J")
    ax.set_title("eight bricks fall")
    ax.legend()


def fallen(results, run):
    """When each domino falls over its edge, s; nan: it does not."""
    found = []
    for k in range(1, 9):
        data = style.body(results, run, f"tile-{k}")
        way = data["x"] - data["x"][0]
        found.append(np.interp(TOPPLED, way, data["time"]) if way[-1] > TOPPLED else np.nan)
    return found


def dominoes(ax, results):
    for run, label, color, line in (("sliding-5e-4", "sliding, 0.5 ms", style.GREY, "-"), ("sliding-2e-3", "sliding, 2 ms", style.BLACK, "--"),
                                    ("positions-5e-4", "positions, 0.5 ms", style.SKY, "-"), ("positions-2e-3", "positions, 2 ms", style.BLUE, "--")):
        ax.plot(range(1, 9), fallen(results, f"domino-{run}"), line, color=color, label=label)
    ax.set_xlabel("domino")
    ax.set_ylabel("falls after, s")
    ax.set_title("a row of dominoes")
    ax.set_ylim(top=1.5)  # room for the legend
    ax.legend()


def picture(ax, results):
    data = style.section(results, "domino-sliding-1e-3", FRAME)
    stands = np.array(data["body"]) != "floor"
    style.draw_section(ax, {name: np.array(values)[stands] for name, values in data.items()}, (-0.02, 0.92, -0.02, 0.22))
    ax.axhline(0, color=style.GREY, linewidth=0.8)
    panels.scale_bar(ax, 0.1, (0.86, 0.87))
    ax.set_title("a row of dominoes after 0.75 s, sliding contact")


def main(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2, height_ratios=(2.2, 1.65))
    for draw, ax in zip((collisions, heaps, dominoes), axes[0]):
        draw(ax, results)
    below = axes[1, 0].get_gridspec()[1, :]
    for ax in axes[1]:
        ax.remove()
    picture(figure.add_subplot(below), results)
    style.save(figure, folder, "rigid-bodies")


if __name__ == "__main__":
    main(*sys.argv[1:])
