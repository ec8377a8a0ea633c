"""Friction: a block on slopes and on level ground, water, and balls that roll or meet obliquely, beside closed forms."""

import sys

import numpy as np
import panels
import style
from draw_rest import rest

RUNS = style.experiment(__file__)
ANGLES = RUNS.axis("angle")
COLORS = dict(zip(RUNS.axis("mu"), (style.GREY, style.BLUE, style.RED)))
MARKS = dict(zip(RUNS.axis("step"), (("s", 6.5), ("o", 4), (".", 2.5))))  # of the steps, from the longest: marker and size, within each other
SETTLED = 0.1  # s, as in claims.py


def milliseconds(step):
    return f"{1e3 * float(step):g} ms"


def mark_of(step):
    marker, size = MARKS[step]
    return {"linestyle": "", "marker": marker, "markersize": size, "markeredgewidth": 0.8, "markerfacecolor": None if marker == "." else "none"}


def acceleration(results, run):
    """Along the slope after the block has settled, over g."""
    data = style.body(results, run, "block")
    start = np.interp(SETTLED, data["time"], data["velocity_x"])
    return (data["velocity_x"][-1] - start) / (data["time"][-1] - SETTLED) / np.linalg.norm(style.setting(results, run, "gravity"))


def slopes(ax, results):
    """Lines: the law. Marks: what was simulated."""
    theta = np.linspace(0, 65, 200)
    for mu, color in COLORS.items():
        law = np.sin(np.radians(theta)) - float(mu) * np.cos(np.radians(theta))
        ax.plot(theta, np.maximum(law, 0), color=color, linewidth=1, label=f"µ = {mu}")
        for step in MARKS:
            ax.plot([float(angle) for angle in ANGLES], [acceleration(results, f"slope-{angle}-{mu}-{step}") for angle in ANGLES], color=color, **mark_of(step))
    ax.plot([float(angle) for angle in ANGLES], [acceleration(results, f"merging-{angle}") for angle in ANGLES], "x", color=style.GREEN,
            markersize=4, label="the paper's\nmeta-particles")
    ax.set(xlabel="slope θ, degrees", ylabel="acceleration / g", title="A block slides by Coulomb's law")
    for step in MARKS:
        ax.plot([], [], color=style.BLACK, label=f"steps of {milliseconds(step)}", **mark_of(step))
    ax.set_ylim(-0.05, 1.45)
    ax.legend(loc="upper left", ncol=2)


def creep(ax, results):
    """How far blocks move that have to stand."""
    ends = {}

    def draw(run, color, label, **look):
        data = style.body(results, run, "block")
        way = 1e6 * (data["x"] - data["x"][0])
        ax.plot(1e3 * data["time"], way, color=color, linewidth=0.8, **look)
        ends[label] = 1e3 * data["time"][-1], way[-1], color
    for step, line in zip(reversed(MARKS), ("-", "--", ":")):  # solid lines below the others, which they would hide
        for angle, mu in (("10", "0.3"), ("20", "0.6"), ("30", "0.6")):
            draw(f"slope-{angle}-{mu}-{step}", COLORS[mu], f"{angle}°, µ = {mu}", linestyle=line)
        ax.plot([], [], color=style.BLACK, linestyle=line, linewidth=0.8, label=f"steps of {milliseconds(step)}")
    draw("static-rest", style.PURPLE, "20°, static 1")
    ax.set(xlabel="time, ms", ylabel="distance, µm", ylim=(-5, 300), title="Below the angle of friction it comes to rest")
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.35))
    panels.end_labels(ax, ends)


def stops(ax, results):
    for mu in RUNS.axis("level"):
        gravity = -style.setting(results, f"level-{mu}-1e-3", "gravity")[2]
        speed = style.setting(results, f"level-{mu}-1e-3", "bodies.block.velocity")[0]
        time = np.linspace(0, 0.5, 200)
        moving = np.minimum(time, speed / (float(mu) * gravity))
        ax.plot(1e3 * time, speed * moving - float(mu) * gravity * moving ** 2 / 2, color=COLORS[mu], linewidth=1, label=f"µ = {mu}")
        for step in MARKS:
            data = style.body(results, f"level-{mu}-{step}", "block")
            ax.plot(1e3 * data["time"][::4], (data["x"] - data["x"][0])[::4], color=COLORS[mu], **mark_of(step))
    ax.set(xlabel="time, ms", ylabel="distance, m", title="On level ground it comes to rest")
    ax.legend(loc="lower right")


def water(ax, results):
    beds = [bed for bed in RUNS.axis("bed") if float(bed) > 0]

    def coefficient(run):
        data = style.metrics(results, run)
        return -np.sum(data["support_impulse_x"]) / np.sum(data["support_impulse_z"])
    mu = np.array([float(bed) for bed in beds])
    ax.loglog(mu, mu, color=style.BLACK, linewidth=1, label="law")
    ax.loglog(mu, [coefficient(f"water-{bed}") for bed in beds], linestyle="", marker="o", markersize=4, markerfacecolor="none", color=style.SKY,
              label="simulated")
    ax.set(xlabel="µ", ylabel="tangential / normal impulse", title="Water slides by the same law")
    for axis in (ax.xaxis, ax.yaxis):
        style.plain_ticks(axis, mu)
    ax.legend(loc="upper left")


