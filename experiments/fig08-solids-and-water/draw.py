"""Figure 8: its three scenes."""

import sys

import draw_bowl
import draw_dam
import draw_rings

if __name__ == "__main__":
    for part in (draw_rings, draw_dam, draw_bowl):
        part.main(*sys.argv[1:])
