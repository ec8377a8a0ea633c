"""A stack of ten, and piles of bodies that are not convex."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
SEEDS = RUNS.axis("seed")
ITERATIONS = [int(n) for n in RUNS.axis("iterations")[1:]]  # one iteration lets the stack fall
SLOW = 0.02  # m/s, root mean square; as in claims.py
SCALES = {"0": style.BLUE, "3": style.RED, "5": style.ORANGE}
PICTURES = (("2x2", "2 steps of 2"), ("2x8", "2 steps of 8"), ("8x1", "8 steps of 1"), ("kept-8x1", "8 of 1, friction kept"))
SETTINGS = (("2x2", "2 x 2"), ("splitting-2x2", "split masses"), ("k3-2x2", "k = 3"), ("kept-2x2", "kept"), ("2x4", "2 x 4"), ("2x8", "2 x 8"), ("8x1", "8 x 1"),
            ("kept-8x1", "8 x 1, kept"))


def compression(results, run, bodies=10):
    z = style.body(results, run, f"cube-{bodies}")["z"]
    return 100 * (1 - np.mean(z[len(z) // 2:]) / (0.2 * bodies - 0.1))


def time_to_rest(results, run):
    data = style.metrics(results, run)
    return np.max(data["time"][np.sqrt(2 * data["kinetic_of_motion"] / 80) > SLOW])


def late(results, run, name):
    data = style.metrics(results, run)
    return data[name][data["time"] > 0.8 * data["time"][-1]]


def mean_height(results, run):
    data = style.table(f"{results}/{run}/bodies.csv")
    return np.mean([z for z, time in zip(data["z"], data["time"]) if time == data["time"][-1]])


def responses(results):
    heights = {(way, k): style.body(results, f"{way}-k{k}", "cube-1")["z"] for way in ("hit", "calm") for k in RUNS.axis("scale")}
    found = np.array([np.max(np.abs(heights["hit", k] - heights["calm", k])) for k in RUNS.axis("scale")])
    return found / found[0]


def top(ax, results, run, **options):
    data = style.body(results, run, "cube-10")
    ax.plot(data["time"], data["z"] + 0.1, **options)


def stack(ax, results):
    for k, color in SCALES.items():
        top(ax, results, f"stack-2-k{k}", color=color, label=f"k = {k} 1/m")
    top(ax, results, "stack-32-k0", color=style.GREEN, label="32 iterations")
    ax.set_xlabel("time, s")
    ax.set_ylabel("height, m")
    ax.set_ylim(1.7, 2.02)
    ax.set_title("two iterations")
    ax.legend(loc="lower right")


def falling(ax, results):
    top(ax, results, "disturbed", color=style.BLUE, label="no friction")
    top(ax, results, "rough", color=style.RED, label="friction")
    for way, color, label in (("4", style.ORANGE, "kept"), ("480", style.SKY, "kept, 4 steps"), ("960", style.GREEN, "kept, 8 steps")):
        top(ax, results, f"kept-{way}", color=color, label=label)
    ax.set_xlabel("time, s")
    ax.set_ylabel("height, m")
    ax.set_ylim(0, 2.1)
    ax.set_title("ways to fall")
    ax.set_xlim(-0.7, 27)  # room for the legend
    ax.set_xticks([0, 5, 10, 15])
    ax.legend(loc="center right", bbox_to_anchor=(1.02, 0.5))


def compressions(ax, results):
    for k, color in SCALES.items():
        ax.plot(ITERATIONS, [compression(results, f"stack-{i}-k{k}") for i in ITERATIONS], "o-", color=color, markersize=4, label=f"k = {k} 1/m")
    ax.plot([4, 8], [compression(results, f"short-{i}") for i in (4, 8)], "s--", color=style.GREEN, markersize=4, label="n steps of 1")
    logarithmic(ax, ITERATIONS)
    ax.set_xlabel("iterations in 1/120 s, n")
    ax.set_ylabel("compression, %")
    ax.set_title("stack of ten")
    ax.set_ylim(0.1, 25)
    ax.legend(loc="upper right")


def logarithmic(ax, ticks):
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(ticks, map(str, ticks))
    ax.xaxis.set_minor_locator(style.plt.NullLocator())


def rests(ax, results):
    for k, color in SCALES.items():
        ax.plot(ITERATIONS, [time_to_rest(results, f"stack-{i}-k{k}") for i in ITERATIONS], "o-", color=color, markersize=4, label=f"k = {k} 1/m")
    logarithmic(ax, ITERATIONS)
    ax.set_xlabel("iterations")
    ax.set_ylabel("time to rest, s")
    ax.set_title("stack of ten")


def tall(ax, results):
    bodies = (2, 5, 10, 20)
    for times, color in (("4", style.BLUE), ("8", style.SKY), ("16", style.RED)):
        ax.plot(bodies, [compression(results, f"stack-{times}-k0" if b == 10 else f"tall-{b}-{times}", b) for b in bodies], "o-", color=color, markersize=4, label=f"{times} iterations")
    logarithmic(ax, bodies)
    ax.set_xlabel("bodies in the stack")
    ax.set_ylabel("compression, %")
    ax.set_title("higher stacks")
    ax.legend()


def deaf(ax, results):
    ax.plot([int(k) for k in RUNS.axis("scale")], responses(results), "o-", color=style.RED, markersize=4)
    ax.set_yscale("log")
    ax.set_xlabel("k, 1/m")
    ax.set_ylabel("response of the lowest")
    ax.set_title("a cube falls on the highest")


def settings(ax, results, value, title):
    rows = np.arange(len(SETTINGS), 0, -1)
    for y, (setting, _) in zip(rows, SETTINGS):
        found = [value(results, f"pile-{setting}-{seed}") for seed in SEEDS]
        ax.plot(found, [y] * len(found), "o", color=style.BLUE, markersize=3.5)
    ax.set_yticks(rows, [label for _, label in SETTINGS])
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, None)
    ax.set_xlabel(title)


def main(results, folder):
    figure, axes = panels.sheet(2, 3, 4.4)
    for draw, ax in zip((stack, compressions, rests, tall, deaf, falling), axes.flat):
        draw(ax, results)
    style.save(figure, folder, "upp-piles")
    figure, axes = panels.sheet(2, 4, 3.6, gridspec_kw={"height_ratios": (2, 3)})
    for ax, (setting, title) in zip(axes[0], PICTURES):
        style.view(ax, results, f"pile-{setting}-1", "side", "body", 50, bar=setting == "2x2")
        ax.set_title(title)
    settings(axes[1, 0], results, lambda *run: np.mean(late(*run, "overlap_mean")), "mean overlap")
    settings(axes[1, 1], results, lambda *run: np.max(late(*run, "overlap_max")), "largest overlap")
    settings(axes[1, 2], results, mean_height, "mean height, m")
    settings(axes[1, 3], results, lambda *run: np.mean(late(*run, "kinetic_of_motion")), "kinetic energy, J")
    for ax in axes[1, 1:]:
        ax.set_yticklabels([])
    style.save(figure, folder, "upp-piles-pile")


if __name__ == "__main__":
    main(*sys.argv[1:])
