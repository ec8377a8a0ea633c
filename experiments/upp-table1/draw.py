"""Six rows of the paper's Table 1: a frame's time, ours beside the paper's, and what it is spent on."""

import csv
import os
import sys

import panels
import style
from picture_rules import contrast
from timings import Bench

PUBLISHED = os.path.join(os.path.dirname(__file__), "macklin-2014-table1.csv")
# our row -> the paper's, steps of a frame, iterations of a step, ms that our two cores allow (see README.md)
ROWS = {"pile": ("bunny-pile", 2, 2, 8), "castle": ("sandcastle", 2, 12, 30), "layers": ("rayleigh-taylor", 5, 10, 2000),
        "splash": ("bunny-splash", 2, 4, 75), "smoke": ("smoke-cloth", 2, 6, 26), "balloons": ("water-balloons", 3, 12, 70)}
GROUPS = ("density", "contacts", "distances", "shapes")
PARTS = {"search": style.SKY, "density": style.BLUE, "contacts": style.RED, "distances": style.GREEN, "shapes": style.ORANGE,
         "diffuse": style.PURPLE, "other": style.GREY}


class Row:
    def __init__(self, results, name):
        self.name, (self.theirs, self.steps, self.iterations, self.bound) = name, ROWS[name]
        self.bench = Bench.read(os.path.join(results, f"{name}.bench"))
        self.value = self.bench.value

    def frame(self):
        """Wall time, ms."""
        return 1e-6 * self.steps * self.value["step"] * self.value["particles"]

    def parts(self):
        """Fractions of a step."""
        spent = {group: self.iterations * self.value.get(group, 0.0) / self.value["step"] for group in GROUPS}
        total = sum(self.value[part] for part in ("search", "iterations", "scheme", "rest"))
        spent["search"] = self.value["search"] / total
        spent["diffuse"] = self.value.get("diffuse", 0.0) * self.value.get("spray", 0.0) / self.value["step"] / self.value["particles"]
        spent["other"] = max(1 - sum(spent.values()), 0)
        return {part: spent[part] for part in PARTS}


def published():
    table = style.table(PUBLISHED)
    return dict(zip(table["scene"], map(float, table["ms_per_frame"])))


def digits(value):
    """Three figures, without an exponent."""
    return f"{float(f'{value:.3g}'):.10g}"


def label(row):
    mark = " †" if row.bench.disturbed() else ""
    return f"{row.name}{mark}\n{row.value['particles'] / 1e3:.0f}k"


def frames(axes, rows, theirs):
    for k, row in enumerate(rows):
        for offset, value, color in ((0.27, theirs[row.theirs], style.GREY), (0, row.bound, style.SKY), (-0.27, row.frame(), style.RED)):
            axes.barh(len(rows) - 1 - k + offset, value, height=0.25, color=color)
            axes.annotate(digits(value), (value, len(rows) - 1 - k + offset), xytext=(3, 0), textcoords="offset points", va="center",
                          fontsize=panels.SMALLEST)
    axes.set_xscale("log")
    axes.set_xlim(1, 6 * max(row.frame() for row in rows))
    axes.set_yticks(range(len(rows)), [label(row) for row in reversed(rows)])
    axes.set_xlabel("a frame of 16 ms, ms")
    for color, name in ((style.GREY, "paper, graphics processor"), (style.SKY, "what two cores allow"), (style.RED, "here")):
        axes.barh(-9, 1, color=color, label=name)
    panels.legend_below(axes, ncol=1)
    axes.set_ylim(-0.5, len(rows) - 0.5)


def shares(axes, rows):
    for k, row in enumerate(rows):
        left = 0.0
        for part, fraction in row.parts().items():
            axes.barh(len(rows) - 1 - k, 100 * fraction, left=left, height=0.6, color=PARTS[part], label=part if k == 0 else None)
            if fraction > 0.06:
                axes.annotate(f"{100 * fraction:.0f}", (left + 50 * fraction, len(rows) - 1 - k), ha="center", va="center", fontsize=panels.SMALLEST,
                              color=max(("black", "white"), key=lambda color, bar=PARTS[part]: contrast(color, bar)))
            left += 100 * fraction
    axes.set_yticks([])
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of a step, %")
    panels.legend_below(axes, ncol=3)


def write_csv(rows, theirs, path):
    names = ["step", "search", "iterations", "scheme", "rest", "find", *GROUPS, "diffuse", "acting", "candidates", "stream", "streaming", "copy", "memory"]
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["scene", "particles", "steps_per_frame", "iterations_per_step", "published_ms", "bound_ms", "ms", "over_published", "over_bound",
                      "disturbed", *names])
        for row in rows:
            out.writerow([row.name, int(row.value["particles"]), row.steps, row.iterations, theirs[row.theirs], row.bound, f"{row.frame():.6g}",
                          f"{row.frame() / theirs[row.theirs]:.4g}", f"{row.frame() / row.bound:.4g}", int(bool(row.bench.disturbed())),
                          *(f"{row.value.get(name, 0.0):.6g}" for name in names)])


def main():
    results, folder = sys.argv[1:]
    theirs = published()
    rows = [Row(results, name) for name in ROWS]
    write_csv(rows, theirs, os.path.join(folder, "upp-table1-times.csv"))
    figure, axes = panels.sheet(1, 2, 3.4)
    frames(axes[0], rows, theirs)
    shares(axes[1], rows)
    if any(row.bench.disturbed() for row in rows):
        figure.text(0.005, -0.01, "† Other programs were at work meanwhile: these are no times of ours.", fontsize=panels.SMALLEST, va="top")
    style.save(figure, folder, "upp-table1-times")


if __name__ == "__main__":
    main()