def inertia(results, run, body):
    """The square of a ball's radius of gyration, m^2, as in claims.py."""
    data = {name: np.array(values) for name, values in style.section(results, run, 0).items()}
    return 2 / 3 * sum(np.var(data[axis][data["body"] == body]) for axis in ("u", "v", "depth"))


def rolled(results, run):
    """v^2 / (2 a x) of a ball over that of a rigid sphere with its inertia, and of a rimless wheel, as in claims.py."""
    data, r = style.body(results, run, "ball"), style.setting(results, run, "bodies.ball.radius")
    h, way, k2 = data["z"][0] - data["min_z"][0] + r, data["x"][-1] - data["x"][0], inertia(results, run, "ball")
    rigid = style.setting(results, run, "gravity")[0] / (1 + k2 / h ** 2)
    q, falls = ((k2 + h * h - r * r) / (k2 + h * h + r * r)) ** 2, way / (2 * r)
    return data["velocity_x"][-1] ** 2 / (2 * rigid * way), (1 - q ** falls) / (1 - q) / falls


def rolling(ax, results):
    sizes = RUNS.axis("size")
    radii = [1e3 * float(size) for size in sizes]
    found = {filled: np.array([rolled(results, f"roll-{filled}-{size}") for size in sizes]) for filled in RUNS.axis("filled")}
    ax.axhline(1, color=style.BLACK, linewidth=1, label="rigid sphere")
    ax.plot(radii, found["relaxed"][:, 0], "o", color=style.BLUE, markersize=4, markerfacecolor="none", label="relaxed")
    ax.plot(radii, found["lattice"][:, 0], "s", color=style.RED, markersize=4, markerfacecolor="none", label="cut from a lattice")
    ax.plot(radii, found["relaxed"][:, 1], "--", color=style.GREY, linewidth=1, label="rimless wheel")
    ax.set(xlabel="radius of particles, mm", ylabel="v² / 2 a x", xlim=(0, 11), ylim=(-0.05, 1.1), title="A ball of 6 cm rolls")
    ax.legend(loc="lower left")


class Hit:
    """T/N of an oblique impact, and that of rigid spheres, as in claims.py."""

    def __init__(self, results, run):
        left, right = (style.body(results, run, body) for body in ("left", "right"))
        first, last = (np.array([left[axis][k] - right[axis][k] for axis in "xyz"]) for k in (0, -1))
        before, after = (np.array([left[f"velocity_{axis}"][k] - right[f"velocity_{axis}"][k] for axis in "xyz"]) for k in (0, -1))
        change = before - after
        apart = first + before * np.dot(last - left["time"][-1] * after - first, change) / np.dot(change, change)
        normal = -apart / np.linalg.norm(apart)
        across = before - np.dot(before, normal) * normal
        slip = np.linalg.norm(across)
        self.ratio = np.dot(change, across) / slip / np.dot(change, normal)
        self.roll = slip / (1 + np.dot(apart, apart) / 4 / inertia(results, run, "left")) / np.dot(change, normal)


def impacts(ax, results):
    rubs, turns = RUNS.axis("rub"), RUNS.axis("turn")
    places = np.array([float(rub) for rub in rubs])
    for beside, (pattern, label), color, marker in zip((-0.012, 0.012, 0), (("relaxed-0.006", "relaxed, 6 mm"), ("relaxed-0.01", "relaxed, 10 mm"), ("lattice", "lattice, 10 mm")),
                                                      (style.BLUE, style.SKY, style.RED), "o^s"):
        found = [[Hit(results, f"hit-{pattern}-{rub}-{turn}") for turn in turns] for rub in rubs]
        for k in range(len(turns)):
            ax.plot(places + beside, [hit[k].ratio for hit in found], linestyle="", marker=marker, markersize=4, markerfacecolor="none",
                    color=color, label=label if k == 0 else None)
        ax.plot(places + beside, [np.mean([hit.ratio for hit in some]) for some in found], "_", color=color, markersize=9, markeredgewidth=1.5)
        if pattern == "relaxed-0.006":
            roll = np.mean([hit.roll for hit in found[-1]])
    mu = np.linspace(0, 0.65, 100)
    ax.plot(mu, np.minimum(mu, roll), color=style.BLACK, linewidth=1, label="rigid spheres")
    ax.set(xlabel="µ", ylabel="tangential / normal impulse", title="Two balls meet obliquely", ylim=(-0.2, 0.65))
    ax.legend(loc="lower right")


def main(results, folder):
    figure, axes = panels.sheet(3, 2, 7.2)
    slopes(axes[0][0], results)
    creep(axes[0][1], results)
    stops(axes[1][0], results)
    water(axes[1][1], results)
    rolling(axes[2][0], results)
    impacts(axes[2][1], results)
    style.save(figure, folder, "ablation-friction")
    rest(results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
