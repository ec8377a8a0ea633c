"""Fragments, overlap and dissipation against the time step; sliding contact; which penalty stiffness is good at which step."""

import sys

import numpy as np
import panels
import style
from draw_correction import correction
from draw_explicit import explicit
from draw_tolerance import tolerance
from matplotlib.colors import to_rgb
from style import plt

# Color and mark say the method, of which four are in front of the others in grey; the line says the integrator.
FORCES = {
    "ms": ("merging-and-splitting", style.GREEN, "o"),
    "impulse": ("impulse", style.PURPLE, "s"),
    "penalty-7e6": ("penalty, 7e6 N/m", style.ORANGE, "^"),
    "sliding": ("sliding meta-particles", style.BLACK, "x"),
    "penalty-1e6": ("penalty, 1e6 N/m", style.PALE, "v"),
    "sph-1e9": ("SPH-based, 1e9 Pa", style.PALE, ">"),
    "sph-1e10": ("SPH-based, 1e10 Pa", style.PALE, "P"),
}
INTEGRATORS = {"euler": ("backward Euler", "-"), "newmark": ("Newmark", "--"), "verlet": ("Verlet", ":")}
OTHERS = ("ms-newmark", "ms-verlet", "sliding-newmark", "impulse-verlet", "penalty-1e6-verlet", "penalty-7e6-verlet")


def looks_of(*kinds):
    """(method, color, line, mark) of kinds of runs."""
    found = {}
    for kind in kinds:
        force, _, integrator = kind.rpartition("-")
        name, color, mark = FORCES[force]
        found[kind] = name, color, INTEGRATORS[integrator][1], mark
    return found


BY_METHOD = looks_of(*(f"{force}-euler" for force in FORCES))
BY_INTEGRATOR = looks_of("ms-euler", *OTHERS)
SHORT = {"ms-euler": "merging", "impulse-euler": "impulse", "penalty-7e6-euler": "penalty, 7e6", "sliding-euler": "sliding"}  # beside ends
SLIDING = {"ms": ("merging-and-splitting", style.GREEN, "-", "o"), "sliding": ("sliding meta-particles", style.BLACK, "-", "x"),
           "swept": ("sliding, swept detection", style.BLUE, "--", "D")}
METHODS = ("ms-", "impulse-", "sliding-", "swept-", "rough-", "penalty-", "sph-", "flight-")  # what begins names of runs against the time step
LEAST = 1e-3  # radii: a smaller overlap is drawn there
SHORTEST = 2e-6  # s, up to which fragments no longer depend on the step
GOOD, DEEP, UNSTABLE, BOTH = "good", "overlap 0.25 r or more", "unstable", "both"


def pale(color):
    """Two fifths of a color on white."""
    return tuple(0.4 * part + 0.6 for part in to_rgb(color))


COLORS = {GOOD: style.GREEN, DEEP: pale(style.SKY), UNSTABLE: pale(style.ORANGE), BOTH: pale(style.PURPLE)}
HATCHES = {GOOD: "", DEEP: "....", UNSTABLE: "////", BOTH: "xxxx"}


class Runs:
    """The summaries of all samples by kind of run ("penalty-7e6-euler") and time step, of those that vary both."""

    def __init__(self, results):
        self.experiment = style.experiment(__file__)
        self.found = {}  # (kind, step) -> (summary of a sample, ...)
        for run in self.experiment.runs:
            if not run.name.startswith(METHODS):
                continue
            *others, step, sample = run.place  # of every statement these two come last
            kind = run.pattern.removesuffix(f"-{{{step}}}-{{{sample}}}").format(**{axis: run.place[axis] for axis in others})
            self.found.setdefault((kind, run.place[step]), []).append(style.summary(results, run.name))

    def steps(self, kind):
        """Their time steps, from the longest, as they are written in `runs`."""
        found = [step for other, step in self.found if other == kind]
        return sorted(found, key=lambda step: -self.length(kind, step))

    def length(self, kind, step):
        return self.samples(kind, step)[0]["config"]["time.max_step"]

    def samples(self, kind, step):
        return self.found.get((kind, step), [])


