"""Diagrams of beams that swing: how far their tips come down, against time."""

import style


def tip(results, run):
    """(time in ms, how far the tip has come up in mm)."""
    data = style.body(results, run, "beam")
    return 1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0])


def differences(axes, results, looks):
    """looks: (run, the run it is compared with) -> (label, color, line)."""
    for (run, other), (label, color, line) in looks.items():
        (time, here), (_, there) = tip(results, run), tip(results, other)
        axes.plot(time, here - there, line, color=color, label=label)
    axes.axhline(0, color=style.GREY, linewidth=0.6)
    axes.set(xlabel="time, ms", ylabel="tip, difference, mm")


def tips(axes, results, looks):
    """looks: run -> (label, color, line)."""
    for run, (label, color, line) in looks.items():
        axes.plot(*tip(results, run), line, color=color, label=label)
    axes.set(xlabel="time, ms", ylabel="tip, mm")
