"""How deep two balls overlap, and how fast they part, against their speed."""

import sys

import panels
import style

OTHERS = (("equal", "equal balls"), ("heavy", "10 000 times as heavy"), ("coarse", "particles 5 times as large"))
RUNS = style.experiment(__file__)
STEPS = (("absolute", "absolute motion", style.RED, "--", "v"), ("relative", "relative motion", style.BLUE, "-", "o"),
         ("short", "short steps", style.ORANGE, ":", "s"), ("newmark", "short steps, Newmark", style.GREEN, "-.", "D"))


def approach(results, run):
    """The speed with which they approach each other, m/s."""
    left, right = (style.setting(results, run, f"bodies.{name}.velocity")[0] for name in ("left", "right"))
    return left - right


def restitution(results, run):
    left, right = (style.body(results, run, name)["velocity_x"][-1] for name in ("left", "right"))
    return (right - left) / approach(results, run)


def main(results, folder):
    figure, axes = panels.sheet(2, len(OTHERS), 4.0, sharex=True, sharey="row")
    for column, (other, title) in zip(axes.T, OTHERS):
        for step, label, color, line, mark in STEPS:
            runs = RUNS.sweep("{other}-{speed}-{step}", other=other, step=step)
            speeds = [approach(results, run) for run in runs]
            found = [style.summary(results, run) for run in runs]
            column[0].loglog(speeds, [s["overlap_depth_max"] for s in found], mark, markersize=4, linestyle=line, color=color, label=label)
            column[1].semilogx(speeds, [restitution(results, run) for run in runs], mark, markersize=4, linestyle=line, color=color)
            for speed, numbers in zip(speeds, found):
                if numbers["sticking"]:
                    column[0].annotate("sticks", (speed, numbers["overlap_depth_max"]), textcoords="offset points", color=color,
                                       xytext=(-5, 3 if step == "absolute" else -14), ha="right")
        column[0].axhline(1, color=style.GREY, linestyle=":", linewidth=0.8)
        column[1].axhline(0, color=style.GREY, linestyle=":", linewidth=0.8)
        column[0].set_title(title)
        column[1].set_xlabel("approach speed, m/s")
        column[1].set_xticks(speeds, [f"{speed:g}" for speed in speeds])
        column[1].minorticks_off()
    axes[0][0].set_ylabel("overlap / smaller radius")
    axes[1][0].set_ylabel("parting / approach speed")
    figure.legend(handles=axes[0][0].get_lines()[:len(STEPS)], loc="upper center", bbox_to_anchor=(0.5, 0), ncol=len(STEPS))
    style.save(figure, folder, "ablation-two-balls")


if __name__ == "__main__":
    main(*sys.argv[1:])
