"""Figure 1: two particles merge, are integrated and split. Figure 2: the sphere of splits, with and without a root."""

import sys

import panels
import style
from style import plt

WIDTH = 3.5  # inches, a column of the paper
SYMBOLS = 9.5  # points: their indices have 70 % of it
SCALE = 0.55  # length of an arrow in radii for a velocity of a radius per second
LIGHT, HEAVY, META = style.SKY, style.ORANGE, style.GREEN
STEPS = (("before", "collide"), ("merged", "merge"), ("integrated", "integrate"), ("split", "split"))


def pair(values, name):
    return values[f"ONE.{name}.x"], values[f"ONE.{name}.z"]


def velocity(values, name):
    return values[f"ONE.{name}.vx"], values[f"ONE.{name}.vz"]


def arrow(ax, start, vector, color, **options):
    ax.annotate("", (start[0] + vector[0], start[1] + vector[1]), start, annotation_clip=False,
                arrowprops={"arrowstyle": "-|>", "color": color, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.1, "mutation_scale": 7, **options})


def disk(ax, center, radius, color, **options):
    ax.add_patch(plt.Circle(center, radius, facecolor=color, linewidth=0.7, edgecolor="black", **options))


def one_step(ax, values, stage):
    """The meta-particle has the volume of both."""
    if stage in ("before", "split"):
        for who, color in (("light", LIGHT), ("heavy", HEAVY)):
            disk(ax, pair(values, f"{stage}-{who}"), 1, color, alpha=0.75)
        for who in ("light", "heavy"):
            arrow(ax, pair(values, f"{stage}-{who}"), [SCALE * v for v in velocity(values, f"{stage}-{who}")], "black")
        return
    for who in ("light", "heavy"):
        disk(ax, pair(values, f"{'before' if stage == 'merged' else 'split'}-{who}"), 1, "none", linestyle=":")
    disk(ax, pair(values, f"{stage}-both"), 2 ** (1 / 3), META, alpha=0.75)
    arrow(ax, pair(values, f"{stage}-both"), [SCALE * v for v in velocity(values, f"{stage}-both")], "black")


def steps(values, folder):
    figure, axes = plt.subplots(1, 4, figsize=(WIDTH, 1.0), sharex=True, sharey=True,
                                gridspec_kw={"wspace": 0, "left": 0, "right": 1})
    for ax, (stage, title) in zip(axes, STEPS):
        one_step(ax, values, stage)
        ax.set_title(title, fontsize=7.5)
        ax.set_xlim(-1.85, 2.85)
        ax.set_ylim(-1.25, 1.75)
        ax.set_aspect("equal")
        ax.axis("off")
    style.save(figure, folder, "fig01-steps")


def split(ax, values, case, title):
    first, merged, after = (velocity(values, f"{case}-{who}") for who in ("first", "merged", "after"))
    radius = values[f"ONE.{case}-sphere.radius"]
    ax.add_patch(plt.Circle(merged, radius, facecolor=style.SKY, alpha=0.25, edgecolor="none"))
    ax.add_patch(plt.Circle(merged, radius, fill=False, edgecolor=style.BLUE, linewidth=0.9))
    ax.axhline(first[1], color=style.GREY, linewidth=0.8, linestyle="--")
    ax.text(0.1, first[1] + 0.1, r"$\mathbf{v}_1 + \mu\,\hat{\mathbf{n}}$", fontsize=SYMBOLS, color="#555555", ha="center")
    arrow(ax, first, (after[0] - first[0], after[1] - first[1]), style.RED)
    arrow(ax, merged, (after[0] - merged[0], after[1] - merged[1]), style.BLUE)
    for point, name, offset in ((first, r"$\mathbf{v}_1$", (4, 4)), (merged, r"$\mathbf{v}'_{12}$", (5, -9)),
                                (after, r"$\mathbf{v}'_1$", (-16, 4) if case == "root" else (-18, -10))):
        ax.plot(*point, "o", color="black", markersize=3)
        ax.annotate(name, point, offset, textcoords="offset points", fontsize=SYMBOLS)
    if case == "root":  # the other one, mirrored at the center
        ax.plot(2 * merged[0] - after[0], after[1], "o", color="black", markersize=3, markerfacecolor="white")
    middle = [(a + b) / 2 for a, b in zip(merged, after)]
    ax.annotate("$s$", middle, (4, 0), textcoords="offset points", fontsize=SYMBOLS, color=panels.darker(style.BLUE))
    ax.set_title(title)
    ax.set_xlim(-1.3, 1.3)
    ax.set_ylim(-1.95, 0.85)
    ax.set_aspect("equal")
    ax.axis("off")


def splits(values, folder):
    figure, axes = panels.sheet(1, 2, 2.0, WIDTH, sharex=True, sharey=True)
    split(axes[0], values, "root", "the line meets the sphere")
    split(axes[1], values, "no-root", "no real root")
    style.save(figure, folder, "fig02-splits")


def main(results, folder):
    values = style.measured(results)
    steps(values, folder)
    splits(values, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
