"""The map: for every impact speed the stiffness that neither leaks nor becomes unstable."""

import sys

import panels
import style
from matplotlib import colors
from style import plt

RUNS = style.experiment(__file__)
SPEEDS = RUNS.axis("speed")
STIFFNESSES = {"penalty": RUNS.axis("stiffness"), "sph": RUNS.axis("pressure")}
ROWS = len(STIFFNESSES["penalty"])
# of forces -> (its name, that of merging-and-splitting, and its name)
LONG, SHORT = "time step 1 ms", "time step 0.25 ms"
STEPS = {"coarse": (LONG, "coarse", LONG), "equal": ("as many solves as below", "coarse", LONG), "fine": (SHORT, "fine", SHORT)}
FORCES = {"penalty": ("penalty", "stiffness, N/m"), "sph": ("SPH-based", "stiffness, Pa")}
GOOD, LEAKS, UNSTABLE, BOTH = "good", "leaks", "unstable", "leaks and unstable"
COLORS = {GOOD: style.GREEN, LEAKS: style.SKY, UNSTABLE: style.ORANGE, BOTH: style.PURPLE}
HATCHES = {UNSTABLE: "////", BOTH: "////"}  # leaks have a number


def kind(leaks, unstable):
    return BOTH if leaks and unstable else LEAKS if leaks else UNSTABLE if unstable else GOOD


def patch(state, x=0, y=0, width=1, height=1):
    pale = tuple(0.6 + 0.4 * v for v in colors.to_rgb(COLORS[state]))
    return plt.Rectangle((x, y), width, height, facecolor=COLORS[state] if state == GOOD else pale, linewidth=0, edgecolor="#777777",
                         hatch=HATCHES.get(state))


def cell(ax, x, y, leaks, unstable):
    state = kind(leaks, unstable)
    ax.add_patch(patch(state, x - 0.48, y - 0.47, 0.96, 0.94))
    if leaks:
        ax.text(x, y, f"{leaks:.0f}", ha="center", va="center", fontsize=panels.SMALLEST)


def panel(ax, rows, results, run):
    for y, value in enumerate(rows):
        for x, speed in enumerate(SPEEDS):
            cell(ax, x, y, *style.good(results, run(speed, value)))
    ax.set_xlim(-0.5, len(SPEEDS) - 0.5)
    ax.set_ylim(-0.5, len(rows) - 0.5)
    ax.set_xticks(range(len(SPEEDS)), SPEEDS)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def main(results, folder):
    figure, axes = panels.sheet(3, len(STEPS), 6.2, sharex=True, gridspec_kw={"height_ratios": [ROWS, ROWS, 1.2]})
    for column, (step, (label, ours, our_label)) in enumerate(STEPS.items()):
        for row, (force, (name, unit)) in enumerate(FORCES.items()):
            ax = axes[row][column]
            panel(ax, STIFFNESSES[force], results, lambda v, k, f=force, s=step: f"{f}-{s}-v{v}-k{k}")
            ax.set_yticks(range(ROWS), STIFFNESSES[force])
            ax.set_title(f"{name}, {label}")
            ax.set_ylabel(unit)
        ax = axes[2][column]
        panel(ax, ("",), results, lambda v, _, s=ours: f"ms-{s}-v{v}")
        ax.set_yticks([])
        ax.set_title(f"merging-and-splitting, {our_label}")
        ax.set_ylabel("no stiffness" if column == 0 else "", rotation=0, ha="right", va="center")
        ax.set_xlabel("impact speed, m/s")
        ax.tick_params(labelbottom=True)
    figure.legend([patch(state) for state in COLORS], [GOOD, "leaks (number of particles)", "unstable", "leaks and is unstable"],
                  loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "map-stiffness-speed")


if __name__ == "__main__":
    main(*sys.argv[1:])
