"""Figures of beams that swing: how far their tips come down, against time."""

import panels
import style
from sizes import COLUMN


def tips(axes, results, looks):
    """looks: run -> (label, color, line)."""
    for run, (label, color, line) in looks.items():
        data = style.body(results, run, "beam")
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), line, color=color, label=label)
    axes.set(xlabel="time, ms", ylabel="tip, mm")


def figure_of_tips(results, folder, name, looks):
    figure, axes = panels.sheet(1, 1, 2.4, COLUMN)
    tips(axes, results, looks)
    panels.legend_below(axes, ncol=len(looks), handlelength=1.2, columnspacing=1)
    style.save(figure, folder, name)
