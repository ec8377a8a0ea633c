"""What must not matter: the order of merging, place and direction, real roots."""

import sys

import draw_order
import draw_placed
import draw_roots

if __name__ == "__main__":
    for part in (draw_order, draw_placed, draw_roots):
        part.main(*sys.argv[1:])
