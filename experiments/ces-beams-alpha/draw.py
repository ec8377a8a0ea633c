"""The tips of cantilevers with four weights of the control."""

import sys

import style
from tips import figure_of_tips

RUNS = style.experiment(__file__)
LOOKS = dict(zip(RUNS.axis("alpha"), ((style.BLACK, ":"), (style.SKY, "-"), (style.GREEN, "--"), (style.ORANGE, "-"))))


def main(results, folder):
    figure_of_tips(results, folder, "ces-beams-alpha", {f"alpha-{alpha}": (f"α = {alpha}", *look) for alpha, look in LOOKS.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