def curve(ax, runs, kind, look, value):
    """Means over samples, with bars from the least to the largest; a gap at steps at which a sample is unstable. Returns its end."""
    name, color, dashes, marker = look
    steps = runs.steps(kind)
    values = [[value(n) if n["end"] == "complete" else np.nan for n in runs.samples(kind, s)] for s in steps]
    x, y, least, most = (np.array(numbers) for numbers in zip(*((runs.length(kind, s), np.mean(v), np.min(v), np.max(v)) for s, v in zip(steps, values))))
    front = color != style.PALE
    ax.errorbar(x, y, [y - least, most - y], color=color, linestyle=dashes, marker=marker, markersize=3.5 if front else 3, capsize=2 if front else 0,
                elinewidth=0.8, linewidth=1.8 if kind.startswith("ms-") else 1, label=name, zorder=4 if kind.startswith("ms-") else 3 if front else 1)
    last = np.flatnonzero(np.isfinite(y))[-1]
    return x[last], y[last], color


def converged(runs):
    """A band from the least to the most fragments, over all methods at the shortest steps."""
    numbers = [n["fragments"] for (kind, _), samples in runs.found.items() for n in samples
               if kind.endswith(("-verlet", "sliding-newmark")) and n["config"]["time.max_step"] <= SHORTEST]
    return min(numbers), max(numbers)


def panel(ax, runs, looks, title, value):
    """Returns the ends of the curves of each kind."""
    ends = {kind: curve(ax, runs, kind, look, value) for kind, look in looks.items()}
    ax.set_xscale("log")
    ax.invert_xaxis()
    ax.set_ylabel(title)
    ax.set_xlabel("time step, s")
    return ends


def curves(runs, folder):
    figure, axes = panels.sheet(2, 2, 5.2)
    axes = axes.flat
    by_method = panel(axes[0], runs, BY_METHOD, "fragments, backward Euler", lambda n: n["fragments"])
    panel(axes[1], runs, BY_INTEGRATOR, "fragments, all integrators", lambda n: n["fragments"])
    axes[1].axhspan(*converged(runs), color="#e4e4e4", linewidth=0, zorder=0)
    for ax in axes[:2]:
        ax.set_ylim(0, 170)
    panel(axes[2], runs, looks_of("ms-euler", "ms-newmark", "ms-verlet"), "dissipated, % of impact energy",
          lambda n: 100 * n["numerical_dissipation"] / n["impact_kinetic"])
    for name, place in (("backward Euler", (3.6e-5, 2.1)), ("Newmark", (1.4e-4, 0.12)), ("Verlet", (1e-5, 0.12))):
        axes[2].annotate(name, place, color=style.GREEN, fontsize=panels.SMALLEST)
    of_depth = panel(axes[3], runs, BY_METHOD, "deepest overlap / r", lambda n: n["depth_before"])
    steps = np.geomspace(5e-6, 2e-4)
    config = runs.samples("ms-euler", "1e-4")[0]["config"]
    speed, radius = config["bodies.ball.velocity"][0], config["bodies.wall.radius"]
    axes[3].plot(steps, steps * speed / radius, color=style.GREY, linestyle=":", linewidth=1)
    axes[3].annotate("impact speed · step", (1.05e-5, 0.0098), ha="right", color=style.GREY, fontsize=panels.SMALLEST)
    axes[3].axhline(0.25, color=style.GREY, linewidth=0.6)
    axes[3].set_yscale("log")
    style.plain_ticks(axes[3].yaxis, (0.01, 0.03, 0.1, 0.25, 1, 2))
    for ax, ends in ((axes[0], by_method), (axes[3], of_depth)):
        panels.end_labels(ax, {SHORT[kind]: end for kind, end in ends.items() if kind in SHORT})
    marks = [plt.Line2D([], [], color=style.BLACK, linestyle=line, label=name) for name, line in INTEGRATORS.values()]
    marks += [plt.Line2D([], [], linestyle="", color=color, marker=mark, markersize=4, label=name) for name, color, mark in FORCES.values()]
    figure.legend(handles=marks, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=4)
    style.save(figure, folder, "ablation-fracture-timestep")


