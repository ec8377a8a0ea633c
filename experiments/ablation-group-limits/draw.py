"""Leaks, rigidity, meta-particles and deferred pairs against the size limit and against the time step."""

import sys

import numpy as np
import panels
import style
from draw_figures import figures

RUNS = style.experiment(__file__)
RANDOM = "8-64"
LIMITS = [limit for limit in RUNS.axis("limit") if limit != RANDOM]
CASES = {"index": ("in index order", style.BLUE, "-", "o"),
         "shuffled": ("shuffled in every step", style.ORANGE, "--", "s"),
         "turned": ("in index order,\nlattice of the fluid turned by 25°", style.GREEN, ":", "^")}
STEPS = (*RUNS.axis("step"), None)  # None: what the fluid allows
SOME = {"unlimited": ("unlimited", style.RED, "-", "o"), "64": ("64", style.ORANGE, "-", "s"),
        RANDOM: ("8 to 64", style.GREEN, "--", "D"), "8": ("8", style.SKY, "-", "^"), "4": ("4", style.PURPLE, "-", "v")}


def runs_of_case(case, limit):
    return RUNS.sweep("{case}-limit-{limit}-seed-{seed}", case=case, limit=limit)


def runs_of_step(step, limit):
    return RUNS.sweep("step-{step}-limit-{some}-seed-{seed}", step=step, some=limit) if step else runs_of_case("index", limit)


class Measures:
    """One value for each of several runs."""

    def __init__(self, results):
        self.results = results
        self.reference = np.mean([self.bending(run) for run in runs_of_step(STEPS[0], "unlimited")])

    def bending(self, run):
        return np.sqrt(np.mean(style.spectrum(self.results, run, "cloth")["rms"][1:] ** 2))

    def leaks(self, run):
        return style.summary(self.results, run)["penetrated_max"]

    def lost(self, run):
        return 1 - self.bending(run) / self.reference

    def largest(self, run):
        return style.summary(self.results, run)["largest_group"]

    def deferred(self, run):
        return style.summary(self.results, run)["deferred_fraction"]

    def longest(self, run):
        return style.summary(self.results, run)["deferred_longest"]

    def displacement(self, run):
        return style.summary(self.results, run)["displacement_max"]


PANELS = (("leaks", "particles through", "symlog", (0, 1, 10, 100, 1000)),
          ("lost", "fraction of bending lost, rms", "linear", (0, 0.2, 0.4, 0.6, 0.8, 1)),
          ("largest", "largest meta-particle", "log", (2, 8, 64, 256, 1024)),
          ("deferred", "fraction of pairs deferred", "linear", (0, 0.2, 0.4, 0.6, 0.8, 1)),
          ("longest", "most consecutive steps deferred", "symlog", (0, 1, 3, 10, 30, 100, 300)))


def curve(ax, x, values, look):
    """Means over seeds, with bars from the least to the largest."""
    name, color, line, marker = look
    values = np.array(values)
    mean = values.mean(axis=1)
    bars = np.abs([mean - values.min(axis=1), values.max(axis=1) - mean])
    ax.errorbar(x, mean, bars, color=color, linestyle=line, marker=marker, markersize=3, capsize=2,
                elinewidth=0.8, linewidth=1, label=name)


def scale(ax, kind, ticks):
    ax.set_yscale(kind, **({"linthresh": 1, "linscale": 0.5} if kind == "symlog" else {}))
    style.plain_ticks(ax.yaxis, ticks)
    if kind == "symlog":
        ax.set_ylim(bottom=-0.2)


def by_limit(ax, measure):
    for shift, (case, look) in zip((-0.08, 0, 0.08), CASES.items()):
        x = np.arange(len(LIMITS)) + shift
        curve(ax, x, [[measure(run) for run in runs_of_case(case, limit)] for limit in LIMITS], look)
        curve(ax, [len(LIMITS) + shift], [[measure(run) for run in runs_of_case(case, RANDOM)]], (None, *look[1:2], "none", look[3]))
    ax.axvline(len(LIMITS) - 0.5, color="#cccccc", linewidth=0.6)
    ax.set_xticks(range(len(LIMITS) + 1), (*LIMITS[:-1], "∞", "8-64"), fontsize=panels.SMALLEST, rotation=60)
    ax.set_xlabel("size limit of meta-particles")


def by_step(ax, measures, measure):
    for limit, look in SOME.items():
        of_step = [runs_of_step(step, limit) for step in STEPS]
        x = [np.mean([measures.displacement(run) for run in runs]) for runs in of_step]
        curve(ax, x, [[measure(run) for run in runs] for runs in of_step], look)
    ax.set_xlabel("longest motion in a step / radius")
    ax.set_xlim(0, 0.6)


def picture(draw, measures, legend):
    """All measures, and the legend in the place that is left."""
    figure, axes = panels.sheet(2, 3, 4.2)
    for ax, (name, title, kind, ticks) in zip(axes.flat, PANELS):
        draw(ax, getattr(measures, name))
        ax.set_title(title)
        scale(ax, kind, ticks)
    axes[1][2].set_axis_off()
    axes[1][2].legend(*axes[0][0].get_legend_handles_labels(), title=legend, title_fontsize=8, loc="center")
    return figure


def main(results, folder):
    measures = Measures(results)
    figure = picture(by_limit, measures, "longest steps; order of merging")
    style.save(figure, folder, "ablation-group-limits")
    figure = picture(lambda ax, measure: by_step(ax, measures, measure), measures, "merging in index order; limit")
    style.save(figure, folder, "ablation-group-limits-steps")
    figures(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
