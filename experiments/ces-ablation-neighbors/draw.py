"""The tips of cantilevers with fewer neighbors."""

import sys

import panels
import style
from sizes import COLUMN

RUNS = style.experiment(__file__)
LOOKS = dict(zip(RUNS.axis("neighbors"), ((style.BLACK, "-"), (style.SKY, "--"), (style.ORANGE, "-"))))


def main(results, folder):
    figure, axes = panels.sheet(1, 1, 2.4, COLUMN)
    for neighbors in RUNS.axis("neighbors"):
        data, (color, line) = style.body(results, f"neighbors-{neighbors}", "beam"), LOOKS[neighbors]
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), line, color=color, label=f"{neighbors} neighbors")
    axes.set(xlabel="time, ms", ylabel="tip, mm")
    panels.legend_below(axes, ncol=3, handlelength=1.2, columnspacing=1)
    style.save(figure, folder, "ces-ablation-neighbors")


if __name__ == "__main__":
    main(*sys.argv[1:])
