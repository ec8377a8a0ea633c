"""The front of the collapsing column over time, and cross-sections."""

import os

import numpy as np
import panels
import style

RUNS = {"dam-standard": ("20 particles to a", style.BLUE, "-"), "dam-finer": ("30 particles to a", style.GREEN, "--"),
        "dam-less-viscous": ("a quarter of the viscosity", style.ORANGE, "-.")}
FRAMES = (0, 20, 40, 60)
TIME = r"time, $t\sqrt{2g/a}$"


class Scales:
    """The width of the column a in m, and what makes times dimensionless, in 1/s."""

    rate = 18.528  # sqrt(2 g / a)

    def __init__(self, results):
        config = style.summary(results, "dam-standard")["config"]
        self.width = config["bodies.water.shape.box.size"][0]
        self.interval = self.rate * config["time.frame_interval"]


def fronts(axes, results, scales):
    published = style.table(os.path.join(os.path.dirname(__file__), "martin-moyce-1952.csv"))
    T, Z = np.array(published["T"]), np.array(published["Z"])
    axes.fill_between(T, 0.85 * Z, 1.15 * Z, color="#eeeeee", label="within 15 % of it")
    axes.plot(T, Z, "o", ms=3.5, color=style.BLACK, label="Martin and Moyce 1952")
    for run, (label, color, line) in RUNS.items():
        body, radius = style.body(results, run, "water"), style.setting(results, run, "bodies.water.radius")
        axes.plot(scales.rate * body["time"], (body["max_x"] + radius) / scales.width, color=color, ls=line, label=label)
    axes.set(xlabel=TIME, ylabel="front / a", xlim=(0, 3.4), ylim=(1, 4.8))
    axes.legend()


def densities(axes, results, scales):
    for run, (_, color, line) in RUNS.items():
        metrics = style.metrics(results, run)
        axes.semilogy(scales.rate * metrics["time"], metrics["density_error_max"], color=color, lw=0.5, ls=line)
        axes.semilogy(scales.rate * metrics["time"], metrics["density_error_mean"], color=color, lw=1.2, ls=line)
    axes.plot([], [], color=style.BLACK, lw=0.5, label="largest")
    axes.plot([], [], color=style.BLACK, lw=1.2, label="mean")
    axes.set(xlabel=TIME, ylabel="density error", xlim=(0, 3.4), ylim=(1e-5, 1e-1))
    axes.legend()


def draw_water(axes, data):
    """Its particles half as large again as they are: a slice through drops that lie at random has holes that the water has not."""
    style.draw_solids(axes, {**data, "radius": 1.5 * np.array(data["radius"])}, (0, 0.29, 0, 0.125))


def main(results, folder):
    scales = Scales(results)
    figure = panels.empty(4.0)
    grid = figure.add_gridspec(2, 4, height_ratios=(1.0, 0.55))
    fronts(figure.add_subplot(grid[0, :2]), results, scales)
    densities(figure.add_subplot(grid[0, 2:]), results, scales)
    for k, frame in enumerate(FRAMES):
        axes = figure.add_subplot(grid[1, k])
        draw_water(axes, style.section(results, "dam-standard", frame))
        axes.set_title(rf"$t\sqrt{{2g/a}}$ = {scales.interval * frame:.2f}")
        if k == 0:
            panels.scale_bar(axes, 0.05)
    style.save(figure, folder, "sph-dam-break")
