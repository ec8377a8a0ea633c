"""The pressure of a standing column against height, and how it came to rest."""

import sys

import numpy as np

import panels
import style


class Water:
    """At rest: the height of its surface in m, its weight in N/m^3, the constant of its pressure in Pa."""

    def __init__(self, results, run):
        config = style.summary(results, run)["config"]
        self.surface = config["bodies.water.position"][2] + config["bodies.water.shape.box.size"][2] / 2
        self.weight = -config["bodies.water.density"] * config["gravity"][2]
        self.constant = config["materials.water.pressure"]

    def pressure(self, height):
        return self.weight * (self.surface - height)


def pressure(axes, layers, water):
    instants = sorted(set(layers["time"]))
    for time, color, mark in ((instants[5], style.ORANGE, "^"), (instants[-1], style.BLUE, "o")):
        rows = layers["time"] == time
        axes.plot(layers["pressure"][rows] / 1e3, layers["height"][rows], mark, ms=3.5, color=color, label=f"{time:.2f} s")
    height = np.array([0, water.surface])
    axes.plot(water.pressure(height) / 1e3, height, color=style.BLACK, lw=0.8, label="hydrostatic")
    axes.set(xlabel="pressure, kPa", ylabel="height, m", ylim=(0, 0.52))
    axes.set_xlim(0, 5)
    axes.legend()


def error(axes, layers, water):
    for height, color, line in ((0.1, style.BLUE, "-"), (0.22, style.GREEN, "--"), (0.38, style.ORANGE, ":")):
        rows = np.isclose(layers["height"], height, atol=1e-6)
        fraction = layers["pressure"][rows] / water.pressure(height)
        axes.plot(layers["time"][rows], fraction, line, lw=1.1, color=color, label=f"{height} m")
    axes.axhspan(0.95, 1.05, color="#eeeeee", zorder=0)
    axes.set(xlabel="time, s", ylabel="pressure / hydrostatic pressure", ylim=(0, 2))
    axes.legend(title="height")


def density(axes, metrics, water):
    for name, color, line in (("density_error_max", style.ORANGE, "-"), ("density_error_mean", style.BLUE, "--")):
        axes.semilogy(metrics["time"], metrics[name], color=color, ls=line, lw=0.8, label={"density_error_max": "largest", "density_error_mean": "mean"}[name])
    axes.axhline(water.pressure(0) / 2 / (2 * water.constant), color=style.BLACK, lw=0.8, ls=":", label="mean, by the weight")
    axes.set(xlabel="time, s", ylabel="density error", ylim=(1e-4, 1))
    axes.legend()


def main(results, folder):
    layers, metrics = style.layers(results, "standing", "water"), style.metrics(results, "standing")
    water = Water(results, "standing")
    figure, axes = panels.sheet(1, 3, 2.5)
    pressure(axes[0], layers, water)
    error(axes[1], layers, water)
    density(axes[2], metrics, water)
    style.save(figure, folder, "sph-column")


if __name__ == "__main__":
    main(*sys.argv[1:])
