"""Figure 10: the fluid's jump for three choices of alpha and beta; heights and energies over time."""

import sys

import numpy as np
import panels
import style
from draw_map import draw_map
from draw_restitution import draw_restitution

# name of the runs -> (label, color, line style)
ENERGIES = {"a0-b0": ("α = 0, β = 0", style.RED, "-"),
            "a1-b0": ("α = 1, β = 0", style.BLUE, "--"),
            "a1-b1": ("α = 1, β = 1", style.GREEN, "-."),
            "a0-sequential": ("α = 0, sequential", style.ORANGE, ":"),
            "a1-sequential": ("α = 1, sequential", style.SKY, (0, (6, 1, 1, 1, 1, 1)))}
SHOWN = ("a0-b0", "a1-b0", "a1-b1")
INTEGRATORS = {"euler": "backward Euler", "newmark": "Newmark"}
RUNS = style.experiment(__file__)
FRAMES = (8, 16, 33)
WINDOW = (-0.36, 0.36, -0.11, 0.25)
JUMP = (0.28, 0.4, 25, 102)  # s, mm
LABELS = {"a0-b0": (0.285, 46), "a1-b0": (0.34, 84), "a1-b1": (0.285, 84)}
# Flows of the ledger: positive when mechanical energy leaves. They add up to all of it.
SINKS = {"kept back by splitting (α)": ({"merge_dissipated": 1}, style.RED, ""),
         "returned from Eq. 19 (β)": ({"sync_stored": -1, "sync_dissipated": 1}, style.PURPLE, "xxxx"),
         "damping and viscosity": ({"damping": 1}, style.BLUE, "////"),
         "time integration and pressure": ({"numerical_dissipation": 1, "pressure_work": 1, "linearization": -1, "residual_work": -1}, style.SKY, "....")}


def runs(integrator, energy):
    return RUNS.sweep("{integrator}-{energy}-s{seed}", integrator=integrator, energy=energy)


def section(ax, results, energy, frame):
    """The middle row of the cloth and the two layers of fluid beside it."""
    data = {name: np.array(values) for name, values in style.section(results, runs("euler", energy)[0], frame).items()}
    near = np.where(data["body"] == "cloth", 0.5, 2) * data["radius"]
    style.draw_solids(ax, data, WINDOW, shown=np.abs(data["depth"]) < near)


def jump(ax, results):
    """The height of the fluid's center of mass, of the runs that are shown, and the jump at a larger scale."""
    inset = ax.inset_axes([0.33, 0.52, 0.67, 0.45])
    for energy in SHOWN:
        name, color, line = ENERGIES[energy]
        for run in runs("euler", energy):
            fluid = style.body(results, run, "fluid")
            for place in (ax, inset):
                place.plot(fluid["time"], 1e3 * fluid["height"], color=color, linestyle=line, linewidth=0.8)
        ax.text(*LABELS[energy], name, color=color, fontsize=panels.SMALLEST, transform=inset.transData, zorder=6)
    inset.set(xlim=JUMP[:2], ylim=JUMP[2:], xticks=[0.3, 0.34, 0.38], yticks=[50, 80])
    ax.indicate_inset_zoom(inset, edgecolor="black", alpha=0.5)
    ax.set_ylim(-60, 360)
    ax.set_title("height of the fluid's center, mm")
    ax.set_xlabel("time, s")
    ax.margins(x=0)


def cross_sections(results, folder):
    """What all have in common, how high they come, and the last instant with each choice, on one base line."""
    figure, axes = panels.sheet(2, 3, 3.6)
    base = style.body(results, runs("euler", SHOWN[0])[0], "fluid")
    for ax, frame in zip(axes[0], FRAMES[:2]):
        section(ax, results, SHOWN[0], frame)
        ax.set_title(f"{ENERGIES[SHOWN[0]][0]}, after {base['time'][frame]:.2f} s")
    panels.scale_bar(axes[0, 0])
    jump(axes[0, 2], results)
    for ax, energy in zip(axes[1], SHOWN):
        name, color, _ = ENERGIES[energy]
        fluid, frame = style.body(results, runs("euler", energy)[0], "fluid"), FRAMES[2]
        section(ax, results, energy, frame)
        ax.axhline(base["height"][frame], color="black", linestyle=(0, (4, 3)), linewidth=0.8, zorder=4)
        ax.axhline(fluid["height"][frame], color=color, linewidth=1.2, zorder=4)
        more = 1e3 * (fluid["height"][frame] - base["height"][frame])
        ax.set_title(f"{name}, after {fluid['time'][frame]:.2f} s")
        ax.set_xlabel(f"center at {1e3 * fluid['height'][frame]:.0f} mm" + (f", {more:+.0f} mm" if energy != SHOWN[0] else ""))
    style.save(figure, folder, "fig10-cross-sections")


def heights(ax, results, integrator):
    for energy, (name, color, line) in ENERGIES.items():
        for number, run in enumerate(runs(integrator, energy)):
            fluid = style.body(results, run, "fluid")
            ax.plot(fluid["time"], fluid["height"], color=color, linestyle=line, linewidth=0.8,
                    label=name if number == 0 else None)
    ax.axhline(0, color=style.GREY, linestyle=":", linewidth=0.8)
    ax.set_title(f"height of the fluid's center of mass, m\n({INTEGRATORS[integrator]})")


def energies(ax, results, integrator):
    for energy, (name, color, line) in ENERGIES.items():
        for number, run in enumerate(runs(integrator, energy)):
            data = style.metrics(results, run)
            ax.plot(data["time"], data["energy"] - data["energy"][0], color=color, linestyle=line, linewidth=0.8,
                    label=name if number == 0 else None)
    ax.set_title(f"mechanical energy gained, J\n({INTEGRATORS[integrator]})")


def sinks(ax, results, integrator):
    for x, energy in enumerate(ENERGIES):
        ends = [0.0, 0.0]  # of what came in and of what left
        data = [style.metrics(results, run) for run in runs(integrator, energy)]
        for name, (columns, color, hatch) in SINKS.items():
            height = np.mean([sum(sign * np.sum(d[column]) for column, sign in columns.items()) for d in data])
            leaves = int(height > 0)
            ax.bar(x, height, bottom=ends[leaves], color=color, hatch=hatch, edgecolor="white", linewidth=0, width=0.7,
                   label=name if x == 0 else None)
            ends[leaves] += height
    ax.axhline(0, color=style.BLACK, linewidth=0.6)
    ax.set_xticks(range(len(ENERGIES)), [name.replace(", ", ",\n").replace("sequential", "seq.") for name, _, _ in ENERGIES.values()], fontsize=6.5)
    ax.set_title(f"where energy went, J\n({INTEGRATORS[integrator]})")


def curves(results, folder):
    figure, axes = panels.sheet(len(INTEGRATORS), 3, 4.4)
    for row, integrator in zip(axes, INTEGRATORS):
        heights(row[0], results, integrator)
        energies(row[1], results, integrator)
        sinks(row[2], results, integrator)
        for ax in row[:2]:
            ax.margins(x=0)
            ax.set_xlabel("time, s")
    for ax, side, x, columns in ((axes[0][0], "upper left", 0.0, 2), (axes[0][2], "upper right", 1.0, 2)):
        handles, labels = ax.get_legend_handles_labels()
        figure.legend(handles, labels, loc=side, ncol=columns, bbox_to_anchor=(x, 0.0))
    style.save(figure, folder, "fig10-curves")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    curves(*sys.argv[1:])
    draw_map(*sys.argv[1:])
    draw_restitution(*sys.argv[1:])
