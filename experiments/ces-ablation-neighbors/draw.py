"""The tips of cantilevers with fewer neighbors."""

import sys

import style
from tips import figure_of_tips

RUNS = style.experiment(__file__)
LOOKS = dict(zip(RUNS.axis("neighbors"), ((style.BLACK, "-"), (style.SKY, "-"), (style.ORANGE, "--"))))


def main(results, folder):
    figure_of_tips(results, folder, "ces-ablation-neighbors", {f"neighbors-{number}": (f"{number} neighbors", *look) for number, look in LOOKS.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
