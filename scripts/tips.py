"""Diagrams of beams that swing: how far their tips come down, against time."""

import style


def tips(axes, results, looks):
    """looks: run -> (label, color, line)."""
    for run, (label, color, line) in looks.items():
        data = style.body(results, run, "beam")
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), line, color=color, label=label)
    axes.set(xlabel="time, ms", ylabel="tip, mm")
