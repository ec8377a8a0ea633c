"""The table of questions and methods: each scene, methods at the step of the radius rule and position-based also with as much work in shorter steps."""

import functools

import numpy as np
import panels
import style
from sizes import PAGE

RUNS = style.experiment(__file__)
summary = functools.lru_cache(maxsize=None)(style.summary)
SCENES = {"low": "Figure 3, from 0.2 m", "high": "Figure 3, from 10 m", "heavy": "Figure 7, ball 20 times as heavy", "wall": "Figure 5, brittle wall"}
# method -> settings: of cloths, of the wall
METHODS = {
    "merging-and-splitting": ("merging-1.25e-3", "merging-5e-5"),
    "sliding, swept": ("sliding-1.25e-3", "sliding-5e-5"),
    "penalty, implicit": ("implicit-1.25e-3", "implicit-5e-5"),
    "penalty, tuned, half the step": ("penalty-6e-4", "penalty-2.5e-5"),
    "position-based, published, 4 iterations": ("published-4", "published-4"),
    "... published, 64 iterations": ("published-64", "published-64"),
    "... published, 16 steps of 1": ("published-by16", "published-by16"),
    "... masses split, 64 iterations": ("splitting-64", "splitting-64"),
    "... material, 64 iterations": ("material-64", "material-64"),
    "... material, 16 steps of 1": ("material-by16", "material-by16"),
    "... material, 64 steps of 1": ("material-by64", None),
}
STACK = {
    "merging-and-splitting": "merging", "sliding, swept": "sliding", "penalty, implicit": "implicit", "penalty, tuned": "penalty",
    "published, 4 iterations": "published-4", "published, 16 iterations": "published-16", "... friction of 0.5": "published-rough",
    "masses split, 16 iterations": "splitting-16", "material, 16 iterations": "material-16", "material, 16 steps of 1": "material-by16",
}
JET = {
    "merging-and-splitting, 0.16 ms": "merging", "sliding, swept, 0.16 ms": "sliding", "penalty, tuned, 0.08 ms": "penalty",
    "published, 4 iterations, 0.16 ms": "published-4-short", "published, 4 iterations, 1 ms": "published-4", "published, 64 iterations, 1 ms": "published-64",
    "material, 4 iterations, 0.16 ms": "material-4-short", "material, 64 iterations, 1 ms": "material-64",
}
THROUGH = "through", "overlap", "mean overlap"
COSTS = "momentum", "gained, %", "kept, %", "sweeps"
WIDTHS = (0.31, 0.08, 0.1, 0.13, 0.14, 0.11, 0.11, 0.1, 0.1)  # of columns


def samples(scene, setting):
    there = {run.name for run in RUNS.runs}
    return [run for run in (f"{scene}-{setting}-{sample}" for sample in RUNS.axis("sample")) if run in there]


def most(results, runs, key):
    return max(summary(results, run)[key] for run in runs)


def shape_error(results, run):
    data = style.table(f"{results}/shape-{run}.csv")
    apart, moved = np.array(data["rms"]), np.array(data["moved_b"])
    deepest = np.argmax(moved)
    return apart[:deepest + 1].max() / moved[deepest]


def count(value):
    return f"{value:,.0f}".replace(",", " ")


def power(value):
    """With one digit."""
    return f"{float(f'{value:.0e}'):g}".replace("e-0", "e-") if value else "0"


def common(results, runs, key):
    """What every scene is asked: (words, whether they say that something failed), ..."""
    gain = 100 * most(results, runs, "energy_gain")
    sweeps = [sum(np.sum(style.metrics(results, run)[f"iterations_{stage}"]) for stage in ("first", "later")) for run in runs]
    return ([(f"{most(results, runs, key):.3f}", False), (f"{2 * most(results, runs, 'overlap_mean_max'):.3f}", False)],
            [(power(most(results, runs, "momentum_drift")), False), (count(gain) if gain >= 10 else f"{gain:.1f}", gain > 50),
             (count(100 * np.mean([summary(results, run)["energy_kept"] for run in runs])), False), (count(np.mean(sweeps)), False)])


def rows_of(scene):
    """method -> its setting there."""
    return {method: settings[scene == "wall"] for method, settings in METHODS.items() if settings[scene == "wall"]}


def impact(results, scene, setting):
    """A row of a ball on a cloth or at the wall."""
    wall = scene == "wall"
    runs = samples(scene, setting)
    inside = most(results, runs, "interlocked_max" if wall else "penetrated_max")
    if wall:
        main = count(np.mean([style.metrics(results, run)["broken_bonds"][-1] for run in runs]))
    else:
        main = f"{100 * np.mean([shape_error(results, run) for run in runs]):.1f}"
    depths, costs = common(results, runs, "depth_before" if wall else "overlap_depth_max")
    return [(count(inside), inside > 0), *depths, (main, False), *costs]


def jet(results, run):
    """A row of the jet on a cloth."""
    runs = [f"jet-{run}"]
    inside = most(results, runs, "penetrated_max")
    depths, costs = common(results, runs, "overlap_depth_max")
    return [(count(inside), inside > 0), *depths, (count(1000 * most(results, runs, "deflection_max")), False), *costs]


def rest(results, run):
    """A row of the stack."""
    runs = [f"rest-{run}-{nudge}" for nudge in RUNS.axis("nudge")]
    blocks = [style.body(results, one, "block9") for one in runs]
    late = blocks[0]["time"] >= 0.75
    sunk = 1000 * np.mean([block["z"][0] - block["z"][-1] for block in blocks])
    moved = 1000 * max(abs(block[axis][late][-1] - block[axis][late][0]) for axis in "xyz" for block in blocks)
    depths, costs = common(results, runs, "overlap_depth_max")
    return [(f"{sunk:.1f}", abs(sunk) > 20), *depths, (f"{moved:.2f}", abs(sunk) > 20), *costs]


def draw_table(results, folder):
    figure, axes = panels.sheet(len(SCENES) + 2, 1, 9, width=PAGE, height_ratios=[*(1 + len(rows_of(scene)) for scene in SCENES), 9, 11])
    for ax, (scene, title) in zip(axes, SCENES.items()):
        first = ("inside", *THROUGH[1:]) if scene == "wall" else THROUGH
        panels.table(ax, WIDTHS, title, (*first, "broken bonds" if scene == "wall" else "shape error, %", *COSTS),
                     {method: impact(results, scene, setting) for method, setting in rows_of(scene).items()})
    panels.table(axes[-2], WIDTHS, "Figure 4, jet", (*THROUGH, "deflection, mm", *COSTS), {method: jet(results, run) for method, run in JET.items()})
    panels.table(axes[-1], WIDTHS, "Ten blocks at rest", ("sunk, mm", *THROUGH[1:], "moved, mm", *COSTS),
                 {method: rest(results, run) for method, run in STACK.items()})
    style.save(figure, folder, "upp-against-table")
