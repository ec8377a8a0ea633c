"""Fragments, overlap and dissipation against the time step; which penalty stiffness holds at which step."""

import os
import sys

import numpy as np
import style
from experiment import Experiment
from style import plt

SAMPLES = "abc"
EULER = ("2e-4", "1.4e-4", "1e-4", "7e-5", "5e-5", "4e-5", "3e-5", "2e-5", "1e-5")
LOOKS = {
    "ms-euler": ("merging-and-splitting, Euler", style.GREEN, "-", "o"),
    "impulse-euler": ("impulse", style.PURPLE, "-", "s"),
    "penalty-1e6-euler": ("penalty, $10^6$ N/m", style.ORANGE, "--", "v"),
    "penalty-7e6-euler": ("penalty, $7·10^6$ N/m", style.ORANGE, "-", "^"),
    "sph-1e7-euler": ("SPH-based, $10^7$ Pa", style.SKY, ":", "<"),
    "sph-1e9-euler": ("SPH-based, $10^9$ Pa", style.SKY, "--", ">"),
    "sph-1e10-euler": ("SPH-based, $10^{10}$ Pa", style.SKY, "-", "P"),
    "ms-newmark": ("merging-and-splitting, Newmark", style.BLUE, "--", "D"),
    "ms-verlet": ("merging-and-splitting, Verlet", style.BLACK, "-", "o"),
    "impulse-verlet": ("impulse, Verlet", style.PURPLE, "--", "s"),
    "penalty-1e6-verlet": ("penalty, $10^6$ N/m, Verlet", style.ORANGE, ":", "v"),
    "penalty-7e6-verlet": ("penalty, $7·10^6$ N/m, Verlet", style.RED, "-", "^"),
}
BY_METHOD = [name for name in LOOKS if name.endswith("-euler")]
BY_INTEGRATOR = ["ms-euler", *(name for name in LOOKS if not name.endswith("-euler"))]
STIFFNESSES = ("3e5", "1e6", "3e6", "7e6", "1e7", "3e7", "1e8", "3e8")
MASS, RADIUS, SPEED = 8e-3, 0.01, 20  # of a particle of the wall, kg and m; of the impact, m/s
GOOD, DEEP, UNSTABLE, BOTH = "holds", "overlap 0.25 r or more", "unstable", "both"
COLORS = {GOOD: style.GREEN, DEEP: style.SKY, UNSTABLE: style.ORANGE, BOTH: style.PURPLE}


class Runs:
    """Of a kind of runs and a time step: the summaries of its samples."""

    def __init__(self, results):
        names = [run.name for run in Experiment(os.path.join("experiments", os.path.basename(results))).runs]
        self.numbers = {name: style.summary(results, name) for name in names}

    def steps(self, kind):
        found = {name[len(kind) + 1:-2] for name in self.numbers if name.startswith(kind + "-") and name[-2] == "-"}
        return sorted(found, key=float, reverse=True)

    def samples(self, kind, step):
        return [self.numbers[name] for name in (f"{kind}-{step}-{s}" for s in SAMPLES) if name in self.numbers]


def curve(ax, runs, kind, value):
    """Means over samples, bars from the least to the largest; without steps at which one blew up."""
    name, color, dashes, marker = LOOKS[kind]
    steps = [s for s in runs.steps(kind) if all(n["end"] == "complete" for n in runs.samples(kind, s))]
    values = [[value(n) for n in runs.samples(kind, s)] for s in steps]
    x = [float(s) for s in steps]
    mean = np.array([np.mean(v) for v in values])
    bars = np.array([[m - min(v), max(v) - m] for m, v in zip(mean, values)]).T
    ax.errorbar(x, mean, bars, color=color, linestyle=dashes, marker=marker, markersize=3.5, capsize=2,
                elinewidth=0.8, linewidth=1, label=name)


def converged(runs):
    """The least and the most fragments of all methods at the shortest steps."""
    numbers = [n["fragments"] for name, n in runs.numbers.items() if name[:-2].endswith(("-verlet-1e-6", "-verlet-2e-6"))]
    return min(numbers), max(numbers)


def panel(ax, runs, kinds, title, value):
    for kind in kinds:
        curve(ax, runs, kind, value)
    ax.set_xscale("log")
    ax.invert_xaxis()
    ax.set_title(title)
    ax.set_xlabel("time step, s")


