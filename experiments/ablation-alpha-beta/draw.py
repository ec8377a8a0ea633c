"""Maps over alpha and beta: how high the fluid rises, how much energy is kept, and where the rest went."""

import sys

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
         "damping and viscosity": ({"damping": 1}, style.ORANGE),
         "time integration and pressure": ({"numerical_dissipation": 1, "pressure_work": 1, "linearization": -1, "residual_work": -1}, style.SKY),
         "returned from Eq. 19 (β)": ({"sync_stored": -1, "sync_dissipated": 1}, style.PURPLE)}


def draw_map(figure, ax, title, values):
    image = ax.imshow(values, origin="lower", cmap="viridis", extent=(-0.05, 1.05, -0.05, 1.05))
    figure.colorbar(image, ax=ax, location="bottom", shrink=0.9, aspect=25, pad=0.03).set_label(title)
    ax.set_xlabel("α")
    ax.set_ylabel("β")


def draw_mean(ax, x, mean, spread, name, color, line="-"):
    ax.plot(x, mean, color=color, linestyle=line, label=name)
    ax.fill_between(x, mean - spread, mean + spread, color=color, alpha=0.15, linewidth=0)


def draw_means(ax, alphas, betas, values, added):
    """Means along the other axis with its standard deviation, and with sequential coupling means over seeds."""
    draw_mean(ax, alphas, values.mean(axis=0), values.std(axis=0), "along α, mean over β", style.BLUE)
    draw_mean(ax, betas, values.mean(axis=1), values.std(axis=1), "along β, mean over α", style.ORANGE, ":")
    draw_mean(ax, alphas, added.mean(axis=0), added.std(axis=0), "along α, sequential coupling", style.GREEN, "--")
    ax.margins(x=0)
    ax.set_xlabel("α or β")


def maps(results, folder):
    numbers = {(a, b): style.summary(results, f"a{a}-b{b}") for a in ALPHAS for b in BETAS}
    added = {(a, s): style.summary(results, f"sequential-a{a}-s{s}") for a in ALPHAS for s in SEEDS}
    alphas = [numbers[a, BETAS[0]]["config"]["contact.alpha"] for a in ALPHAS]
    betas = [numbers[ALPHAS[0], b]["config"]["contact.beta"] for b in BETAS]
    figure, axes = panels.sheet(2, len(QUANTITIES), 4.8, height_ratios=(1.5, 1))
    for column, (title, value) in enumerate(QUANTITIES.items()):
        values = np.array([[value(numbers[a, b]) for a in ALPHAS] for b in BETAS])
        draw_map(figure, axes[0][column], title, values)
        axes[1][column].set_ylabel(title)
        draw_means(axes[1][column], alphas, betas, values, np.array([[value(added[a, s]) for a in ALPHAS] for s in SEEDS]))
    handles, labels = axes[1][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-alpha-beta")


def flow(results, runs, columns):
    """The sum of a flow over the run, mean over the runs."""
    data = [style.metrics(results, run) for run in runs]
    return np.mean([sum(sign * np.sum(d[column]) for column, sign in columns.items()) for d in data])


def draw_sinks(ax, results, title, runs):
    x = [style.setting(results, runs(alpha)[0], "contact.alpha") for alpha in ALPHAS]
    below, above = np.zeros(len(x)), np.zeros(len(x))
    for hatch, (name, (columns, color)) in zip(("", "///", "...", "xxx"), SINKS.items()):
        heights = np.array([flow(results, runs(alpha), columns) for alpha in ALPHAS])
        base = below if heights.mean() < 0 else above
        ax.fill_between(x, base, base + heights, color=color, hatch=hatch, edgecolor="white", linewidth=0, label=name)
        base += heights
    ax.plot(x, below + above, color=style.BLACK, label="total")
    ax.axhline(0, color=style.BLACK, linewidth=0.6)
    ax.margins(x=0)
    ax.set_title(title)
    ax.set_xlabel("α")
    ax.set_ylabel("energy removed, J")


def losses(results, folder):
    figure, axes = panels.sheet(1, 2, 2.6, sharey=True)
    draw_sinks(axes[0], results, "Eq. 17, mean over β", lambda a: RUNS.sweep("a{alpha}-b{beta}", alpha=a))
    draw_sinks(axes[1], results, "sequential coupling", lambda a: RUNS.sweep("sequential-a{alpha}-s{seed}", alpha=a))
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "ablation-alpha-beta-losses")


if __name__ == "__main__":
    maps(*sys.argv[1:])
    losses(*sys.argv[1:])
