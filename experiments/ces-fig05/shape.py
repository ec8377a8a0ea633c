"""usage: shape.py >finned-ring.obj: a ring with eight fins, a closed surface with thin parts.

A tube around a circle of 0.6 m, 0.17 m thick at its thinnest. Eight times around the ring a fin rises from its outside, up to
0.35 m high, and gets thinner towards its edge, as ears and wings of models do; a lower one goes along its top. Cross-sections
of the tube are star-shaped, so that the surface does not cut itself. The fins are sampled more finely than the rest.
"""

import math

RING, TUBE = 0.6, 0.17  # m
AROUND, ACROSS = 64, 28  # vertices
FINS = 8


def radius(u, v):
    """Of the tube, at angle u around the ring and v around the tube, m."""
    outer = 0.35 * (0.5 + 0.5 * math.cos(FINS * u)) ** 2 * math.exp(-(math.remainder(v, 2 * math.pi) / 0.14) ** 2)
    upper = 0.1 * math.exp(-(math.remainder(v - math.pi / 2, 2 * math.pi) / 0.2) ** 2)
    return TUBE + outer + upper


def angle(j):
    """Of vertex j around the tube: more of them where fins are."""
    v = 2 * math.pi * j / ACROSS
    return v - 0.82 * math.sin(v)


def main():
    print("# A ring with eight fins, by experiments/ces-fig05/shape.py: no copyright, public domain.")
    for i in range(AROUND):
        u = 2 * math.pi * i / AROUND
        for j in range(ACROSS):
            v = angle(j)
            out, up = RING + radius(u, v) * math.cos(v), radius(u, v) * math.sin(v)
            print(f"v {out * math.cos(u):.4f} {out * math.sin(u):.4f} {up:.4f}")
    for i in range(AROUND):
        for j in range(ACROSS):
            a, b = (1 + k % AROUND * ACROSS + j for k in (i, i + 1))
            c, d = (1 + k % AROUND * ACROSS + (j + 1) % ACROSS for k in (i, i + 1))
            print(f"f {a} {b} {d}\nf {a} {d} {c}")


if __name__ == "__main__":
    main()