def sliding(runs, folder):
    """A row for each scene, the impacts of Figures 5 and 6."""
    figure, axes = panels.sheet(2, 4, 3.8)
    for row, scene in zip(axes, ("{}-euler", "flight-{}")):
        looks = {scene.format(method): look for method, look in SLIDING.items()}
        panel(row[0], runs, looks, "overlap before the wall\nfalls apart, radii", lambda n: max(n["depth_before"], LEAST))
        row[0].set_yscale("log")
        row[0].axhline(0.25, color=style.GREY, linewidth=0.6)
        panel(row[1], runs, looks, "debris, % of the wall", lambda n: 100 * n["debris_fraction"])
        panel(row[2], runs, looks, "largest speed /\nimpact speed",
              lambda n: n["speed_max"] / n["config"]["bodies.ball.velocity"][0])
        panel(row[3], runs, looks, "fragments", lambda n: n["fragments"])
        for ax in row[1:]:
            ax.set_ylim(0)
        for ax in row:
            ax.set_xlim(2.5e-4, 4e-6)
    for ax, name in zip(axes[:, 0], ("Figure 5", "Figure 6")):
        ax.set_title(name, loc="left")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3)
    style.save(figure, folder, "ablation-fracture-timestep-sliding")


def state(samples):
    deep = any(n["depth_before"] >= 0.25 for n in samples)
    unstable = any(n["unstable"] for n in samples)
    return BOTH if deep and unstable else DEEP if deep else UNSTABLE if unstable else GOOD


def cell(ax, x, y, samples):
    kind = state(samples)
    ax.add_patch(plt.Rectangle((x - 0.48, y - 0.47), 0.96, 0.94, facecolor=COLORS[kind], hatch=HATCHES[kind], edgecolor="white", linewidth=0))
    if all(n["end"] == "complete" for n in samples):
        ax.text(x, y, f"{np.mean([n['fragments'] for n in samples]):.0f}", ha="center", va="center", fontsize=panels.SMALLEST, zorder=3,
                bbox={"facecolor": COLORS[kind], "edgecolor": "none", "pad": 0.8})


def map_of_steps(runs, folder):
    euler = runs.experiment.axis("step")
    stiffnesses = sorted(runs.experiment.axis("stiffness") + runs.experiment.axis("other"), key=float)
    others = {"impulse-euler": "impulse", "swept-euler": "sliding, swept", "sliding-euler": "sliding", "ms-euler": "merging-and-\nsplitting"}
    figure, (upper, lower) = panels.sheet(2, 1, 4.6, sharex=True, gridspec_kw={"height_ratios": (len(stiffnesses), len(others))})
    for x, step in enumerate(euler):
        for y, stiffness in enumerate(stiffnesses):
            cell(upper, x, y, runs.samples(f"penalty-{stiffness}-euler", step))
        for y, kind in enumerate(others):
            cell(lower, x, y, runs.samples(kind, step))
    places = np.log([float(k) for k in stiffnesses])
    config = runs.samples("ms-euler", euler[0])[0]["config"]
    mass = config["bodies.wall.density"] * (2 * config["bodies.wall.radius"]) ** 3
    limit = np.interp(np.log([2 * mass / runs.length("ms-euler", s) ** 2 for s in euler]), places, range(len(stiffnesses)))
    upper.plot(range(len(euler)), limit, color="#555555", linewidth=0.7, linestyle="--", zorder=2)
    upper.annotate("2 m / dt²", (7, limit[7]), xytext=(-4, 4), textcoords="offset points", ha="right", fontsize=7, zorder=3,
                   bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})
    upper.set_yticks(range(len(stiffnesses)), stiffnesses)
    upper.set_ylabel("stiffness of the penalty, N/m")
    lower.set_yticks(range(len(others)), others.values())
    lower.set_xticks(range(len(euler)), euler)
    lower.set_xlabel("time step of backward Euler, s; numbers: fragments")
    for ax, rows in ((upper, len(stiffnesses)), (lower, len(others))):
        ax.set_xlim(-0.5, len(euler) - 0.5)
        ax.set_ylim(-0.5, rows - 0.5)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
    patches = [plt.Rectangle((0, 0), 1, 1, facecolor=color, hatch=HATCHES[kind], edgecolor="white", linewidth=0)
               for kind, color in COLORS.items()]
    figure.legend(patches, COLORS, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-fracture-timestep-map")


def main(results, folder):
    runs = Runs(results)
    curves(runs, folder)
    sliding(runs, folder)
    map_of_steps(runs, folder)
    explicit(results, folder)
    tolerance(results, folder)
    correction(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
