"""Three ways to fill a solid with particles: claims. With MESHES of make there are several shapes."""

import functools
import itertools
import math
from collections import defaultdict

from arithmetic import max, min
from claims import claim, with_meshes


def of(m, way, column):
    """The values of a column of sampling.csv, one per shape, the default one first."""
    return m.table(f"*{way}", "sampling.csv", column)


def ratios(m, column, way, other):
    return [a / b for a, b in zip(of(m, way, column), of(m, other, column))]


@functools.lru_cache(maxsize=None)
def neighbors(m, run):
    """How many others each particle has within two spacings, as a sorted list."""
    x = list(zip(*(m.section(run, "0", name) for name in ("u", "v", "depth"))))
    reach = 2 * 2 * m.setting(run, "bodies.solid.radius")[0] * (1 - 1e-6)
    cells, found = defaultdict(list), []
    for place in x:
        cells[tuple(math.floor(c / reach) for c in place)].append(place)
    for cell, own in cells.items():
        around = [p for step in itertools.product((-1, 0, 1), repeat=3) for p in cells.get(tuple(map(sum, zip(cell, step))), ())]
        found += [sum(math.dist(place, p) < reach for p in around) - 1 for place in own]
    return sorted(found)


def inside_neighbors(m, run):
    """The 90th percentile: particles that are not near the surface."""
    return neighbors(m, run)[int(0.9 * len(neighbors(m, run)))]


claim("C09-lattice", kind="corotated",
      states="on a lattice a particle inside has 26 neighbors within two spacings: the 90th percentile",
      holds="== 26", because="six more are at exactly two spacings, where the kernel ends",
      value=lambda m: inside_neighbors(m, "lattice"))
claim("C09-relaxed", kind="corotated",
      states="relaxed ones have 30 to 40: the 90th percentile",
      holds=">= 30", because="as in the paper, which says about 30 elsewhere",
      value=lambda m: inside_neighbors(m, "relaxed"))
claim("C09-at-most", kind="corotated", states="the same from above", holds="<= 40", because="the same",
      value=lambda m: inside_neighbors(m, "relaxed"))


@claim("C61-spread", kind="corotated",
       states="relaxed particles are more evenly spaced than by blue noise: standard deviation of distances to the nearest particle, over that of blue noise, "
              "largest of all shapes",
       holds="< 1", because="the comparison of the paper's Figure 5")
def spread(m):
    return max(ratios(m, "nearest_spread", "relaxed", "blue-noise"))


@claim("C61-pairs", kind="corotated",
       states="they do not form pairs, which explicit forces do: smallest distance of two particles, spacings",
       holds="> 0.5", because="half a spacing is what a particle of half the radius would have")
def apart(m):
    return min(of(m, "relaxed", "nearest_min"))


claim("C61-density", kind="corotated",
      states="their density is nearer to that at rest than on a lattice: error over that of the lattice, largest of all shapes",
      holds="< 1", because="the comparison of the paper's Figure 5",
      value=lambda m: max(ratios(m, "density_error", "relaxed", "lattice")))


@claim("C61-density-blue", kind="corotated",
       states="and nearer than by blue noise: error over that of blue noise, largest of all shapes",
       holds="< 1", because="the comparison of the paper's Figure 5",
       known="explicit forces leave the density inside more even; they pay for it with pairs of particles that nearly coincide, which the density does not see")
def density_blue(m):
    return max(ratios(m, "density_error", "relaxed", "blue-noise"))


@claim("C61-surface", kind="corotated",
       states="the surface is represented better than by blue noise: mean distance of vertices to the nearest particle, over that of blue noise, largest of all "
              "shapes",
       holds="< 1", because="the comparison of the paper's Figure 5",
       known=with_meshes("on the fish, which is round nearly everywhere, both are equally near in the mean, since all particles at a smooth surface touch it from "
                         "inside; the relaxed ones are nearer at the 99th percentile and at most"))
def surface(m):
    return max(ratios(m, "surface_mean", "relaxed", "blue-noise"))


@claim("C62-thin", kind="corotated",
       states="most of all in thin parts: the same of vertices at which no ball of the radius of a spacing fits",
       holds="< 1", because="the comparison of the paper's Figure 5")
def thin(m):
    return max(ratios(m, "thin_mean", "relaxed", "blue-noise"))


@claim("C62-lattice", kind="corotated",
       states="and better than by a lattice: 99th percentile of distances of vertices in thin parts, over that of the lattice, largest of all shapes",
       holds="< 1", because="the comparison of the paper's Section 7",
       known=with_meshes("on the armadillo the lattice is nearer with particles of this size: those of a lattice may stick out by up to a radius, and "
                         "relaxed ones may not, so that parts thinner than a particle stay empty; with smaller particles it is the other way round (ces-fig06)"))
def thin_lattice(m):
    return max(ratios(m, "thin_99", "relaxed", "lattice"))


claim("C22-singular", kind="corotated",
      states="on a lattice, thin parts have particles with singular kernel corrections: number of them, smallest of all shapes",
      holds="> 0", because="they are what the method is for",
      value=lambda m: min(of(m, "lattice", "singular")))
claim("C22-fewer", kind="corotated",
      states="relaxed there are clearly fewer: number of them over that on the lattice, largest of all shapes",
      holds="< 0.5", because="clearly fewer are at most half as many",
      value=lambda m: max(ratios(m, "singular", "relaxed", "lattice")))
claim("C24-inside", kind="corotated",
      states="no particle sticks out of the surface: radius less smallest depth, radii, relaxed and blue noise",
      holds="< 1e-5", because="ten times the tolerance of the projection",
      value=lambda m: max(of(m, "relaxed", "outside") + of(m, "blue-noise", "outside")))
claim("C24-test", kind="corotated",
      states="nor in the bodies of a test, a ball, plates, a torus and a star: the same",
      holds="< 1e-5", because="ten times the tolerance of the projection",
      value=lambda m: m.measured("C24.outside"))
claim("C25-affine", kind="corotated",
      states="skins follow affine maps exactly: largest distance of 400 vertices under 100 random maps, spacings",
      holds="< 1e-12", because="rounding",
      value=lambda m: m.measured("C25.affine"))
claim("CES-sampling-gradient", kind="physics",
      states="displacements by pressure and cohesion are differences of energies: largest error over the largest displacement",
      holds="< 1e-7", because="rounding of differences over 1e-5 spacings",
      value=lambda m: m.measured("CES.relaxation.gradient"))


@claim("CES-sampling-heavy", kind="finding",
       states="relaxed bodies have more particles than fit: cubes of the spacing over the volume, smallest of all shapes",
       holds="> 1.1", because="they begin on a lattice of 0.95 spacings, and nothing takes particles away")
def heavy(m):
    return min(of(m, "relaxed", "fill"))
