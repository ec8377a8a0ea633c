"""Motion over time with each way to repair the density, pressure and products over depth, and a dam break beside SPH and FLIP."""

import os
import sys

import numpy as np

import panels
import style
from mergesplit.frames import Frame

STEPS = {"0.25e-3": ("0.25 ms", "-"), "1e-3": ("1 ms", "--"), "4e-3": ("4 ms", ":")}
WAYS = {"displacement": ("by displacement", style.BLUE), "velocity": ("in the velocity", style.ORANGE),
        "jacobi": ("... with Jacobi's iteration", style.PURPLE)}
RATE = 18.528  # 1/s, sqrt(2 g / a)
DAMS = {"dam": ("incompressible SPH", style.BLUE, "-"), "dam-sph": ("SPH", style.GREEN, "--"), "dam-flip": ("FLIP", style.ORANGE, "-.")}
LAYERS = (10, 20, 40)
MARKS = {"0.25e-3": "o", "1e-3": "s", "4e-3": "^"}


def motion(axes, results):
    for way, (label, color) in WAYS.items():
        for step, (_, line) in STEPS.items():
            metrics = style.metrics(results, f"{step}-{way}")
            axes.semilogy(metrics["time"], metrics["kinetic"], color=color, ls=line, lw=0.9)
        axes.plot([], [], color=color, label=label)
    metrics = style.metrics(results, "sph")
    axes.semilogy(metrics["time"], metrics["kinetic"], color=style.GREY, lw=0.7, zorder=0)
    axes.text(0.66, 2.6, "SPH", color=style.GREY, fontsize=6.5)
    for label, line in STEPS.values():
        axes.plot([], [], color=style.BLACK, ls=line, lw=0.9, label=label)
    axes.set(xlabel="time, s", ylabel="kinetic energy, J", xlim=(0, 0.8), ylim=(1e-3, 1e4))
    axes.legend(ncol=2, fontsize=6.5, handlelength=1.6, columnspacing=0.8, loc="upper left")


def layers(results, run):
    """As in claims.py: mean depth and pressure of the layers of one spacing."""
    spacing, (_, _, height) = 2 * style.setting(results, run, "bodies.water.radius"), style.setting(results, run, "bodies.water.shape.box.size")
    frames = [Frame(os.path.join(results, run, "frames", f"{number:06}.hdf")) for number in range(101, 201)]
    place, pressure = np.concatenate([f["position"] for f in frames]), np.concatenate([f["pressure"] for f in frames])
    layer = (place[:, 2] / spacing).astype(int)
    rows = [layer == k for k in range(round(height / spacing) - 1)]
    return np.array([(height - place[row, 2].mean(), pressure[row].mean() / 1e3) for row in rows if row.any()]).T


def hydrostatic(axes, results):
    """Pressure against depth, and that of the weight above."""
    for step, (label, _) in STEPS.items():
        depth, pressure = layers(results, f"{step}-displacement")
        axes.plot(pressure, depth, MARKS[step], ms=3, mfc="none", mew=0.8, color=style.BLUE, label=label)
    axes.plot((0, 9.81 * 0.32), (0, 0.32), color=style.BLACK, lw=0.8, label="weight above")
    axes.set(xlabel="pressure, kPa", ylabel="depth, m", xlim=(0, 3.5), ylim=(0.33, 0))
    axes.legend(fontsize=6.5, loc="upper right")


def depth(axes, results):
    for suffix, label, color, mark in (("", "conjugate, by displacement", style.BLUE, "o-"), ("-jacobi", "Jacobi, in the velocity", style.PURPLE, "^--")):
        mean = []
        for layers in LAYERS:
            metrics = style.metrics(results, f"layers-{layers}{suffix}")
            mean.append(np.mean(metrics["velocity_iterations"] + metrics["displacement_iterations"]))
        axes.loglog(LAYERS, mean, mark, ms=3.5, color=color, label=label)
    axes.set(xlabel="layers", ylabel="products in a step", ylim=(4, 100))
    axes.set_xticks(LAYERS, [str(n) for n in LAYERS])
    axes.set_yticks((10, 20, 50, 100), ("10", "20", "50", "100"))
    axes.minorticks_off()
    axes.legend(loc="upper left", fontsize=6.5)


def fronts(axes, results):
    published = style.table(os.path.join(os.path.dirname(__file__), "martin-moyce-1952.csv"))
    axes.plot(published["T"], published["Z"], "o", ms=3, color=style.BLACK, label="Martin and Moyce")
    for run, (label, color, line) in DAMS.items():
        body, radius = style.body(results, run, "water"), style.setting(results, run, "bodies.water.radius")
        width = style.setting(results, run, "bodies.water.shape.box.size")[0]
        axes.plot(RATE * body["time"], (body["max_x"] + radius) / width, color=color, ls=line, lw=1, label=label)
    axes.set(xlabel=r"time, $t\sqrt{2g/a}$", ylabel="front / a", xlim=(0, 3.4), ylim=(1, 4.8))
    axes.legend(fontsize=6.5)


def main(results, folder):
    figure = panels.empty(4.4)
    grid = figure.add_gridspec(2, 12, height_ratios=(1.0, 0.85))
    for place, draw in ((grid[0, :4], motion), (grid[0, 4:8], hydrostatic), (grid[0, 8:], depth), (grid[1, :4], fronts)):
        draw(figure.add_subplot(place), results)
    rest = grid[1, 4:].subgridspec(1, 3)
    for k, (run, (label, _, _)) in enumerate(DAMS.items()):
        axes = figure.add_subplot(rest[k])
        style.draw_section(axes, style.section(results, run, 40), (0, 0.16, 0, 0.1))
        axes.set_title(label)
        if k == 0:
            panels.scale_bar(axes, 0.05)
    style.save(figure, folder, "dfsph-tank")


if __name__ == "__main__":
    main(*sys.argv[1:])
