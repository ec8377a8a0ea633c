"""Maps over the mass of the ball's particles and the speed: fragments, debris, overlap, speeds, the speed that the ball keeps."""

import sys

import numpy as np
import panels
import style
from arithmetic import rounded
from matplotlib.colors import ListedColormap, LogNorm, Normalize

RUNS = style.experiment(__file__)
MASSES, SPEEDS = RUNS.axis("mass"), RUNS.axis("speed")
MERGED = "ms-m{mass}-v{speed}"
KINDS = {"ms": "merging-and-splitting, backward Euler", "verlet": "merging-and-splitting, Verlet", "penalty": "penalty, backward Euler"}
# Of the wall, by experiments/ablation-fracture-timestep: speed of waves in m/s, energy of a crack in J/m^2 (bonds across
# it, each at the strain that it holds).
WAVES, CRACK = 510, 2190
LINE = {"color": style.BLACK, "linewidth": 1.2}
LIGHT = ListedColormap(style.plt.get_cmap("YlOrBr")(np.linspace(0, 0.6, 256)))  # black numbers can be read on all of it


def residual(results, run, numbers):
    return style.body(results, run, "ball")["velocity_x"][-1] / numbers["impact_speed"]


FRACTURE = (
    ("fragments", lambda r, run, n: n["fragments"], LogNorm(1, 1000), "{:.0f}"),
    ("debris, % of the wall", lambda r, run, n: 100 * n["debris_fraction"], Normalize(0, 100), "{:.1f}"),
)
CONTACT = (
    ("largest overlap / radius", lambda r, run, n: n["overlap_depth_max"], LogNorm(0.01, 1), "{:.2f}"),
    ("largest speed / impact speed", lambda r, run, n: n["speed_max"] / n["impact_speed"], LogNorm(1, 20), "{:.1f}"),
    ("ball's speed at the end / impact", residual, Normalize(0, 1), "{:.2f}"),
)


class Scene:
    """What the theory and the axes need of the scene: its lightest ball at the lowest speed, and all masses and speeds."""

    def __init__(self, results):
        corner = RUNS.sweep(MERGED, mass=MASSES[0], speed=SPEEDS[0])[0]
        config = style.summary(results, corner)["config"]
        self.masses = [self.mass_ratio(results, run) for run in RUNS.sweep(MERGED, speed=SPEEDS[0])]
        self.speeds = [style.setting(results, run, "bodies.ball.velocity")[0] for run in RUNS.sweep(MERGED, mass=MASSES[0])]
        self.critical_stretch = config["materials.plaster.critical_stretch"]
        self.stiffer = config["materials.steel.stiffness"] / config["materials.plaster.stiffness"]
        self.ball = rounded(style.body(results, corner, "ball")["mass"][0]) / self.masses[0]  # kg, of particles of the wall's mass
        # m^2, around a plug under the ball
        self.rim = np.pi * 2 * config["bodies.ball.shape.ball.radius"] * config["bodies.wall.shape.box.size"][0]

    @staticmethod
    def mass_ratio(results, run):
        """Of a particle of the ball over one of the wall; they have the same size."""
        return style.setting(results, run, "bodies.ball.density") / style.setting(results, run, "bodies.wall.density")


def theory(ax, scene):
    """Where contact strains the wall as far as its bonds hold; where the ball's energy is that of a plug's rim."""
    masses = np.geomspace(scene.masses[0] / 1.7, scene.masses[-1] * 1.7, 50)
    x = np.interp(np.log(masses), np.log([0.3, *scene.masses, 300]), range(-1, len(scene.masses) + 1))
    strained = scene.critical_stretch * WAVES * (1 + 1 / np.sqrt(scene.stiffer * masses))
    plugged = np.sqrt(2 * CRACK * scene.rim / (scene.ball * masses))
    for speeds, dashes in ((strained, "--"), (plugged, ":")):
        ax.plot(x, np.log2(speeds / scene.speeds[0]), **LINE, linestyle=dashes)


def panel(ax, results, kind, title, value, norm, form):
    runs = [[f"{kind}-m{mass}-v{speed}" for mass in MASSES] for speed in SPEEDS]
    numbers = [[style.summary(results, run) for run in row] for row in runs]
    values = np.array([[value(results, run, n) for run, n in zip(*rows)] for rows in zip(runs, numbers)])
    image = ax.imshow(values, origin="lower", aspect="auto", cmap=LIGHT, norm=norm)
    for y, row in enumerate(values):
        for x, v in enumerate(row):
            stopped = numbers[y][x]["end"] != "complete"
            text = "–" if stopped else form.format(v)
            cell = {"facecolor": image.cmap(image.norm(v)), "edgecolor": "none", "pad": 1}  # so that no line goes through the number
            ax.text(x, y, text, ha="center", va="center", fontsize=panels.SMALLEST, zorder=3, bbox=cell)
    ax.set_xticks(range(len(MASSES)), MASSES)
    ax.set_yticks(range(len(SPEEDS)), SPEEDS)
    ax.set_title(title)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlim(-0.5, len(MASSES) - 0.5)
    ax.set_ylim(-0.5, len(SPEEDS) - 0.5)


def picture(results, measures):
    """A column for each measure, a row for each way of contact and integrator."""
    figure, axes = panels.sheet(len(KINDS), len(measures), 6.6, sharex=True, sharey=True)
    for row, (kind, name) in zip(axes, KINDS.items()):
        for ax, measure in zip(row, measures):
            panel(ax, results, kind, *measure)
        row[0].set_ylabel(f"{name}\nspeed, m/s")
    for ax in axes[-1]:
        ax.set_xlabel("mass of a particle, ball / wall")
    return figure, axes


def main(results, folder):
    scene = Scene(results)
    figure, axes = picture(results, FRACTURE)
    for row in axes:
        theory(row[0], scene)
    style.save(figure, folder, "map-fracture")
    figure, _ = picture(results, CONTACT)
    style.save(figure, folder, "map-fracture-contact")


if __name__ == "__main__":
    main(*sys.argv[1:])
