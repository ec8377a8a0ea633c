"""Position-based at steps that merging-and-splitting forbids: who gets through, and how deep, against steps and iterations."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
SCENES = {"low": "from 0.2 m", "high": "from 10 m"}
LAYERS = {"published": "as published", "material": "the scene's material"}


def run_of(scene, layer, count, step):
    """The run with so many iterations in a step of this length; None: that of the radius rule."""
    return f"{scene}-{layer}-{count}-{step}-a" if step else f"{scene}-{layer}-{count}-a"


def cells(results, runs):
    """The largest overlap of each run, as colors, and what else happened, as text."""
    numbers = [[style.summary(results, run) for run in row] for row in runs]
    depths = np.array([[one["overlap_depth_max"] for one in row] for row in numbers])
    words = [[f"{int(one['penetrated_max']) or ''}{'!' if one['unstable'] else ''}" for one in row] for row in numbers]
    return depths, words


def readable(color):
    """Black or white, on this color."""
    return max("black", "white", key=lambda text: panels.contrast(text, color[:3]))


def picture(ax, depths, words, rows, columns):
    image = ax.imshow(depths, cmap="viridis_r", vmin=0, vmax=1, aspect="auto")
    for (row, column), depth in np.ndenumerate(depths):
        ax.text(column, row, words[row][column], ha="center", va="center", fontsize=7, color=readable(image.to_rgba(depth)))
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    return image


def draw_map(results, folder):
    steps, counts = [None, *RUNS.axis("long")], RUNS.axis("count")
    names = ["1.25", *(f"{1e3 * float(step):g}" for step in steps[1:])]
    figure, axes = panels.sheet(3, 2, 4.2, width=panels.COLUMN, sharex="col", height_ratios=(4, 4, 1))
    for column, (scene, height) in zip(axes.T, SCENES.items()):
        for ax, (layer, name) in zip(column, LAYERS.items()):
            runs = [[run_of(scene, layer, count, step) for step in steps] for count in counts]
            image = picture(ax, *cells(results, runs), counts, names)
            ax.set_ylabel("iterations" if scene == "low" else "")
            ax.set_title(f"{name}, {height}")
        swept = [[f"{scene}-sliding-1.25e-3-a", *(f"{scene}-swept-{step}-a" for step in steps[1:])]]
        picture(column[2], *cells(results, swept), [""], names)
        column[2].set_title("sliding, swept")
        column[2].set_xlabel("step, ms")
    bar = figure.colorbar(image, ax=axes, location="bottom", aspect=40)
    bar.set_label("largest overlap, radii\n(numbers: particles through; !: unstable)")
    bar.outline.set_linewidth(0.6)
    style.save(figure, folder, "upp-against-steps")
