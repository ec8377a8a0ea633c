"""Figure 9: its two scenes."""

import sys

import draw_brittle
import draw_cloth

if __name__ == "__main__":
    for part in (draw_cloth, draw_brittle):
        part.main(*sys.argv[1:])
