"""Bodies that know how deep their particles lie in them: the field, bodies in each other, bumps."""

import sys

import numpy as np
import panels
import style
from locked import locked_pairs
from mergesplit import Run

FIELDS = (("none", style.BLUE), ("depth", style.ORANGE), ("one-sided", style.RED))
PERCENT = (0, 10, 20, 30)
FIELD, LAST = 0.02, 25  # radius, m; frame


def arrows(ax, results):
    """The field of the middle layer of a body, in its frame."""
    frame = Run(f"{results}/hooks-one-sided").frames[0]
    rows = frame["fields"]
    rows = rows[frame["body"][rows[:, 0].astype(int)] == 0]
    place = frame["position"][rows[:, 0].astype(int)]
    place = place - place.min(axis=0)
    layer = np.abs(place[:, 2] - 2 * FIELD) < 1e-3
    place, rows = place[layer], rows[layer]
    flat = np.linalg.norm(rows[:, 2:4], axis=1) > 0.5
    shown = ax.scatter(place[:, 0], place[:, 1], c=1000 * rows[:, 1], s=72, cmap="viridis")
    ax.quiver(place[flat, 0], place[flat, 1], rows[flat, 2], rows[flat, 3], scale=26, width=0.007)
    ax.figure.colorbar(shown, ax=ax, label="depth, mm", shrink=0.8)
    ax.set_aspect("equal")
    style.frame_only(ax)
    ax.set(xlim=(-0.09, 0.37), ylim=(-0.05, 0.41))
    panels.scale_bar(ax, 0.1, (0.6, 0.8))
    ax.set_title("field of a body")


def hooks(ax, results, field):
    frame = Run(f"{results}/hooks-{field}").frames[LAST if field == "none" else 3]
    for body, color in ((0, style.BLUE), (1, style.RED)):
        place = frame["position"][frame["body"] == body]
        for x, y, _ in place:
            ax.add_patch(style.plt.Circle((x, y), FIELD, facecolor=color, edgecolor="white", linewidth=0.3, alpha=0.35))
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.margins(0.12)
    style.frame_only(ax)
    panels.scale_bar(ax, 0.1)
    ax.set_title(f"{field}, {frame.time:.2f} s")


def centers(ax, results):
    for field, color in FIELDS:
        frames = [frame for frame in Run(f"{results}/hooks-{field}").frames]
        ax.plot([f.time for f in frames], [sum(locked_pairs(f["position"], f["body"], f["radius"]).values()) for f in frames], color=color, label=field)
    ax.set_xlabel("time, s")
    ax.set_ylabel("centers in the other")
    ax.set_title("two bodies")
    ax.legend()


def pairs(ax, results):
    for field, color in FIELDS[::2]:
        for seed in style.experiment(__file__).axis("seed"):
            frames = [frame for frame in Run(f"{results}/heap-{field}-{seed}").frames][::2]
            ax.plot([f.time for f in frames], [len(locked_pairs(f["position"], f["body"], f["radius"])) for f in frames], color=color, label=field if seed == "1" else None)
    ax.axvspan(1, 3, color="0.93", zorder=0)
    ax.set_xlabel("time, s")
    ax.set_ylabel("pairs in each other")
    ax.set_title("squeezed heap")
    ax.legend()


def heights(ax, results):
    found = style.measured(results)
    for percent, color in zip(PERCENT, (style.BLUE, style.SKY, style.GREEN, style.ORANGE)):
        for field, line in (("none", "-"), ("one-sided", "--")):
            height = np.array([1000 * value for name, value in sorted(found.items()) if name.startswith(f"UPP.bumps.height.{field}.{percent}.")])
            ax.plot(np.arange(len(height)) / 30, height, line, color=color, label=f"{percent} %" if line == "-" else None)
    ax.set_xlabel("way, spacings")
    ax.set_ylabel("height, mm")
    ax.set_title("dragged block")
    ax.set_ylim(-26, 1)  # room for the legend
    ax.legend(title="overlap", ncol=2, loc="lower center", columnspacing=1, handlelength=1)


def bumps(ax, results):
    found = style.measured(results)
    for field, color in FIELDS[::2]:
        ax.plot(PERCENT, [found[f"UPP.bumps.rms.{field}.{p}"] / 0.05 for p in PERCENT], "o-", color=color, markersize=4, label=field)
    ax.plot(PERCENT, [found[f"UPP.bumps.drop.none.{p}"] / 0.05 / 8 ** 0.5 for p in PERCENT], "--", color="0.5", label="spheres")
    ax.set_ylim(0, None)
    ax.set_xlabel("overlap at rest, %")
    ax.set_ylabel("rms height, radii")
    ax.set_title("bumps")
    ax.legend()


def main(results, folder):
    figure = panels.empty(6)
    grid = figure.add_gridspec(3, 3)
    places = [figure.add_subplot(grid[row, columns]) for row in range(3) for columns in (0, *((slice(1, 3),) if row == 1 else (1, 2)))]
    arrows(places[0], results)
    hooks(places[1], results, "none")
    hooks(places[2], results, "one-sided")
    centers(places[3], results)
    pairs(places[4], results)
    style.view(places[5], results, "heap-one-sided-1", "side", "body", 60, bar=True)
    places[5].set_title("one-sided, 6 s")
    heights(places[6], results)
    bumps(places[7], results)
    style.save(figure, folder, "upp-fields")


if __name__ == "__main__":
    main(*sys.argv[1:])
