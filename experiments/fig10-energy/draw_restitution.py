"""How fast things part after a collision, against alpha: loose particles, a particle on a plane, two elastic blocks."""

import numpy as np
import panels
import style
from style import plt

RUNS = style.experiment(__file__)
ALPHAS, STEPS, LENGTHS = (RUNS.axis(name) for name in ("share", "step", "length"))
ALPHA = [float(alpha) for alpha in ALPHAS]
SHADES = dict(zip(STEPS, plt.get_cmap("viridis_r")(np.linspace(0.15, 0.95, len(STEPS)))))
INTEGRATORS = {"euler": "backward Euler", "newmark": "Newmark"}
LANDED = 0.12  # s, after the first bounce and before the highest point that follows it
METHOD = "merging"


def milliseconds(step):
    return f"{1e3 * float(step):g} ms"


def restitution(results, run):
    left, right = (style.body(results, run, name)["velocity_x"] for name in ("left", "right"))
    return (right[-1] - left[-1]) / (left[0] - right[0])


def bounce(results, run):
    """Height of the first bounce over the height of the fall."""
    data, radius = style.body(results, run, "drop"), style.setting(results, run, "bodies.drop.radius")
    return (data["z"][data["time"] > LANDED].max() - radius) / (data["z"][0] - radius)


def angular_kept(results, run):
    data = style.metrics(results, run)
    momenta = np.array([data[f"angular_{axis}"] for axis in "xyz"])
    return momenta[:, 0] @ momenta[:, -1] / (momenta[:, 0] @ momenta[:, 0])


def of_alpha(ax):
    ax.set_xlabel("α")
    ax.set_xticks(ALPHA)


def loose(ax, results):
    """The two scenes with loose particles, at both steps."""
    fine = np.linspace(0, 1, 101)
    ax.plot(fine, np.sqrt(fine), color=style.GREY, linewidth=0.8)
    ax.plot(fine, fine, color=style.GREY, linewidth=0.8)
    for length, mark in zip(LENGTHS, ("o", "+")):
        runs = [f"pair-center-{METHOD}-a{alpha}-{length}" for alpha in ALPHAS]
        ax.plot(ALPHA, [restitution(results, run) for run in runs], mark, color=style.GREEN, fillstyle="none",
                label=f"head-on: speed, {milliseconds(length)}")
    for length, mark in zip(LENGTHS, ("s", "x")):
        runs = [f"drop-{METHOD}-a{alpha}-{length}" for alpha in ALPHAS]
        ax.plot(ALPHA, [bounce(results, run) for run in runs], mark, color=style.BLUE, fillstyle="none", markersize=5,
                label=f"on a plane: height, {milliseconds(length)}")
    ax.annotate("√α", (0.3, 0.55), ha="right", va="bottom", color=style.GREY)
    ax.annotate("α", (0.62, 0.62), textcoords="offset points", xytext=(4, -8), color=style.GREY)
    of_alpha(ax)
    ax.set_title("loose particles")
    ax.set_ylabel("after / before")
    ax.legend(loc="lower right")


def off_center(ax, results):
    """The energy that two loose particles keep if they meet off center."""
    fine = np.array([0.0, 1.0])
    ax.plot(fine, 0.25 + 0.75 * fine, color=style.GREY, linewidth=0.8, label="smooth spheres")
    for length, mark in zip(LENGTHS, ("o", "+")):
        runs = [f"pair-off-{METHOD}-a{alpha}-{length}" for alpha in ALPHAS]
        ax.plot(ALPHA, [style.summary(results, run)["energy_kept"] for run in runs], mark, color=style.GREEN, fillstyle="none",
                label=milliseconds(length))
    of_alpha(ax)
    ax.set_title("loose particles, 30° off center")
    ax.set_ylabel("energy kept")
    ax.legend(loc="lower right")


def blocks(ax, results, value, integrator):
    """A value of two blocks against alpha, for every step; penalty forces as levels."""
    for step in STEPS:
        ax.plot(ALPHA, [value(results, f"blocks-{integrator}-{METHOD}-a{alpha}-{step}") for alpha in ALPHAS], "o-", markersize=3,
                color=SHADES[step], label=milliseconds(step))
    ax.axhline(value(results, f"blocks-{integrator}-reference"), color=style.ORANGE, linestyle="--", label="hard penalty, 0.02 ms")
    of_alpha(ax)


def fates(ax, results, integrator):
    """Where the energy of two blocks is after the collision, at the shortest step."""
    below = np.zeros(len(ALPHAS))
    for name, color, part in (("motion of the blocks along their path", style.GREEN, lambda n, run: moving(results, run)),
                              ("rotation and vibration", style.SKY, lambda n, run: n["energy_kept"] * n["energy_available"] - moving(results, run)),
                              ("kept back by splitting", style.RED, lambda n, run: n["merge_dissipated"]),
                              ("damping", style.BLUE, lambda n, run: n["damping"])):
        runs = [f"blocks-{integrator}-{METHOD}-a{alpha}-{STEPS[-1]}" for alpha in ALPHAS]
        numbers = [style.summary(results, run) for run in runs]
        part_of = np.array([part(n, run) / n["impact_kinetic"] for n, run in zip(numbers, runs)])
        ax.fill_between(ALPHA, below, below + part_of, color=color, linewidth=0, label=name)
        below += part_of
    of_alpha(ax)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_ylabel("fraction of the energy")
    ax.set_title(f"two blocks, {INTEGRATORS[integrator]}, {milliseconds(STEPS[-1])}")
    ax.legend(loc="upper left", frameon=True, framealpha=0.8, edgecolor="none")


def moving(results, run):
    """Kinetic energy of the blocks' motion as a whole along x, J."""
    ends = [style.body(results, run, name) for name in ("left", "right")]
    return sum(data["mass"][-1] * data["velocity_x"][-1] ** 2 / 2 for data in ends)


def draw_restitution(results, folder):
    figure, axes = panels.sheet(3, 2, 7.0)
    axes = axes.reshape(2, 3)  # in reading order
    loose(axes[0][0], results)
    off_center(axes[0][1], results)
    for ax, (integrator, name) in zip((axes[0][2], axes[1][0]), INTEGRATORS.items()):
        blocks(ax, results, restitution, integrator)
        ax.set_title(f"two elastic blocks, {name}")
        ax.set_ylabel("separation / approach speed")
        ax.set_ylim(0, 0.65)
    blocks(axes[1][1], results, angular_kept, "newmark")
    axes[1][1].axhline(0, color=style.GREY, linewidth=0.6)
    axes[1][1].legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    axes[1][1].set_title("two elastic blocks, Newmark")
    axes[1][1].set_ylabel("angular momentum after / before")
    fates(axes[1][2], results, "newmark")
    style.save(figure, folder, "fig10-restitution")
