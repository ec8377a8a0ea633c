"""How systems share a meta-particle, and what FLIP needs for it."""

import sys

import draw_flip
import draw_share

if __name__ == "__main__":
    for part in (draw_share, draw_flip):
        part.main(*sys.argv[1:])