def curves(runs, folder):
    figure, axes = plt.subplots(1, 4, figsize=(11.4, 3.2), constrained_layout=True)
    panel(axes[0], runs, BY_METHOD, "fragments, backward Euler", lambda n: n["fragments"])
    panel(axes[1], runs, BY_INTEGRATOR, "fragments, all integrators", lambda n: n["fragments"])
    axes[1].axhspan(*converged(runs), color="#dddddd", linewidth=0, zorder=0)
    for ax in axes[:2]:
        ax.set_ylim(0, 170)
    panel(axes[2], runs, ["ms-euler", "ms-newmark", "ms-verlet"], "lost to the integrator, % of impact energy",
          lambda n: 100 * n["numerical"] / n["impact_kinetic"])
    panel(axes[3], runs, BY_METHOD, "overlap before the wall falls apart / radius", lambda n: n["depth_before"])
    steps = np.geomspace(5e-6, 2e-4)
    axes[3].plot(steps, steps * SPEED / RADIUS, color=style.GREY, linestyle=":", linewidth=1)
    axes[3].annotate("impact speed · step", (3e-5, 0.07), color=style.GREY, fontsize=6)
    axes[3].axhline(0.25, color=style.GREY, linewidth=0.6)
    axes[3].set_yscale("log")
    style.plain_ticks(axes[3].yaxis, (0.01, 0.03, 0.1, 0.25, 1, 2))
    for ax in axes[:2]:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25))
    style.save(figure, folder, "ablation-fracture-timestep")


def state(samples):
    deep = any(n["depth_before"] >= 0.25 for n in samples)
    unstable = any(n["unstable"] for n in samples)
    return BOTH if deep and unstable else DEEP if deep else UNSTABLE if unstable else GOOD


def cell(ax, x, y, samples):
    kind = state(samples)
    ax.add_patch(plt.Rectangle((x - 0.48, y - 0.47), 0.96, 0.94, facecolor=COLORS[kind],
                               alpha=1.0 if kind == GOOD else 0.4, linewidth=0))
    if all(n["end"] == "complete" for n in samples):
        ax.text(x, y, f"{np.mean([n['fragments'] for n in samples]):.0f}", ha="center", va="center", fontsize=6, zorder=3)


def map_of_steps(runs, folder):
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(4.8, 4.6), constrained_layout=True, sharex=True,
                                          gridspec_kw={"height_ratios": (len(STIFFNESSES), 2)})
    for x, step in enumerate(EULER):
        for y, stiffness in enumerate(STIFFNESSES):
            cell(upper, x, y, runs.samples(f"penalty-{stiffness}-euler", step))
        for y, kind in enumerate(("impulse-euler", "ms-euler")):
            cell(lower, x, y, runs.samples(kind, step))
    places = np.log([float(k) for k in STIFFNESSES])
    limit = np.interp(np.log([2 * MASS / float(s) ** 2 for s in EULER]), places, range(len(STIFFNESSES)))
    upper.plot(range(len(EULER)), limit, color="#555555", linewidth=0.7, linestyle="--", zorder=2)
    upper.annotate("2 m / dt²", (7, limit[7]), xytext=(-4, 4), textcoords="offset points", ha="right", fontsize=7)
    upper.set_yticks(range(len(STIFFNESSES)), STIFFNESSES)
    upper.set_ylabel("penalty, stiffness in N/m")
    lower.set_yticks((0, 1), ("impulse", "merging-and-\nsplitting"))
    lower.set_xticks(range(len(EULER)), EULER)
    lower.set_xlabel("time step in s, backward Euler; numbers: fragments")
    for ax, rows in ((upper, len(STIFFNESSES)), (lower, 2)):
        ax.set_xlim(-0.5, len(EULER) - 0.5)
        ax.set_ylim(-0.5, rows - 0.5)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
    patches = [plt.Rectangle((0, 0), 1, 1, facecolor=color, alpha=1.0 if kind == GOOD else 0.4)
               for kind, color in COLORS.items()]
    figure.legend(patches, COLORS, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-fracture-timestep-map")


def main(results, folder):
    runs = Runs(results)
    curves(runs, folder)
    map_of_steps(runs, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
