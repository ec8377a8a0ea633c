"""Stretch against iterations, forces on a plate, speeds of canopies; pictures of a flag, of canopies and of a pool."""

import sys

import numpy as np
import panels
import style

WAYS = (("forces", "forces", style.BLACK, "-"), ("averages", "constraints, averages", style.ORANGE, "--"), ("splitting", "constraints, masses split", style.BLUE, "-."))
COUNTS = (1, 2, 4, 8, 16, 32)
FRAMES = (0, 2, 4, 6, 10, 16)
POOL = (0, 5, 9, 16, 20, 32)
G, AIR, DRAG, LIFT, WIND = 9.81, 1.2, 1.2, 0.8, 10.0  # as claims have them


def longer(results, run):
    cloth = style.body(results, run, "cloth")
    return (0.475 - np.mean(cloth["min_z"][cloth["time"] >= 2])) / 0.95 - 1


def hanging(axes, results):
    for held, label, color, mark in (("free", "without tethers", style.RED, "o"), ("tethered", "with tethers", style.BLUE, "s")):
        axes.loglog(COUNTS, [100 * longer(results, f"hang-{held}-{n}") for n in COUNTS], mark + "-", ms=3.5, color=color, label=label)
    axes.axhline(2, color=style.GREY, lw=0.8, ls=":")
    axes.set(xlabel="iterations", ylabel="longer than at rest, %", ylim=(0.3, 100))
    style.plain_ticks(axes.xaxis, COUNTS)
    style.plain_ticks(axes.yaxis, (1, 10, 100))
    axes.legend()


def plates(axes, results):
    angle = np.radians(np.linspace(0, 90, 91))
    unit = 0.5 * AIR * WIND**2 * 0.2 * DRAG
    axes.plot(np.degrees(angle), np.sin(angle), color=style.GREY, lw=0.8, label="drag")
    axes.plot(np.degrees(angle), LIFT / DRAG * np.sin(angle) * np.cos(angle), color=style.GREY, lw=0.8, ls="--", label="lift")
    for (way, label, color, _), mark in zip(WAYS, ("o", "s", "^")):
        ends = {a: style.metrics(results, f"plate-{a}-{way}") for a in (30, 60, 90)}
        for axis, name in (("x", label), ("z", None)):
            axes.plot(list(ends), [end[f"momentum_{axis}"][-1] / end["time"][-1] / unit for end in ends.values()], mark, ms=3.5, color=color, label=name, ls="", mfc="none")
    axes.set(xlabel="angle to the stream, degrees", ylabel="force / drag at 90 degrees", xlim=(0, 95), ylim=(0, 1.75))
    axes.legend(loc="upper left")


def falls(axes, results):
    mass = 0.0
    for way, label, color, line in WAYS:
        load = style.body(results, f"canopy-{way}", "load")
        time, speed = load["time"], -np.diff(load["z"]) / np.diff(load["time"])
        axes.plot((time[1:] + time[:-1]) / 2, speed, color=color, ls=line, label=label)
        mass = -style.metrics(results, f"canopy-{way}")["gravity_impulse_z"].sum() / G / time[-1]
    axes.axhline(np.sqrt(2 * mass * G / (AIR * DRAG * 0.32**2)), color=style.GREY, lw=0.8, ls=":")
    axes.set(xlabel="time, s", ylabel="speed of the load, m/s", xlim=(0, 3), ylim=(0, 7))
    axes.legend()


def points(axes, results, run, frame, colors):
    data = style.section(results, run, frame)
    u, v, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "radius"))
    style.circles(axes, u, v, radius, [colors.get(name.split("-")[0], style.GREY) for name in data["body"]])
    return u, v


def pictures(results, folder):
    figure, axes = panels.sheet(3, 3, 5.4)
    for ax, frame in zip(axes[:2].flat, FRAMES):
        points(ax, results, "flag-constraints", frame, {"flag": style.BLUE})
        ax.plot(-0.4875, 0, "o", ms=3, color=style.BLACK)
        ax.set(xlim=(-1.55, 0.55), ylim=(-0.4, 0.6))
        ax.set_title(f"{0.05 * frame:.1f} s")
    for ax, (way, label, _, _) in zip(axes[2], WAYS):
        u, v = points(ax, results, f"canopy-{way}", 30, {"canopy": style.BLUE, "rope": style.ORANGE, "load": style.BLACK})
        middle = v.min()
        ax.set(xlim=(-0.3, 0.3), ylim=(middle - 0.1, middle + 0.55))
        ax.set_title(label)
    panels.scale_bar(axes[0, 0], 0.5)
    style.save(figure, folder, "upp-cloth-flag")


def pool(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2)
    for ax, frame in zip(axes.flat, POOL):
        style.view(ax, results, "pool-tied", "pool", "body+water", frame, bar=frame == POOL[0])
        ax.set_title(f"{0.08 * frame:.2f} s")
    style.save(figure, folder, "upp-cloth-pool")


def main(results, folder):
    figure, axes = panels.sheet(1, 3, 2.8)
    hanging(axes[0], results)
    plates(axes[1], results)
    falls(axes[2], results)
    style.save(figure, folder, "upp-cloth")
    pictures(results, folder)
    pool(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
