"""The tips of cantilevers with four weights of the control."""

import sys

import panels
import style
from sizes import COLUMN

RUNS = style.experiment(__file__)
LOOKS = dict(zip(RUNS.axis("alpha"), ((style.BLACK, ":"), (style.SKY, "-"), (style.GREEN, "--"), (style.ORANGE, "-"))))


def main(results, folder):
    figure, axes = panels.sheet(1, 1, 2.4, COLUMN)
    for alpha in RUNS.axis("alpha"):
        data, (color, line) = style.body(results, f"alpha-{alpha}", "beam"), LOOKS[alpha]
        axes.plot(1e3 * data["time"], 1e3 * (data["min_z"] - data["min_z"][0]), line, color=color, label=f"α = {alpha}")
    axes.set(xlabel="time, ms", ylabel="tip, mm")
    panels.legend_below(axes, ncol=4, handlelength=1.2, columnspacing=1)
    style.save(figure, folder, "ces-beams-alpha")


if __name__ == "__main__":
    main(*sys.argv[1:])
