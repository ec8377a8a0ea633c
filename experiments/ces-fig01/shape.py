"""usage: shape.py >funnel.obj: a funnel, a closed surface of revolution around z.

A tube for bodies one above the other, a cone, and a throat that is narrower than they are. Its mouth is at z = 0.
"""

import math

SIDES = 48
WALL = 0.12  # m: more than particles see of a wall
TUBE, THROAT = 0.36, 0.26  # inner radii, m
PROFILE = ((THROAT, 0.0), (THROAT, 0.2), (TUBE, 0.5), (TUBE, 3.2))  # (r, z) of the inside, m, from the mouth upwards


def main():
    outline = PROFILE + tuple((r + WALL, z) for r, z in reversed(PROFILE))
    print("# A funnel, by experiments/ces-fig01/shape.py: no copyright, public domain.")
    for k in range(SIDES):
        c, s = math.cos(2 * math.pi * k / SIDES), math.sin(2 * math.pi * k / SIDES)
        for r, z in outline:
            print(f"v {r * c:.5f} {r * s:.5f} {z:.5f}")
    n = len(outline)
    for k in range(SIDES):
        for j in range(n):
            a, b = (1 + i % SIDES * n + j for i in (k, k + 1))
            c, d = (1 + i % SIDES * n + (j + 1) % n for i in (k, k + 1))
            print(f"f {a} {b} {d}\nf {a} {d} {c}")


if __name__ == "__main__":
    main()
