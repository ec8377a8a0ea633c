"""Which stiffness neither leaks nor becomes unstable: for every speed of a ball, and under a jet."""

import panels
import style
from matplotlib import colors
from style import plt

RUNS = style.experiment(__file__)
SPEEDS = RUNS.axis("speed")
STIFFNESSES = {"penalty": RUNS.axis("spring"), "sph": RUNS.axis("pressure")}
ROWS = len(STIFFNESSES["penalty"])
STEPS = {"": "time step 1 ms", "-equal": "as many solves as in e"}
FLUIDS = {"firm": ("fluid of Figure 4", style.BLUE, "o"), "soft": ("soft fluid", style.ORANGE, "s")}
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
    """Returns the states that its cells have."""
    found = {(x, y): style.good(results, run(speed, value)) for y, value in enumerate(rows) for x, speed in enumerate(SPEEDS)}
    for place, verdict in found.items():
        cell(ax, *place, *verdict)
    ax.set_xlim(-0.5, len(SPEEDS) - 0.5)
    ax.set_ylim(-0.5, len(rows) - 0.5)
    ax.set_xticks(range(len(SPEEDS)), SPEEDS)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return {kind(*verdict) for verdict in found.values()}


def speeds(results, folder):
    shown = set()
    figure, axes = panels.sheet(3, len(STEPS), 5.4, sharex=True, gridspec_kw={"height_ratios": [ROWS, ROWS, 1.2]})
    for column, (step, label) in enumerate(STEPS.items()):
        for row, (force, (name, unit)) in enumerate(FORCES.items()):
            ax = axes[row][column]
            shown |= panel(ax, STIFFNESSES[force], results, lambda v, k, f=force, s=step: f"speed-{f}{s}-v{v}-k{k}")
            ax.set_yticks(range(ROWS), STIFFNESSES[force])
            ax.set_title(f"{name}, {label}")
            ax.set_ylabel(unit)
    below, rest = axes[2]
    shown |= panel(below, ("",), results, lambda v, _: f"speed-ms-v{v}")
    below.set_yticks([])
    below.set_title("merging-and-splitting, time step 1 ms")
    below.set_ylabel("no stiffness", rotation=0, ha="right", va="center")
    rest.axis("off")
    names = {GOOD: "good", LEAKS: "leaks (number of particles)", UNSTABLE: "unstable", BOTH: "leaks and is unstable"}
    names = {state: name for state, name in names.items() if state in shown}
    rest.legend([patch(state) for state in names], names.values(), loc="center", ncol=2)
    for ax in (below, *axes[1]):
        ax.set_xlabel("impact speed, m/s")
        ax.tick_params(labelbottom=True)
    style.save(figure, folder, "ablation-equal-cost-speed")


def jet(results, folder):
    figure, axes = panels.sheet(1, 2, 2.4)
    for fluid, (label, color, mark) in FLUIDS.items():
        found = [style.summary(results, run) for run in RUNS.sweep("hold-penalty-{fluid}-{held}", fluid=fluid)]
        stiffness = [numbers["config"]["contact.stiffness"] for numbers in found]
        for ax, key in zip(axes, ("penetrated_max", "speed_ratio")):
            values = [numbers[key] for numbers in found]
            ax.plot(stiffness, values, "-", color=color, linewidth=0.8)
            for wrong, face in ((False, color), (True, "white")):
                chosen = [i for i, n in enumerate(found) if bool(n["penetrated_max"] or n["unstable"]) == wrong]
                ax.plot([stiffness[i] for i in chosen], [values[i] for i in chosen], mark, color=color, markerfacecolor=face, markersize=4,
                        label=None if wrong else label)
            ax.axhline(style.summary(results, f"hold-ms-{fluid}")[key], color=color, linestyle=":", linewidth=1)
    for ax, title in zip(axes, ("particles through the cloth", "speed (99.9th percentile) / allowed")):
        ax.set(xscale="log", xlabel="penalty stiffness, N/m", title=title)
    axes[0].set_yscale("symlog", linthresh=1)
    axes[0].set_ylim(-0.2, None)
    axes[1].set_yscale("log")
    axes[1].axhline(3, color=style.GREY, linestyle="--", linewidth=0.8)
    style.plain_ticks(axes[1].yaxis, (0.5, 1, 2, 3, 5, 10, 20))
    axes[0].legend()
    style.save(figure, folder, "ablation-equal-cost-jet")
