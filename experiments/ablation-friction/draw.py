"""Friction: a block on slopes and on level ground, and water, beside closed forms."""

import sys

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
ANGLES = RUNS.axis("angle")
COLORS = dict(zip(RUNS.axis("mu"), (style.GREY, style.BLUE, style.RED)))
MARKERS = dict(zip(RUNS.axis("step"), "ovs"))
SETTLED = 0.1  # s, as in claims.py


def milliseconds(step):
    return f"{1e3 * float(step):g} ms"


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
        for step, marker in MARKERS.items():
            ax.plot([float(angle) for angle in ANGLES], [acceleration(results, f"slope-{angle}-{mu}-{step}") for angle in ANGLES],
                    linestyle="", marker=marker, markersize=4, markerfacecolor="none", color=color)
    ax.plot([float(angle) for angle in ANGLES], [acceleration(results, f"merging-{angle}") for angle in ANGLES], "x", color=style.GREEN,
            markersize=4, label="the paper's\nmeta-particles")
    ax.set(xlabel="slope θ in degrees", ylabel="acceleration / g", title="A block slides by Coulomb's law")
    for step, marker in MARKERS.items():
        ax.plot([], [], linestyle="", marker=marker, markersize=4, markerfacecolor="none", color=style.BLACK,
                label=f"steps of {milliseconds(step)}")
    ax.set_ylim(-0.05, 1.45)
    ax.legend(loc="upper left", ncol=2)


def creep(ax, results):
    """How far blocks move that have to stand."""
    def draw(run, color, label=None, **look):
        data = style.body(results, run, "block")
        ax.plot(1e3 * data["time"], 1e6 * (data["x"] - data["x"][0]), color=color, linewidth=0.8, label=label, **look)
    for step, line in zip(MARKERS, (":", "--", "-")):
        for angle, mu in (("10", "0.3"), ("20", "0.6"), ("30", "0.6")):
            draw(f"slope-{angle}-{mu}-{step}", COLORS[mu], linestyle=line)
        ax.plot([], [], color=style.BLACK, linestyle=line, linewidth=0.8, label=f"steps of {milliseconds(step)}")
    draw("static-rest", style.PURPLE, "static µ = 1")
    ax.set(xlabel="time in ms", ylabel="distance in µm", ylim=(-5, 175), title="Below the angle of friction it stands")
    ax.legend(loc="upper left", ncol=2)


def stops(ax, results):
    for mu in RUNS.axis("level"):
        gravity = -style.setting(results, f"level-{mu}-1e-3", "gravity")[2]
        speed = style.setting(results, f"level-{mu}-1e-3", "bodies.block.velocity")[0]
        time = np.linspace(0, 0.5, 200)
        moving = np.minimum(time, speed / (float(mu) * gravity))
        ax.plot(1e3 * time, speed * moving - float(mu) * gravity * moving ** 2 / 2, color=COLORS[mu], linewidth=1, label=f"µ = {mu}")
        for step, marker in MARKERS.items():
            data = style.body(results, f"level-{mu}-{step}", "block")
            ax.plot(1e3 * data["time"][::4], (data["x"] - data["x"][0])[::4], linestyle="", marker=marker, markersize=3.5,
                    markerfacecolor="none", color=COLORS[mu])
    ax.set(xlabel="time in ms", ylabel="distance in m", title="On level ground it comes to rest")
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
    ax.legend(loc="upper left")


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 4.8)
    slopes(axes[0][0], results)
    creep(axes[0][1], results)
    stops(axes[1][0], results)
    water(axes[1][1], results)
    style.save(figure, folder, "ablation-friction")


if __name__ == "__main__":
    main(*sys.argv[1:])
