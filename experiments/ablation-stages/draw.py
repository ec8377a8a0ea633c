"""Penetration, pairs that still approach, and deflection against the impact speed, for each number of stages."""

import sys

import style
from style import plt

RUNS = style.experiment(__file__)
LOOKS = ((style.RED, "v"), (style.GREEN, "o"), (style.BLUE, "s"), (style.PURPLE, "D"))
PANELS = (("most particles that penetrated", lambda n: n["penetrated_max"]),
          ("pairs left approaching, of those that did", lambda n: n["unresolved"] / n["approaching"]),
          ("deflection, m", lambda n: n["deflection_max"]))


def speed(results, run):
    """Of the impact, m/s."""
    return -style.setting(results, run, "bodies.ball.velocity")[2]


def main(results, folder):
    figure, axes = plt.subplots(1, len(PANELS), figsize=(9.5, 2.7), constrained_layout=True)
    for stages, (color, marker) in zip(RUNS.axis("stages"), LOOKS):
        runs = RUNS.sweep("stages-{stages}-speed-{speed}", stages=stages)
        speeds = [speed(results, run) for run in runs]
        for ax, (_, value) in zip(axes, PANELS):
            ax.plot(speeds, [value(style.summary(results, run)) for run in runs], color=color, marker=marker, markersize=4,
                    label=f"{stages} stage{'s' if stages != '1' else ''}")
    for ax, (title, _) in zip(axes, PANELS):
        ax.set_title(title)
        ax.set_xlabel("impact speed, m/s")
        ax.set_xticks(speeds)
        ax.set_ylim(bottom=0)
    axes[0].set_ylim(bottom=-0.3)
    axes[0].yaxis.get_major_locator().set_params(integer=True)
    axes[0].legend()
    style.save(figure, folder, "ablation-stages")


if __name__ == "__main__":
    main(*sys.argv[1:])
