"""Particles of four sizes in a solid with thin parts: claims. With MESHES of make there are two shapes."""

from arithmetic import max
from claims import claim


def of(m, way, column):
    """The values of a column of sampling.csv, one per shape and radius."""
    return m.table(f"still-*{way}-*", "sampling.csv", column)


def at(m, way, k, column):
    """Of the default shape at the k-th radius."""
    return m.table(m.sweep("still-{sampling}-{radius}", sampling=way)[k], "sampling.csv", column)[0]


@claim("C64-near", kind="corotated",
       states="relaxed particles stay near the surface at every resolution: mean distance of vertices to the nearest particle, radii, largest of four radii",
       holds="< 1.5", because="one is touching; between particles that touch the surface side by side it is up to 1.5")
def near(m):
    return max(of(m, "relaxed", "surface_mean"))


@claim("C64-thin", kind="corotated",
       states="in thin parts, too: the same of vertices at which no ball of the radius of a spacing fits",
       holds="< 2", because="nearer than a spacing")
def thin(m):
    return max(of(m, "relaxed", "thin_mean"))


@claim("C64-farthest", kind="corotated",
       states="and nothing is lost at low resolution: 99th percentile of all distances, radii, largest of four radii",
       holds="< 3", because="a spacing and a half",
       known="the edges of fins are thinner than one of the largest particles, and none fits in there without sticking out")
def farthest(m):
    return max(of(m, "relaxed", "surface_99"))


@claim("C23-every", kind="corotated",
       states="relaxing never adds particles with singular kernel corrections: number of shapes and radii at which there are more of them than on the lattice",
       holds="== 0", because="what the paper says of its models")
def every(m):
    return sum(a > b for a, b in zip(of(m, "relaxed", "singular"), of(m, "lattice", "singular")))


claim("C23-all", kind="corotated",
      states="and removes most: number of them at all radii, over that on the lattices",
      holds="< 0.5", because="clearly fewer are at most half as many",
      value=lambda m: sum(of(m, "relaxed", "singular")) / sum(of(m, "lattice", "singular")))
