"""Fluids alone: a dam break, two fluids, FLIP."""

import sys

import draw_dam
import draw_flip
import draw_two

if __name__ == "__main__":
    for part in (draw_dam, draw_two, draw_flip):
        part.main(*sys.argv[1:])
