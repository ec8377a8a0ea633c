"""Heights, shares, growth and a front; pictures of what floats; sections through two layers."""

import math
import os
import sys

import numpy as np
import panels
import style


FRAMES = (0, 6, 40)
DENSITIES = {"025": style.YELLOW, "050": style.ORANGE, "100": style.RED, "200": style.PURPLE, "400": style.BLACK}
RATIOS = {"025": 0.25, "050": 0.5, "075": 0.75}
TIMES = (0, 20, 30, 40, 60)
TIME = 18.528  # 1/s, sqrt(2 g / a) of the column
PUBLISHED = "../fluids-alone/martin-moyce-1952.csv"


def rest(axes, results):
    for run, label, color, line in (("rest-2", "2", style.RED, ":"), ("rest-4", "4", style.ORANGE, "-"), ("rest-8", "8", style.GREEN, "--"),
                                    ("rest-16", "16", style.BLUE, "-."), ("rest-steps", "4 steps of 1", style.BLACK, "-")):
        water = style.body(results, run, "water")
        axes.plot(water["time"], water["z"] / water["z"][0], color=color, ls=line, label=label)
    axes.set(xlabel="time, s", ylabel="height of the center / at first", xlim=(0, 2), ylim=(0.94, 1.005))
    axes.legend(title="iterations", ncol=2)


