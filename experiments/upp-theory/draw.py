"""What corrections of positions are known to do, beside closed forms; shapes."""

import sys

import numpy as np
import panels
import style

EDGES = {2: style.SKY, 4: style.BLUE, 8: style.RED}
POPS = (("particle", 0, "particle", style.BLUE, "-"), ("cube", 0, "cube", style.RED, "-"), ("cube", 1, "cube, stabilized", style.RED, "--"))


def equal(ax, values):
    n = range(7)
    for way, label, color, mark in (("summed", "sums", style.RED, "o"), ("averaged", "averages", style.BLUE, "s")):
        ax.plot(n, [values[f"UPP.equal.{way}.x-{k}"] for k in n], f"{mark}-", color=color, markersize=4, label=label)
    ax.set_xlabel("iteration")
    ax.set_ylabel("distance from solution, m")
    ax.set_ylim(-1.05, 0.6)
    ax.set_title("two equal constraints")
    ax.legend(loc="lower left", ncol=2, columnspacing=1)


def angles(ax, values):
    found = sorted((float(name[len("UPP.angle-"):-len(".iterations")]), n) for name, n in values.items() if name.startswith("UPP.angle-"))
    x = np.geomspace(0.008, 0.4, 100)
    ax.plot(x, np.log(1e-6) / (2 * np.log(np.cos(x / 2))), color=style.GREY, label="closed form")
    ax.plot(*zip(*found), "o", color=style.BLUE, markersize=4, label="measured")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("angle between two constraints, rad")
    ax.set_ylabel("iterations to 1e-6")
    ax.set_title("nearly equal constraints")
    ax.legend()


def pops(ax, values):
    rates = np.array([60, 120, 240, 480])
    for kind, stabilized, label, color, line in POPS:
        speed = [0.02 * rate * values[f"UPP.pop.{kind}.{stabilized}.{rate}"] for rate in rates]
        ax.plot(1e3 / rates, speed, f"o{line}", color=color, markersize=4, label=label)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([2, 4, 8, 16], ["2", "4", "8", "16"])
    ax.minorticks_off()
    ax.set_xlabel("step, ms")
    ax.set_ylabel("speed after a step, m/s")
    ax.set_ylim(0.2, None)
    ax.set_title("20 mm inside the ground")
    ax.legend(loc="lower left")


def depths(ax, values):
    m = np.linspace(1, 8, 200)
    for edge, color in EDGES.items():
        left = (1 - 1 / edge) ** m
        ax.plot(m, left / (1 - left), color=color)
        ax.plot(range(1, 9), [values[f"UPP.depth.{edge}.{k}"] for k in range(1, 9)], "o", color=color, markersize=4, label=f"{edge}³ particles")
    ax.set_yscale("log")
    ax.set_xlabel("iterations")
    ax.set_ylabel("depth at rest, g dt²")
    ax.set_title("cubes on a plane")
    ax.legend()


def cloth(ax, values):
    n = (1, 4, 16)
    for way, label, color, mark in (("iterations", "one step of n", style.RED, "o"), ("steps", "n steps of one", style.BLUE, "s")):
        ax.plot(n, [100 * values[f"UPP.cloth.{way}-{k}"] for k in n], f"{mark}-", color=color, markersize=4, label=label)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(n, map(str, n))
    ax.minorticks_off()
    ax.set_xlabel("iterations in 1/120 s, n")
    ax.set_ylabel("longer than at rest, %")
    ax.set_title("hanging cloth")
    ax.legend()


def energies(ax, values):
    n = (0, 1, 2, 4, 8, 16)
    ax.plot(range(len(n)), [values[f"UPP.pile.stabilized.{k}"] for k in n], "o-", color=style.BLUE, markersize=4)
    ax.set_xticks(range(len(n)), map(str, n))
    ax.set_ylim(0, None)
    ax.set_xlabel("stabilization iterations")
    ax.set_ylabel("kinetic energy, J")
    ax.set_title("216 grains that overlap")


def shape(ax, values, state, title):
    x, y = ([values[f"UPP.dent.{state}.{c}-{i:02}"] for i in range(81)] for c in "xy")
    ax.scatter(x, y, s=14, color=style.BLUE, edgecolors="none")
    ax.set_aspect("equal")
    ax.set_xlim(-5.2, 5.2)
    ax.set_ylim(-5, 5.8)
    style.frame_only(ax)
    ax.set_title(title)


def strains(ax, values):
    n = [2 ** k for k in range(10)]
    ax.plot(n, [100 * values[f"UPP.strain.lattice.{k}"] for k in n], "o-", color=style.RED, markersize=4, label="lattice")
    ax.axhline(1, color=style.GREY, linewidth=0.8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(0.5, 100)
    ax.set_xlabel("iterations")
    ax.set_ylabel("largest strain, %")
    ax.set_title("beam falls on an edge")


def top(ax, values):
    dt = np.array([4, 2, 1, 0.5])
    ax.plot(dt, [100 * values[f"UPP.top.error-{k:g}"] for k in dt], "o-", color=style.BLUE, markersize=4)
    ax.plot(dt, 3.0 * dt / 4, "--", color=style.GREY)
    ax.annotate("first order", (2, 1.5), xytext=(4, -8), textcoords="offset points")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(dt, [f"{k:g}" for k in dt])
    ax.set_yticks([0.5, 1, 2], ["0.5", "1", "2"])
    ax.minorticks_off()
    ax.set_xlabel("step, ms")
    ax.set_ylabel("error of attitude, %")
    ax.set_title("free top")


def main(results, folder):
    values = style.measured(results)
    figure, axes = panels.sheet(2, 3, 4.4)
    for draw, ax in zip((equal, angles, pops, depths, cloth, energies), axes.flat):
        draw(ax, values)
    style.save(figure, folder, "upp-theory")
    figure, axes = panels.sheet(1, 4, 2.2)
    shape(axes[0], values, "before", "dented")
    shape(axes[1], values, "after", "matched")
    strains(axes[2], values)
    top(axes[3], values)
    style.save(figure, folder, "upp-theory-shapes")


if __name__ == "__main__":
    main(*sys.argv[1:])
