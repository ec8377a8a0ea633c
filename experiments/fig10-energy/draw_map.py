"""What changes with alpha and beta: how high the fluid rises, how much energy is kept, and where the rest went."""

import numpy as np
import panels
import style

RUNS = style.experiment(__file__)
ALPHAS, BETAS, SEEDS = (RUNS.axis(name) for name in ("alpha", "beta", "seed"))
QUANTITIES = {
    "highest center of mass, mm":
        lambda n: 1e3 * (n["bodies"]["fluid"]["lowest_height"] + n["bodies"]["fluid"]["rebound_height"]),
    "energy the fluid gets back": lambda n: n["bodies"]["fluid"]["energy_returned"],
    "energy kept / energy available": lambda n: n["energy_kept"],
}
# Flows of the ledger: positive when mechanical energy leaves. They add up to all of it.
SINKS = {"kept back by splitting (α)": ({"merge_dissipated": 1}, style.RED),
         "damping and viscosity": ({"damping": 1}, style.BLUE),
         "time integration and pressure": ({"numerical_dissipation": 1, "pressure_work": 1, "linearization": -1, "residual_work": -1}, style.SKY),
         "returned from MS 19 (β)": ({"sync_stored": -1, "sync_dissipated": 1}, style.PURPLE)}


def draw_mean(ax, x, mean, spread, name, look, aside):
    """A mean with bars of its spread, a little aside of those of others."""
    color, line, marker = look
    ax.errorbar(np.array(x) + aside, mean, spread, color=color, linestyle=line, marker=marker, markersize=3.5, linewidth=1.2, elinewidth=0.8, capsize=2, label=name)


def means(axes, results):
    """Means along one parameter with the standard deviation along the other, and with sequential coupling means over seeds."""
    alphas, betas = ([float(value) for value in values] for values in (ALPHAS, BETAS))
    numbers = {(a, b): style.summary(results, f"map-a{a}-b{b}") for a in ALPHAS for b in BETAS}
    added = {(a, s): style.summary(results, f"map-sequential-a{a}-s{s}") for a in ALPHAS for s in SEEDS}
    for ax, (title, value) in zip(axes, QUANTITIES.items()):
        values = np.array([[value(numbers[a, b]) for a in ALPHAS] for b in BETAS])
        others = np.array([[value(added[a, s]) for a in ALPHAS] for s in SEEDS])
        draw_mean(ax, alphas, values.mean(axis=0), values.std(axis=0), "along α, mean over β", (style.BLUE, "-", "o"), 0)
        draw_mean(ax, betas, values.mean(axis=1), values.std(axis=1), "along β, mean over α", (style.ORANGE, ":", "s"), 0.012)
        draw_mean(ax, alphas, others.mean(axis=0), others.std(axis=0), "along α, sequential coupling", (style.BLACK, "--", "^"), -0.012)
        ax.set(xlabel="α or β", ylabel=title, xlim=(-0.03, 1.03))


def flow(results, runs, columns):
    """The sum of a flow over the run, mean over the runs."""
    data = [style.metrics(results, run) for run in runs]
    return np.mean([sum(sign * np.sum(d[column]) for column, sign in columns.items()) for d in data])


def losses(ax, results):
    """Where the energy goes, means over beta."""
    below, above = np.zeros(len(ALPHAS)), np.zeros(len(ALPHAS))
    x = [float(alpha) for alpha in ALPHAS]
    for hatch, (name, (columns, color)) in zip(("", "///", "...", "xxx"), SINKS.items()):
        heights = np.array([flow(results, RUNS.sweep("map-a{alpha}-b{beta}", alpha=alpha), columns) for alpha in ALPHAS])
        base = below if heights.mean() < 0 else above
        ax.fill_between(x, base, base + heights, color=color, hatch=hatch, edgecolor="white", linewidth=0, label=name)
        base += heights
    ax.plot(x, below + above, color=style.BLACK, label="total")
    ax.axhline(0, color=style.BLACK, linewidth=0.6)
    ax.margins(x=0)
    ax.set(xlabel="α", ylabel="energy removed, J")


def draw_map(results, folder):
    figure, axes = panels.sheet(2, 2, 4.6)
    means(axes.flat, results)
    losses(axes[1][1], results)
    axes[0][0].legend()
    panels.legend_below(axes[1][1], ncol=2)
    style.save(figure, folder, "fig10-alpha-beta")
