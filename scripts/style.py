"""One look for all pictures, and the data behind them.

Colors: Okabe and Ito's palette, told apart by people with every form of color vision.
"""

import csv
import glob
import json
import math
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
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
    figure.savefig(os.path.join(folder, name + ".pdf"), metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(os.path.join(folder, name + ".png"), metadata={"Software": None})
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
    return table(os.path.join(results, run, "metrics.csv"))


def summary(results, run):
    with open(os.path.join(results, run, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def section(results, run, number):
    return table(os.path.join(results, run, f"section-{number}.csv"))
