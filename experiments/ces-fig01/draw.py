"""Figure 1: bodies in the funnel and in the tank, the park; heights, errors, work, and Poisson's ratio."""

import os
import runpy
import sys

import numpy as np
import panels
import style
from outlines import filled

FUNNEL = (0, 4, 8, 12, 16, 30)
PARK = (0, 3, 6, 15)
WATER, THICK = "#cfe6f4", "#e8d5a8"
COLORS = {"walrus-1": style.ORANGE, "walrus-2": style.GREEN, "walrus-3": style.RED, "piston": style.GREY, "water": WATER, "thick": THICK,
          "round-1": style.ORANGE, "round-2": style.ORANGE, "long-1": style.GREEN, "long-2": style.GREEN, "ring-1": style.PURPLE, "ring-2": style.PURPLE}
FLUIDS = ("water", "thick")
NAMED = {0: {"round-1": "ball", "round-2": "ball", "long-1": "box", "long-2": "box", "water": "water", "thick": "thick\nfluid"},
         3: {"ring-1": "ring", "ring-2": "ring"}}  # by frame of the park


def outline(axes, results):
    """The section of the funnel, and its tank."""
    shape = runpy.run_path(os.path.join(os.path.dirname(__file__), "shape.py"))
    up, wide = style.setting(results, "funnel", "walls.funnel.position")[2], style.setting(results, "funnel", "walls.tank.shape.box.size")[0]
    inside = list(shape["PROFILE"])
    around = np.array(inside + [(r + shape["WALL"], z) for r, z in reversed(inside)])
    for side in (-1, 1):
        axes.fill(side * around[:, 0], around[:, 1] + up, color="#bbbbbb", lw=0)
    tank(axes, wide, 1.3)


def tank(axes, wide, high):
    axes.plot([-wide / 2, -wide / 2, wide / 2, wide / 2], [high, 0, 0, high], color=style.WALLS, linewidth=0.8, zorder=4)


def draw_funnel(results, folder):
    figure, axes = panels.sheet(1, len(FUNNEL), 4.4)
    for ax, frame in zip(axes, FUNNEL):
        instant(ax, results, "funnel", frame, (-1, 1, -0.05, 5.4))
        outline(ax, results)
    panels.scale_bar(axes[0], 0.5, (0.68, 0.95))
    style.save(figure, folder, "ces-fig01")


def silhouette(u, v, radius):
    """Indices of particles whose union looks like that of all, for bodies of which many lie behind each other: the outermost first, and
    of others those that are not within 0.6 radii of one that is chosen."""
    chosen = []
    for k in np.argsort(-np.hypot(u - u.mean(), v - v.mean()), kind="stable"):
        if not chosen or np.hypot(u[chosen] - u[k], v[chosen] - v[k]).min() > 0.6 * radius[k]:
            chosen.append(k)
    return np.array(chosen)


def instant(ax, results, run, frame, window):
    """Solids as seen from the front, nearer ones later, before the layer of fluids that lies behind the middle."""
    data = style.section(results, run, frame)
    u, v, depth, radius, body = (np.array(data[name]) for name in ("u", "v", "depth", "radius", "body"))
    layer = (depth > 0) & (depth < 2 * radius)
    solids = sorted(sorted(set(body) - set(FLUIDS)), key=lambda name: -np.median(depth[body == name]))
    for number, name in enumerate([*FLUIDS, *solids]):
        of = np.flatnonzero((body == name) & (layer | (name not in FLUIDS)))
        of = of if name in FLUIDS else of[silhouette(u[of], v[of], radius[of])]
        filled(ax, u[of], v[of], radius[of], COLORS[name], window, 1 + 0.2 * number)
    ax.set(xlim=window[:2], ylim=window[2:], aspect="equal")
    ax.set_title(f"{frame * style.setting(results, run, 'time.frame_interval'):.1f} s")
    style.frame_only(ax)


def draw_park(results, folder):
    figure, axes = panels.sheet(1, len(PARK), 2.0)
    window = (-1.05, 1.05, -0.06, 2.1)
    for ax, frame in zip(axes, PARK):
        instant(ax, results, "park", frame, window)
        tank(ax, style.setting(results, "park", "walls.tank.shape.box.size")[0], window[3])
    for ax, frame in zip(axes, PARK):
        data = style.section(results, "park", frame)
        for name, words in NAMED.get(frame, {}).items():
            u, v = (np.array([x for x, body in zip(data[axis], data["body"]) if body == name]) for axis in "uv")
            above = name.startswith("long")  # a ball hides its middle
            ax.text(u.mean(), v.max() + 0.04 if above else v.mean(), words, ha="center", va="bottom" if above else "center", fontsize=panels.SMALLEST, zorder=6)
    panels.scale_bar(axes[0], 0.5)
    style.save(figure, folder, "ces-fig01-park")


def heights(axes, results):
    for k, (name, line) in enumerate(zip(("walrus-1", "walrus-2", "walrus-3"), ("-", "--", "-."))):
        body = style.body(results, "funnel", name)
        axes.plot(body["time"], body["z"], line, color=COLORS[name], label=f"body {k + 1}")
    axes.axhline(style.setting(results, "funnel", "walls.funnel.position")[2], color=style.GREY, lw=0.8, label="mouth")
    axes.set(xlabel="time, s", ylabel="height of the center, m", xlim=(0, 3), ylim=(0, 4.6))
    axes.legend()


def errors(axes, results):
    for run, color, line in (("funnel", style.BLUE, "-"), ("park", style.ORANGE, "--")):
        steps = style.metrics(results, run)
        axes.semilogy(steps["time"], np.maximum(steps["density_error_mean"], 1e-6), line, color=color, lw=0.8, label=run)
    axes.axhline(1e-3, color=style.GREY, lw=0.8, ls=":")
    axes.set(xlabel="time, s", ylabel="mean compression", xlim=(0, 3), ylim=(1e-5, 1e-2))
    axes.legend()


def work(axes, results):
    steps = style.metrics(results, "funnel")
    for name, label, color in (("velocity_iterations", "velocities", style.BLUE), ("displacement_iterations", "density", style.RED),
                               ("iterations_first", "elasticity", style.ORANGE)):
        each = len(steps["time"]) // 60
        n = each * (len(steps["time"]) // each)
        axes.plot(steps["time"][:n].reshape(-1, each).mean(1), steps[name][:n].reshape(-1, each).mean(1), color=color, label=label)
    axes.set(xlabel="time, s", ylabel="iterations of a step", xlim=(0, 3), ylim=(0, 33))
    axes.legend()


def main(results, folder):
    draw_funnel(results, folder)
    draw_park(results, folder)
    figure, axes = panels.sheet(1, 3, 2.2)
    heights(axes[0], results)
    errors(axes[1], results)
    work(axes[2], results)
    style.save(figure, folder, "ces-fig01-measures")


if __name__ == "__main__":
    main(*sys.argv[1:])
