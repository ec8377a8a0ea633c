"""Water in a no-slip duct and in a round tube beside theory: its flow, how it dies down, and water without viscosity that brakes itself."""

import math
import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LOOKS = {"disordered": ("disordered", style.GREEN, ".", 1.5), "turned": ("lattice turned by 45 degrees", style.ORANGE, "^", 3),
         "straight": ("lattice along the walls", style.BLUE, "o", 3)}


def moved(results, run, first, last):
    """Where particles of the middle began, in widths, and how fast they go between two frames, m/s."""
    before, after = (style.table(f"{results}/{run}/face-middle-{frame}.csv") for frame in (first, last))
    passed = (last - first) * style.setting(results, run, "time.frame_interval")
    width = style.setting(results, run, "walls.duct.shape.box.size")[0]
    speed = (np.array(after["displacement"]) - np.array(before["displacement"])) / passed
    return np.array(before["u"]) / width, np.array(before["v"]) / width, speed


def duct(x, y):
    """The series of claims.py, over the square of the width."""
    odd = range(1, 40, 2)
    return sum(16 / (math.pi**4 * i * j * (i * i + j * j)) * np.sin(i * math.pi * (x + 0.5)) * np.sin(j * math.pi * (y + 0.5))
               for i in odd for j in odd)


def fall(axes, results, width):
    """Speeds beside that of theory at the same place: all places across the duct are on one line."""
    scale = 0
    for lattice, (label, color, mark, size) in LOOKS.items():
        run = f"fall-{width}-{lattice}"
        x, y, speed = moved(results, run, 7, 9)
        box, nu = (style.setting(results, run, key) for key in ("walls.duct.shape.box.size", "materials.water.viscosity"))
        theory = duct(x, y) * box[0]**2 * -style.setting(results, run, "gravity")[2] / nu
        axes.plot(theory, speed, mark, color=color, label=label, markersize=size)
        scale = max(scale, theory.max())
    axes.plot([0, 1.05 * scale], [0, 1.05 * scale], color=style.BLACK, lw=0.8, label="theory")
    axes.set(xlabel="speed of theory there, m/s", ylabel="speed, m/s", title=f"fall, {width} particles wide", xlim=(0, None), ylim=(0, None))


def wave(axes, results, width):
    for lattice, (_, color, mark, _) in LOOKS.items():
        run = f"wave-{width}-{lattice}"
        size, nu, interval = (style.setting(results, run, key)
                              for key in ("walls.duct.shape.box.size", "materials.water.viscosity", "time.frame_interval"))
        rate = 2 * nu * (math.pi / size[0])**2
        times, heights = [], []
        for first in (4, 16):
            x, y, speed = moved(results, run, first, first + 1)
            shape = np.cos(math.pi * x) * np.cos(math.pi * y)
            times.append((first + 0.5) * interval)
            heights.append(np.sum(shape * speed) / np.sum(shape**2))
        axes.plot(1e3 * np.array(times), heights, mark, color=color, markersize=6 if mark == "." else 4)
        if lattice == "straight":
            t = np.linspace(0, times[-1])
            start = 16 / math.pi**2 * -style.setting(results, run, "bodies.water.velocity")[2]
            axes.plot(1e3 * t, start * np.exp(-rate * t), color=style.BLACK, lw=0.8)
    axes.set(xlabel="time, ms", ylabel="slowest wave, m/s", title=f"no weight, {width} particles wide", ylim=(0, None))


def tank(axes, results):
    for weight, color, label in (("light", style.PURPLE, "g/10"), ("heavy", style.RED, "g")):
        data = style.metrics(results, f"tank-{weight}")
        axes.plot(1e3 * data["time"], data["kinetic"] / data["kinetic"][0], color=color, label=label)
    axes.set(xlabel="time, ms", ylabel="kinetic energy over the first", title="no viscosity, in a tank", ylim=(0, None))
    axes.legend()


def left(t):
    """What a tube at rest leaves of the angular momentum of a rigid rotation, t in R²/nu: 8 / j² of it is in the wave with the zero j of J1."""
    beta = math.pi * (np.arange(1, 200) + 0.25)
    zeros = beta - 3 / (8 * beta) + 3 / (128 * beta**3)  # McMahon
    return np.sum(8 / zeros**2 * np.exp(-np.outer(t, zeros**2)), axis=1)


def turn(axes, results):
    for radius, color, mark in ((8, style.GREEN, "."), (16, style.BLUE, "^")):
        run = f"turn-{radius}"
        data = style.metrics(results, run)
        size, nu = (style.setting(results, run, key) for key in ("walls.tube.shape.cylinder.radius", "materials.water.viscosity"))
        passed = data["time"] * nu / size**2
        axes.semilogy(passed, data["angular_z"] / data["angular_z"][0] * left(passed[:1]), color=color, label=f"{radius} spacings in radius")
    axes.semilogy(passed, left(passed), color=style.BLACK, lw=0.8, label="theory")
    axes.set(xlabel="time, R²/ν", ylabel="angular momentum left", title="no weight, in a round tube")
    axes.legend()


def main(results, folder):
    figure, axes = panels.sheet(2, 3, 4.6)
    for row, width in enumerate(("8", "16")):
        fall(axes[row][0], results, width)
        wave(axes[row][1], results, width)
    tank(axes[0][2], results)
    turn(axes[1][2], results)
    axes[1][0].legend(fontsize="small")
    style.save(figure, folder, "viscous-flow")


if __name__ == "__main__":
    main(*sys.argv[1:])
