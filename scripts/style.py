"""One look for all pictures, and the data behind them.

Colors: Okabe and Ito's palette, told apart by people with every form of color vision.
"""

import csv
import json
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import EllipseCollection  # noqa: E402

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#8A8A8A")

# method name -> (label, color, line style)
METHODS = {
    "penalty-weak": ("penalty, weak", ORANGE, ":"),
    "penalty-medium": ("penalty, medium", ORANGE, "--"),
    "penalty-strong": ("penalty, strong", ORANGE, "-"),
    "sph-weak": ("SPH-based, weak", SKY, ":"),
    "sph-medium": ("SPH-based, medium", SKY, "--"),
    "sph-strong": ("SPH-based, strong", SKY, "-"),
    "impulse": ("impulse", PURPLE, "-"),
    "merging-and-splitting": ("merging-and-splitting", GREEN, "-"),
}
BODIES = {"cloth": BLUE, "ball": ORANGE, "grains": ORANGE}

plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8,
    "legend.fontsize": 7, "xtick.labelsize": 7, "ytick.labelsize": 7, "axes.linewidth": 0.6,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "lines.linewidth": 1.2,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "savefig.dpi": 200, "pdf.fonttype": 42, "path.simplify": True, "figure.facecolor": "white",
})


def save(figure, folder, name):
    """PDF and PNG without dates or versions: the same picture has the same bytes."""
    figure.savefig(os.path.join(folder, name + ".pdf"), bbox_inches="tight", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(os.path.join(folder, name + ".png"), bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def table(path):
    """A CSV file as columns of floats (of text, where a cell is no number)."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names, rows = [name.strip() for name in rows[0]], rows[1:]

    def value(cell):
        try:
            return float(cell)
        except ValueError:
            return cell
    return {name: [value(row[i]) for row in rows] for i, name in enumerate(names)}


def metrics(results, run):
    """A row per time step, as arrays."""
    return {name: np.array(values) for name, values in table(os.path.join(results, run, "metrics.csv")).items()}


def summary(results, run):
    with open(os.path.join(results, run, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def good(results, run):
    """Whether nothing leaked and nothing blew up: (leaks, unstable)."""
    numbers = summary(results, run)
    return numbers["wrong_side_max"], bool(numbers["unstable"])


def section(results, run, number):
    return table(os.path.join(results, run, f"section-{number}.csv"))


def draw_section(axes, data, window):
    """The particles of a cross-section as circles of their true radius, colored by body; window:
    (u from, u to, v from, v to) in meters. Says how many are outside the window."""
    u, v, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "radius"))
    bodies = data["body"]
    inside = (u > window[0]) & (u < window[1]) & (v > window[2]) & (v < window[3])
    colors = [BODIES.get(body, GREY) for body in bodies]
    axes.add_collection(EllipseCollection(
        2 * radius, 2 * radius, np.zeros_like(radius), units="xy", offsets=np.column_stack([u, v]),
        transOffset=axes.transData, facecolors=colors, edgecolors="white", linewidths=0.15, clip_on=True))
    axes.set_xlim(window[:2])
    axes.set_ylim(window[2:])
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#cccccc")
    return int(np.count_nonzero(~inside))


def verdict(numbers):
    """One line below a picture: what happened, as the measures say."""
    leaks = int(numbers["wrong_side_max"])
    parts = ["no penetration" if leaks == 0 else f"{leaks} through"]
    parts.append("unstable" if numbers["unstable"] else "stable")
    return ", ".join(parts)


def verdict_color(numbers):
    return RED if numbers["wrong_side_max"] or numbers["unstable"] else GREEN
