"""The front of a collapsing column, a tank at rest and one that sloshes, drops that turn; cross-sections of the column."""

import os

import numpy as np
import panels
import style
from draw_dam import draw_water

RATE = 18.528  # 1/s, sqrt(2 g / a): Martin and Moyce's T = t sqrt(2 g / a)
PUBLISHED = os.path.join(os.path.dirname(__file__), "martin-moyce-1952.csv")
FRAMES = (0, 20, 40, 60)
TIME = r"time, $t\sqrt{2g/a}$"
DROPS = {"flip-drop-flip-1": ("FLIP, blend 1", style.GREEN, "-"), "flip-drop-flip": ("FLIP, blend 0.97", style.BLUE, "--"),
         "flip-drop-apic": ("APIC", style.ORANGE, "-."), "flip-drop-pic": ("PIC", style.RED, ":")}


def front(axes, results):
    published = style.table(PUBLISHED)
    T, Z = np.array(published["T"]), np.array(published["Z"])
    axes.fill_between(T, 0.85 * Z, 1.15 * Z, color="#eeeeee", label="within 15 % of it")
    axes.plot(T, Z, "o", ms=3, color=style.BLACK, label="Martin and Moyce 1952")
    for run, label, color, line in (("flip-dam", "FLIP", style.BLUE, "-"), ("flip-dam-calm", "without crowding", style.ORANGE, "--")):
        body, radius = style.body(results, run, "water"), style.setting(results, run, "bodies.water.radius")
        width = style.setting(results, run, "bodies.water.shape.box.size")[0]
        axes.plot(RATE * body["time"], (body["max_x"] + radius) / width, color=color, ls=line, label=label)
    axes.set(xlabel=TIME, ylabel="front / a", xlim=(0, 3.4), ylim=(1, 4.9))
    axes.legend()


def tanks(motion, heights, results):
    data = style.metrics(results, "flip-sloshing")
    mass = style.body(results, "flip-sloshing", "water")["mass"][0]
    motion.plot(data["time"], data["momentum_x"] / mass, color=style.BLUE, lw=0.8)
    motion.set(xlabel="time, s", ylabel="mean horizontal speed, m/s")
    for run, label, color, line in (("flip-sloshing", "sloshing", style.BLUE, "-"), ("flip-rest-1e-3", "at rest", style.GREEN, "--")):
        body = style.body(results, run, "water")
        heights.plot(body["time"], 100 * (body["z"] / body["z"][0] - 1), color=color, ls=line, label=label)
    heights.set(xlabel="time, s", ylabel="rise of the center of mass, %")
    heights.legend()
    for axes in (motion, heights):
        axes.margins(x=0)


def drops(axes, results):
    first = style.metrics(results, "flip-drop-flip-1")["angular_z"][0]
    for run, (label, color, line) in DROPS.items():
        data = style.metrics(results, run)
        axes.plot(5 * data["time"], data["angular_z"] / first, color=color, ls=line, label=label)
    axes.set(xlabel="angle turned, rad", ylabel="angular momentum that is left", ylim=(0, 1.08))
    axes.margins(x=0)
    axes.legend(loc="lower left")


def main(results, folder):
    figure = panels.empty(5.2)
    grid = figure.add_gridspec(3, 4, height_ratios=(1.0, 1.0, 0.5))
    front(figure.add_subplot(grid[0, :2]), results)
    tanks(figure.add_subplot(grid[0, 2:]), figure.add_subplot(grid[1, :2]), results)
    drops(figure.add_subplot(grid[1, 2:]), results)
    for k, frame in enumerate(FRAMES):
        axes = figure.add_subplot(grid[2, k])
        draw_water(axes, style.section(results, "flip-dam", frame))
        if k == 0:
            panels.scale_bar(axes, 0.05)
        axes.set_title(rf"$t\sqrt{{2g/a}}$ = {RATE * style.setting(results, 'flip-dam', 'time.frame_interval') * frame:.2f}")
    style.save(figure, folder, "flip-alone")
