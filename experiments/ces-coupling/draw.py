"""Four contact methods, with incompressible water and with stiff SPH: sections, a table of methods and questions, and what they cost."""

import os
import sys

import numpy as np
import panels
import style
from claims import names_read
from measurements import Measurements
from timings import spent_read

LABELS = {"merging": "merging-and-splitting", "sliding": "sliding, swept", "penalty": "penalty", "pressure": "pressure"}
LOOKS = {"merging": (style.GREEN, "o"), "sliding": (style.BLACK, "x"), "penalty": (style.ORANGE, "^"), "pressure": (style.BLUE, "s")}
RUNS = style.experiment(__file__)
CLAIMS = names_read(os.path.dirname(__file__))[1]  # which measure what the table has
STEPS = CLAIMS["STEPS"]
WIDTHS = (0.33, 0.09, 0.1, 0.1, 0.11, 0.11, 0.13, 0.13)


# ---- sections ----

def window(axes, results, run, frame, limits):
    data = style.section(results, run, frame)
    u, v, depth, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "depth", "radius"))
    water, near = np.array(data["body"]) == "water", np.abs(depth) <= radius
    for chosen, color in ((~water, style.ORANGE), (water, style.SKY)):
        style.circles(axes, u[near & chosen], v[near & chosen], radius[near & chosen], [color] * np.count_nonzero(near & chosen))
    axes.set(xlim=limits[:2], ylim=limits[2:])


def draw_sections(results, folder):
    figure, axes = panels.sheet(2, len(LABELS), 3.2, height_ratios=(58, 111))
    for column, (method, label) in zip(axes.T, LABELS.items()):
        window(column[0], results, f"drop-{method}-1e-3", 9, (-0.25, 0.25, -0.2, 0.09))
        window(column[1], results, f"splash-{method}", 20, (-0.18, 0.18, 0, 0.4))
        column[0].set_title(label)
    for ax, run, frame in zip(axes[:, 0], ("drop-merging-1e-3", "splash-merging"), (9, 20)):
        ax.set_ylabel(f"after {frame * style.setting(results, run, 'time.frame_interval'):g} s")
        panels.scale_bar(ax, 0.1, (0.68, 0.86))
    style.save(figure, folder, "ces-coupling")


# ---- the table ----

def count(value):
    return f"{value:.0f}", value > 0


def contact(m, run):
    """What is asked of all: how deep pairs are, the most and in the mean over time, and how dense the water at the solid is."""
    most, usual = CLAIMS["depth"](m, run)
    dense = 100 * CLAIMS["layer"](m, run)
    return [(f"{most:.2f}", most > 0.5), (f"{usual:.3f}", False), (f"{CLAIMS['median_distance'](m, run):.2f}", False), (f"{dense:.1f}", dense > 10)]


def gained(m, run):
    return f"{100 * m.summary(run, 'energy_gain')[0]:.1f}", False


def drop(m, run):
    return [count(max(m.column(run, "penetrated"))), *contact(m, run), (f"{CLAIMS['rebound'](m, run):.2f}", False), gained(m, run)]


def slab(m, run):
    return [count(CLAIMS["inside"](m, run)), *contact(m, run), (f"{CLAIMS['rebound'](m, run):.2f}", False), gained(m, run)]


def splash(m, run):
    high = CLAIMS["floats_at"](m, run)
    return [count(CLAIMS["inside"](m, run)), *contact(m, run), (f"{high:+.1f}".replace("-0.0", "0.0"), abs(high) > 0.5), (f"{CLAIMS['carried'](m, run):.3f}", False)]


def draw_table(m, results, folder):
    contacts = "deepest", "mean depth", "distance", "too dense, %"
    rigid = {label: f"{{}}-{method}" for method, label in LABELS.items()}
    own = {f"{label}, stiff SPH": f"{{}}-{method}-sph" for method, label in LABELS.items() if method != "pressure"}
    figure, axes = panels.sheet(3, 1, 3.9, height_ratios=(9, 5.5, 9))
    for ax, title, first, last, answers, rows in (
            (axes[0], "Drop on a sheet, 5 m/s", "through", ("rebound", "gained, %"), drop, {**rigid, **own}),
            (axes[1], "The same on a slab", "inside", ("rebound", "gained, %"), slab, rigid),
            (axes[2], "Ball in a tank", "inside", ("floats at", "walls/weight"), splash, {**rigid, **own})):
        scene = answers.__name__
        names = {label: run.format(scene) + ("-1e-3" if scene == "drop" and not run.endswith("sph") else "") for label, run in rows.items()}
        panels.table(ax, WIDTHS, title, (first, *contacts, *last), {label: answers(m, run) for label, run in names.items()})
    style.save(figure, folder, "ces-coupling-table")


# ---- times ----

def spent(results, run):
    return spent_read(os.path.join(results, run)).steps()


def draw_times(m, results, folder):
    figure, axes = panels.sheet(1, 3, 2.2)
    for method, label in LABELS.items():
        color, mark = LOOKS[method]
        runs = [f"drop-{method}-{step}" for step in STEPS]
        price = [spent(results, run) for run in runs]
        axes[0].plot(price, [CLAIMS["depth"](m, run)[1] for run in runs], color=color, marker=mark, ms=4, lw=0.8, label=label)
        axes[1].plot(price, [CLAIMS["rebound"](m, run) for run in runs], color=color, marker=mark, ms=4, lw=0.8)
        for place, run, fill in ((0.2, f"splash-{method}", color), (-0.2, f"splash-{method}-sph", "none")):
            if os.path.exists(os.path.join(results, run)):
                axes[2].barh(list(LABELS).index(method) - place, spent(results, run), 0.36, facecolor=fill, edgecolor=color)
    axes[0].set(xlabel="CPU time, s", ylabel="mean depth, spacings", ylim=(0, None))
    axes[1].set(xlabel="CPU time, s", ylabel="speed after over before", ylim=(0, None))
    axes[2].set(xlabel="CPU time, s", yticks=range(len(LABELS)), yticklabels=LABELS.values(), ylim=(3.5, -0.5))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", ncol=len(LABELS), bbox_to_anchor=(0.5, 0))
    style.save(figure, folder, "ces-coupling-times")


def main(results, folder):
    m = Measurements(RUNS, os.path.dirname(results))
    draw_sections(results, folder)
    draw_table(m, results, folder)
    draw_times(m, results, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
