"""Forces on held balls, heights of floating blocks, ways of balls that are let go, energy of water at rest; sections through what floats."""

import math
import sys

import numpy as np
import panels
import style

# The fluids, by the beginning of the names of their runs: label, color.
FLUIDS = {"sph": ("SPH", style.GREEN)}
STIRRED = {"flip": ("FLIP", style.ORANGE, -0.25), "dfsph": ("incompressible SPH", style.BLUE, 0.25)}  # label, color, aside
GRAVITY, WATER, SPACING = 9.81, 1000.0, 0.02
HELD = {"low": 81, "middle": 81, "high": 81, "030": 19, "080": 280, "110": 739}
MARKS = {"low": "v", "middle": "o", "high": "^"}
PLACES = {"deep": "v", "amid": "o", "raised": "^"}
DENSITIES = {"250": style.BLUE, "500": style.ORANGE, "750": style.RED}
BALLS = {"0250": style.BLUE, "0500": style.ORANGE, "2000": style.PURPLE, "4000": style.BLACK}
EDGE, TANK, FILLED = 0.12, 0.28, 0.2


def share(results, run, n):
    """As in claims."""
    rows = style.metrics(results, run)
    late = rows["time"] > 0.5
    return rows["fluid_impulse_z"][late].sum() / rows["dt"][late].sum() / (n * SPACING**3 * WATER * GRAVITY)


def diameter(n):
    return (6 * n / math.pi)**(1 / 3)


def held(axes, results):
    for fluid, (label, color) in FLUIDS.items():
        shares = {case: share(results, f"{fluid}-held-{case}", n) for case, n in HELD.items()}
        k = np.mean([(1 - found**(1 / 3)) * diameter(HELD[case]) for case, found in shares.items() if HELD[case] > 27])
        wide = np.linspace(2.5, 12, 100)
        axes.plot(wide, (1 - k / wide)**3, color=color, lw=0.8, label=f"{label}, k = {k:.2f}")
        for case, found in shares.items():
            axes.plot(diameter(HELD[case]), found, MARKS.get(case, "o"), ms=3.5, color=color)
    for fluid, (label, color, aside) in STIRRED.items():
        for place, mark in PLACES.items():
            found = share(results, f"{fluid}-held-{place}", HELD["middle"])
            axes.plot(diameter(HELD["middle"]) + aside, found, mark, ms=3.5, color=color, label=label if mark == "o" else None)
    axes.axhline(1, color=style.GREY, lw=0.6, ls=":")
    axes.set(xlabel="diameter D, spacings", ylabel="force / weight displaced", xlim=(2.5, 12), ylim=(0.7, 1.05))
    axes.legend(loc="lower right")


def right_height(ratio):
    return FILLED + ratio * EDGE**3 / TANK**2 - ratio * EDGE + EDGE / 2


def floating(axes, results):
    for density, color in DENSITIES.items():
        axes.axhline(right_height(float(density) / WATER), color=color, lw=0.6, ls=":")
        block = style.body(results, f"sph-floating-{density}", "block")
        axes.plot(block["time"], block["z"], color=color, label=f"{density} kg/m³")
        block = style.body(results, f"dfsph-floating-{density}", "block")
        axes.plot(block["time"], block["z"], color=color, ls="-.", lw=0.8)
    block = style.body(results, "sph-ignored-500", "block")
    axes.plot(block["time"], block["z"], color=style.ORANGE, ls="--", label="500, not displacing")
    axes.set(xlabel="time, s", ylabel="height of the center, m", xlim=(0, 2), ylim=(0.14, 0.27))
    axes.legend(loc="lower right", ncol=2)


def released(axes, results):
    time = np.linspace(0, 0.2, 50)
    for name, color in BALLS.items():
        ratio = float(name) / WATER
        for how, line in (("alone", "-"), ("released", "--")):
            ball = style.body(results, f"sph-{how}-{name}", "ball")
            early = ball["time"] <= 0.2 + 1e-9
            axes.plot(ball["time"][early], ball["z"][early] - ball["z"][0], color=color, ls=line, label=f"{int(name)} kg/m³" if how == "alone" else None)
        axes.plot(time, GRAVITY * (1 - ratio) / (ratio + 0.5) * time**2 / 2, color=color, lw=0.6, ls=":")
    axes.set(xlabel="time, s", ylabel="way upwards, m", xlim=(0, 0.2), ylim=(-0.12, 0.15))
    axes.legend(loc="lower left", ncol=2)


def walls(axes, results):
    for pressure, color in (("own", style.BLUE), ("mirrored", style.RED)):
        for step, line in (("long", "-"), ("short", "--")):
            rows = style.metrics(results, f"sph-tank-{pressure}-{step}")
            axes.semilogy(rows["time"], rows["kinetic"], color=color, ls=line, label=f"{pressure}, {step} steps")
    axes.set(xlabel="time, s", ylabel="kinetic energy, J", xlim=(0, 0.4), ylim=(1e-3, 10))
    axes.legend(loc="upper left")


def draw_floating(results, folder):
    runs = [f"sph-floating-{density}" for density in DENSITIES] + ["sph-ignored-500"]
    figure, axes = panels.sheet(1, len(runs), 2.1)
    for ax, run in zip(axes, runs):
        style.draw_section(ax, style.section(results, run, 20), (-0.14, 0.14, 0, 0.32))
        name = f"{run[-3:]} kg/m³"
        ax.set_title(name + ", not displacing" if "ignored" in run else name)
    panels.scale_bar(axes[0], 0.1)
    axes.flat[0].set_ylabel(f"after {20 * style.setting(results, runs[0], 'time.frame_interval'):g} s")
    style.save(figure, folder, "buoyancy-floating")


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 5.2)
    held(axes[0, 0], results)
    floating(axes[0, 1], results)
    released(axes[1, 0], results)
    walls(axes[1, 1], results)
    style.save(figure, folder, "buoyancy")
    draw_floating(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
