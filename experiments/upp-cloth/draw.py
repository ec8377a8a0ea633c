"""Stretch against iterations, forces on a plate, speeds of canopies; pictures of a flag, of canopies and of a pool."""

import sys

import numpy as np
import panels
import style

WAYS = (("forces", "forces", style.BLACK, "-"), ("averages", "constraints, averages", style.ORANGE, "--"), ("splitting", "constraints, masses split", style.BLUE, "-."))
COUNTS = (1, 2, 4, 8, 16, 32)
FRAMES = (0, 2, 4, 6, 10, 16)
POLE = -0.4875  # m
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


def flag(axes, results):
    """Its middle rows at all instants, each with its time at the free end."""
    for shade, frame in zip(np.linspace(0.85, 0, len(FRAMES)), FRAMES):
        color = style.plt.cm.viridis(shade)
        u, v = points(axes, results, "flag-constraints", frame, {"flag": color})
        end = np.argmax(np.hypot(u - POLE, v) if frame else u)
        side = np.sign(u[end] - POLE)
        axes.annotate(f"{0.05 * frame:.1f} s", (u[end], v[end]), xytext=(4 * side, 5), textcoords="offset points", ha="left" if side > 0 else "right",
                      va="center", fontsize=panels.SMALLEST, path_effects=panels.RIM)
    axes.plot(POLE, 0, "o", ms=4, color=style.BLACK)
    axes.set(xlim=(-1.65, 0.65), ylim=(-0.1, 0.33))
    axes.set_title("a flag from above")
    panels.scale_bar(axes, 0.2, (0.02, 0.08))


def pictures(results, folder):
    figure, axes = panels.sheet(2, 3, 4.2, height_ratios=(1.4, 2.2))
    grid = axes[0, 0].get_gridspec()
    for ax in axes.flat:
        ax.remove()
    flag(figure.add_subplot(grid[0, :]), results)
    below = [figure.add_subplot(grid[1, k]) for k in range(3)]
    for ax, (way, label, _, _) in zip(below, WAYS):
        u, v = points(ax, results, f"canopy-{way}", 30, {"canopy": style.BLUE, "rope": style.ORANGE, "load": style.BLACK})
        middle = v.min()
        ax.set(xlim=(-0.25, 0.25), ylim=(middle - 0.06, middle + 0.54))
        ax.set_title(label)
    panels.scale_bar(below[0], 0.1, (0.23, 0.45))
    style.save(figure, folder, "upp-cloth-flag")


def pool(results, folder):
    figure, axes = panels.sheet(2, 3, 4.4, height_ratios=(0.98, 0.4))
    for k, (ax, frame) in enumerate(zip(axes.flat, POOL)):
        style.view(ax, results, "pool-tied", "pool", "body+water", frame, bar=k % 3 == 0, part=(0.25, 0.75, 0.01, 0.99 if k < 3 else 0.41))
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
