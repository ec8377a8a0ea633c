"""Water in a no-slip duct and in a round tube beside theory, water without viscosity that brakes itself, and bodies that are towed."""

import math
import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
LOOKS = {"disordered": ("disordered", style.GREEN, ".", 1.5), "turned": ("turned lattice", style.ORANGE, "^", 3),
         "straight": ("lattice", style.BLUE, "o", 3)}


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


def pushed(results, run, body, axis):
    """The force of the fluid on a body, means over 20 ms, and their times."""
    data = style.metrics(results, run)
    time, dt, impulse = (np.array(data[name])[1:] for name in ("time", "dt", f"fluid_impulse_{axis}"))
    ends = np.arange(style.setting(results, run, "motions.tow.start") + 0.02, time[-1] - 0.0199, 0.02)
    taken = [(time > t + 1e-9) & (time <= t + 0.02 + 1e-9) for t in ends]
    force = np.array([np.sum(impulse[k]) / np.sum(dt[k]) for k in taken])
    initial = style.table(f"{results}/{run}/bodies.csv")
    water = initial["particles"][list(initial["body"]).index("water")]
    volume = (style.summary(results, run)["particles"] - water) * (2 * style.setting(results, run, f"bodies.{body}.radius"))**3
    weight = volume * style.setting(results, run, "bodies.water.density") * -style.setting(results, run, "gravity")[2]
    return ends + 0.01, force - (weight if axis == "z" else 0), volume


def ball(axes, results):
    for speed, color in (("slow", style.BLUE), ("fast", style.RED)):
        run = f"ball-{speed}"
        time, force, volume = pushed(results, run, "ball", "z")
        tow, tube, nu = (style.setting(results, run, key)
                         for key in ("motions.tow.velocity", "walls.tube.shape.cylinder.radius", "materials.water.viscosity"))
        radius = (3 * volume / (4 * math.pi))**(1 / 3)
        k = radius / tube
        drag = 6000 * math.pi * nu * radius * -tow[2] * (1 - 0.75857 * k**5) / (1 - 2.1050 * k + 2.0865 * k**3 - 1.7068 * k**5 + 0.72603 * k**6)
        axes.plot(1e3 * time, force / drag, ".-", color=color, label=f"{-tow[2]:g} m/s")
    axes.axhline(1, color=style.BLACK, lw=0.8)
    axes.set(xlabel="time, ms", ylabel="drag over Haberman's", title="a ball along a no-slip tube", ylim=(0, 1.55))
    axes.legend(loc="lower right")


def plate(axes, results):
    for angle, color in ((30, style.BLUE), (45, style.RED)):
        time, across, _ = pushed(results, f"plate-{angle}", "plate", "z")
        along, a = -pushed(results, f"plate-{angle}", "plate", "x")[1], math.radians(angle)
        ratio = (across * math.cos(a) - along * math.sin(a)) / (across * math.sin(a) + along * math.cos(a))
        axes.plot(1e3 * time, ratio, ".-", color=color, label=f"{angle} degrees")
        axes.axhline(1 / math.tan(a), color=color, lw=0.8)
    axes.set(xlabel="time, ms", ylabel="lift over drag", title="a plate at an angle", ylim=(0, 2.1))
    axes.legend(loc="lower right")


def along(axes, results):
    for chord, color in ((8, style.GREEN), (16, style.PURPLE)):
        time, force, _ = pushed(results, f"along-{chord}", "plate", "x")
        axes.plot(1e3 * time, -force, ".-", color=color, label=f"{chord} spacings long")
    axes.set(xlabel="time, ms", ylabel="force, N", title="a plate along itself", ylim=(0, None))
    axes.legend(loc="lower right")


def main(results, folder):
    figure, axes = panels.sheet(3, 3, 6.9)
    for row, width in enumerate(("8", "16")):
        fall(axes[row][0], results, width)
        wave(axes[row][1], results, width)
    tank(axes[0][2], results)
    turn(axes[1][2], results)
    for axis, draw in zip(axes[2], (ball, plate, along)):
        draw(axis, results)
    axes[1][0].legend(fontsize="small")
    style.save(figure, folder, "viscous-flow")


if __name__ == "__main__":
    main(*sys.argv[1:])
