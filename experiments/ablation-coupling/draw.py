"""How systems share a meta-particle, and what FLIP needs for it; three fluids in the figures of the first paper."""

import sys

import draw_flip
import draw_liquids
import draw_share

if __name__ == "__main__":
    for part in (draw_share, draw_flip, draw_liquids):
        part.main(*sys.argv[1:])
