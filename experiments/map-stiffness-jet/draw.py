"""How much of a jet penalty forces let through, and how much they throw back, against their stiffness."""

import sys

import panels
import style

RUNS = style.experiment(__file__)
FLUIDS = {"firm": ("fluid of Figure 4", style.BLUE, "o"), "soft": ("soft fluid", style.ORANGE, "s")}


def main(results, folder):
    figure, axes = panels.sheet(1, 2, 2.4)
    for fluid, (label, color, mark) in FLUIDS.items():
        runs = RUNS.sweep("penalty-{fluid}-{stiffness}", fluid=fluid)
        found = [style.summary(results, run) for run in runs]
        stiffness = [numbers["config"]["contact.stiffness"] for numbers in found]
        for ax, key in zip(axes, ("penetrated_max", "speed_ratio")):
            values = [numbers[key] for numbers in found]
            ax.plot(stiffness, values, "-", color=color, linewidth=0.8)
            for wrong, face in ((False, color), (True, "white")):
                chosen = [i for i, n in enumerate(found) if bool(n["penetrated_max"] or n["unstable"]) == wrong]
                ax.plot([stiffness[i] for i in chosen], [values[i] for i in chosen], mark, color=color, markerfacecolor=face, markersize=4,
                        label=None if wrong else label)
            ax.axhline(style.summary(results, f"ms-{fluid}")[key], color=color, linestyle=":", linewidth=1)
    for ax, title in zip(axes, ("particles through the cloth", "speed (99.9th percentile) / allowed")):
        ax.set_xscale("log")
        ax.set_xlabel("penalty stiffness in N/m")
        ax.set_title(title)
    axes[0].set_yscale("symlog", linthresh=1)
    axes[0].set_ylim(-0.2, None)
    axes[1].set_yscale("log")
    axes[1].axhline(3, color=style.GREY, linestyle="--", linewidth=0.8)
    style.plain_ticks(axes[1].yaxis, (0.5, 1, 2, 3, 5, 10, 20))
    axes[0].legend()
    style.save(figure, folder, "map-stiffness-jet")


if __name__ == "__main__":
    main(*sys.argv[1:])