def share(results, run):
    """How much of the cube is below the surface, as claims have it: mean of the last frames."""
    found = []
    for frame in (34, 36, 38, 40):
        data = style.section(results, run, frame)
        place = np.array([data["u"], data["depth"], data["v"]], dtype=float).T
        is_cube = np.array(data["body"]) == "cube"
        cube, water, radius = place[is_cube], place[~is_cube], 0.025
        beside = np.any((water[:, :2] < cube[:, :2].min(0) - 3 * radius) | (water[:, :2] > cube[:, :2].max(0) + 3 * radius), axis=1)
        top = {}
        for x, y, z in water[beside]:
            column = (x // (2 * radius), y // (2 * radius))
            top[column] = max(top.get(column, -1), z)
        surface = sorted(top.values())[len(top) // 2] + radius
        found.append(np.clip((surface - cube[:, 2] + radius) / (2 * radius), 0, 1).mean())
    return np.mean(found)


def amplitude(results, run, frame):
    """Of the first mode of the interface over the wavelength, as claims have it."""
    data, size = style.section(results, run, frame), style.setting(results, run, "walls.tank.shape.box.size")
    u = np.array(data["u"], dtype=float)[np.array(data["body"]) == "light"]
    return 2 * (2 * style.setting(results, run, "bodies.light.radius"))**3 * np.cos(2 * np.pi * u / size[0]).sum() / (size[0]**2 * size[1])


def floats(axes, results):
    axes.plot((0, 1), (0, 1), color=style.GREY, lw=0.8)
    for count, mark, color in ((2, "v", style.RED), (4, "o", style.ORANGE), (8, "s", style.GREEN), (16, "^", style.BLUE)):
        axes.plot([ratio + 0.012 * (math.log2(count) - 2.5) for ratio in RATIOS.values()],
                  [share(results, f"cube-{name}-{count}") for name in RATIOS], mark, ms=3.5, color=color, label=f"4³, {count} iterations")
    for edge, mark in ((2, "x"), (6, "+")):
        axes.plot(list(RATIOS.values()), [share(results, f"edge-{edge}-{name}") for name in RATIOS], mark, ms=5, color=style.BLACK, label=f"{edge}³, 4 iterations")
    axes.set(xlabel="density over that of water", ylabel="share below the surface", xlim=(0, 1), ylim=(0, 1))
    axes.legend()


def grown(axes, results):
    for run, label, color, mark in (("layers", "40 particles", style.BLUE, "o"), ("layers-coarse", "20 particles", style.ORANGE, "^")):
        times = np.arange(21) * style.setting(results, run, "time.frame_interval")
        sizes = np.array([amplitude(results, run, frame) for frame in range(21)])
        wave = np.pi  # 1/m; layers of 1 m, 4:1
        rate = math.sqrt(0.6 * -style.setting(results, run, "gravity")[2] * wave * math.tanh(wave))
        axes.semilogy(times, sizes, mark, ms=3, color=color, label=f"{label} to a wavelength")
        axes.semilogy(times, sizes[0] * np.cosh(rate * times), color=color, lw=0.8)
    axes.axhline(0.1, color=style.GREY, lw=0.6, ls=":")
    axes.plot([], [], color=style.GREY, lw=0.8, label="linear theory")
    axes.set(xlabel="time, s", ylabel="amplitude / wavelength", xlim=(0, 0.65), ylim=(0.02, 0.4))
    style.plain_ticks(axes.yaxis, (0.02, 0.05, 0.1, 0.2, 0.4))
    axes.legend(loc="upper left")


def fronts(axes, results):
    published = style.table(os.path.join(os.path.dirname(__file__), PUBLISHED))
    T, Z = np.array(published["T"]), np.array(published["Z"])
    axes.fill_between(T, 0.85 * Z, 1.15 * Z, color="#eeeeee", label="within 15 % of it")
    axes.plot(T, Z, "o", ms=3.5, color=style.BLACK, label="Martin and Moyce 1952")
    width = style.setting(results, "dam-4", "bodies.water.shape.box.size")[0]
    radius = style.setting(results, "dam-4", "bodies.water.radius")
    for count, color, line in ((4, style.ORANGE, "-"), (16, style.BLUE, "-."), (2, style.RED, ":")):
        water = style.body(results, f"dam-{count}", "water")
        axes.plot(TIME * water["time"], (water["max_x"] + radius) / width, color=color, ls=line, label=f"{count} iterations")
    axes.set(xlabel=r"time, $t\sqrt{2g/a}$", ylabel="front / a", xlim=(0, 3.4), ylim=(1, 4.8))
    axes.legend()


def draw_layers(results, folder):
    figure, axes = panels.sheet(1, len(TIMES), 1.55)
    interval = style.setting(results, "layers", "time.frame_interval")
    for ax, frame in zip(axes, TIMES):
        style.draw_section(ax, style.section(results, "layers", frame), (-1, 1, -1, 1))
        ax.set_title(f"{interval * frame:.2f} s")
    panels.scale_bar(axes[0], 0.5)
    style.save(figure, folder, "upp-fluids-layers")


def draw_bodies(results, folder):
    """Cubes and balls, each kind with the half of the tank that it is in, in front of the water."""
    figure, axes = panels.sheet(2, len(FRAMES), 2.3)
    interval = style.setting(results, "many", "time.frame_interval")
    for k, frame in enumerate(FRAMES):
        data = style.section(results, "many", frame)
        u, v, depth, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "depth", "radius"))
        names = np.array(data["body"])
        for ax, kind in zip(axes[:, k], ("cube", "ball")):
            half = (depth < 0) == (kind == "cube")
            water = (names == "water") & half
            style.circles(ax, u[water], v[water], radius[water], ["#cfe6f4"] * int(water.sum()))
            for ratio, color in DENSITIES.items():
                own = names == f"{kind}-{ratio}"
                style.circles(ax, u[own], v[own], radius[own], [color] * int(own.sum()))
            ax.set(xlim=(-1.1, 1.1), ylim=(0, 0.92))
        axes[0, k].set_title(f"{interval * frame:.1f} s")
    panels.scale_bar(axes[0, 0], 0.5)
    style.save(figure, folder, "upp-fluids-bodies")


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 5.2)
    rest(axes[0, 0], results)
    floats(axes[0, 1], results)
    grown(axes[1, 0], results)
    fronts(axes[1, 1], results)
    style.save(figure, folder, "upp-fluids")
    draw_bodies(results, folder)
    draw_layers(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
