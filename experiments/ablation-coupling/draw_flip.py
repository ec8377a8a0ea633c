"""How full cells are, what rim and walls carry, leaks by stages, and the fall of water under a sheet."""

import numpy as np
import panels
import style

WINDOW = 0.1  # s, over which impulses are averaged
RESTS = {"flip-rest": ("as in Figure 9", style.GREEN, "-"), "flip-rest-crowding-0": ("no term for crowding", style.RED, ":"),
         "flip-rest-all": ("solids marked", style.BLUE, "--"), "flip-rest-average": ("average", style.ORANGE, "-.")}
FALLS = {"flip-fall-1": ("1 stage", style.RED, "-"), "flip-fall-2": ("2 stages", style.ORANGE, "-"), "flip-fall-4": ("4 stages", style.GREEN, "--")}
SHEETS = {"flip-sheet": ("touches the sheet", style.RED, "-"), "flip-sheet-gap": ("a cell of air between", style.GREEN, "-.")}


def averaged(data, column):
    """Mean rate of an impulse over windows of time."""
    number = np.floor(data["time"] / WINDOW * (1 - 1e-12)).astype(int)
    return np.bincount(number, weights=data[column]) / np.bincount(number, weights=data["dt"])


def rests(fullest, carried, results):
    for run, (label, color, line) in RESTS.items():
        data = style.metrics(results, run)
        fullest.plot(data["time"], 1 + data["density_error_max"], color=color, ls=line, lw=0.8, label=label)
        rate = averaged(data, "support_impulse_z") / -averaged(data, "gravity_impulse_z")
        carried.plot(WINDOW * (np.arange(len(rate)) + 0.5), rate, color=color, ls=line, label=label)
    fullest.set(ylabel="fullest cell / its volume", ylim=(0.9, None))
    fullest.legend()
    carried.axhline(1, color=style.GREY, lw=0.6)
    carried.set(ylabel="support force / weight")


def falls(axes, results):
    for run, (label, color, line) in FALLS.items():
        data = style.metrics(results, run)
        axes.plot(data["time"], data["penetrated"], color=color, ls=line, lw=2.4 if run == "flip-fall-2" else 1.2, label=label)  # seen below the next
    axes.set(ylabel="particles through the cloth")
    axes.legend()


def sheets(axes, results):
    for run, (label, color, line) in SHEETS.items():
        body = style.body(results, run, "below")
        axes.plot(body["time"], -body["velocity_z"], color=color, ls=line, label=label)
    time = style.body(results, "flip-sheet", "below")["time"]
    axes.plot(time, 9.81 * time, color=style.GREY, ls="--", lw=0.8, label="free fall")
    axes.set(ylabel="speed of lower water, m/s")
    axes.legend()


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 4.2)
    axes = axes.flat
    rests(axes[0], axes[1], results)
    falls(axes[2], results)
    sheets(axes[3], results)
    for ax in axes:
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    style.save(figure, folder, "ablation-flip-coupling")
