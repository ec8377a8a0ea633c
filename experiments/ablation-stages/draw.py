"""Penetration, pairs that still approach, and deflection against the impact speed, for each number of stages."""

import sys

import panels
import style

RUNS = style.experiment(__file__)
LOOKS = ((style.RED, "v", ":"), (style.GREEN, "o", "-"), (style.BLUE, "s", "--"), (style.PURPLE, "D", "-."))
PANELS = (("particles that penetrated, most", lambda n: n["penetrated_max"]),
          ("pairs left approaching / all that did", lambda n: n["unresolved"] / n["approaching"]),
          ("deflection, m", lambda n: n["deflection_max"]))


def speed(results, run):
    """Of the impact, m/s."""
    return -style.setting(results, run, "bodies.ball.velocity")[2]


def main(results, folder):
    figure, axes = panels.sheet(1, len(PANELS), 2.3)
    for stages, (color, marker, line) in zip(RUNS.axis("stages"), LOOKS):
        runs = RUNS.sweep("stages-{stages}-speed-{speed}", stages=stages)
        speeds = [speed(results, run) for run in runs]
        for ax, (_, value) in zip(axes, PANELS):
            ax.plot(speeds, [value(style.summary(results, run)) for run in runs], color=color, marker=marker, markersize=4, linestyle=line,
                    label=f"{stages} stage{'s' if stages != '1' else ''}")
    for ax, (title, _) in zip(axes, PANELS):
        ax.set_ylabel(title)
        ax.set_xlabel("impact speed, m/s")
        ax.set_xticks(speeds)
        ax.set_ylim(0, 1.08 * ax.dataLim.y1)
    axes[0].set_ylim(bottom=-0.3)
    axes[0].yaxis.get_major_locator().set_params(integer=True)
    axes[0].legend()
    style.save(figure, folder, "ablation-stages")


if __name__ == "__main__":
    main(*sys.argv[1:])
