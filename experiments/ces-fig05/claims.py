"""Three ways to fill a solid with particles: claims. With MESHES of make there are several shapes."""

from arithmetic import max, min
from claims import claim


def of(m, way, column):
    """The values of a column of sampling.csv, one per shape, the default one first."""
    return m.table(f"*{way}", "sampling.csv", column)


def ratios(m, column, way, other):
    return [a / b for a, b in zip(of(m, way, column), of(m, other, column))]


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


@claim("C61-density", kind="corotated",
       states="their density is nearer to that at rest than on a lattice: error over that of the lattice, largest of all shapes",
       holds="< 1", because="the comparison of the paper's Figure 5")
def density(m):
    return max(ratios(m, "density_error", "relaxed", "lattice"))


@claim("C61-density-blue", kind="corotated",
       states="and nearer than by blue noise: error over that of blue noise, largest of all shapes",
       holds="< 1", because="the comparison of the paper's Figure 5",
       known="explicit forces leave the density inside more even; they pay for it with pairs of particles that nearly coincide, which the density does not see")
def density_blue(m):
    return max(ratios(m, "density_error", "relaxed", "blue-noise"))


@claim("C61-surface", kind="corotated",
       states="the surface is represented better than by blue noise: mean distance of vertices to the nearest particle, over that of blue noise, largest of all "
              "shapes",
       holds="< 1", because="the comparison of the paper's Figure 5")
def surface(m):
    return max(ratios(m, "surface_mean", "relaxed", "blue-noise"))


@claim("C62-thin", kind="corotated",
       states="most of all in thin parts: the same of vertices at which no ball of the radius of a spacing fits",
       holds="< 1", because="the comparison of the paper's Figure 5")
def thin(m):
    return max(ratios(m, "thin_mean", "relaxed", "blue-noise"))


@claim("C62-lattice", kind="corotated",
       states="and better than by a lattice: 99th percentile of distances of vertices in thin parts, over that of the lattice, largest of all shapes",
       holds="< 1", because="the comparison of the paper's Section 7")
def thin_lattice(m):
    return max(ratios(m, "thin_99", "relaxed", "lattice"))


@claim("C22-singular", kind="corotated",
       states="on a lattice, thin parts have particles with singular kernel corrections: number of them, smallest of all shapes",
       holds="> 0", because="they are what the method is for")
def singular(m):
    return min(of(m, "lattice", "singular"))


@claim("C22-fewer", kind="corotated",
       states="relaxed there are clearly fewer: number of them over that on the lattice, largest of all shapes",
       holds="< 0.5", because="clearly fewer are at most half as many")
def fewer(m):
    return max(ratios(m, "singular", "relaxed", "lattice"))


@claim("C24-inside", kind="corotated",
       states="no particle sticks out of the surface: radius less smallest depth, radii, relaxed and blue noise",
       holds="< 1e-5", because="ten times the tolerance of the projection")
def inside(m):
    return max(of(m, "relaxed", "outside") + of(m, "blue-noise", "outside"))


@claim("C24-test", kind="corotated",
       states="nor in the bodies of a test, a ball, plates, a torus and a star: the same",
       holds="< 1e-5", because="ten times the tolerance of the projection")
def inside_test(m):
    return m.measured("C24.outside")


@claim("C25-affine", kind="corotated",
       states="skins follow affine maps exactly: largest distance of 400 vertices under 100 random maps, spacings",
       holds="< 1e-12", because="rounding")
def affine(m):
    return m.measured("C25.affine")


@claim("CES-sampling-gradient", kind="physics",
       states="displacements by pressure and cohesion are differences of energies: largest error over the largest displacement",
       holds="< 1e-7", because="rounding of differences over 1e-5 spacings")
def gradient(m):
    return m.measured("CES.relaxation.gradient")


@claim("CES-sampling-heavy", kind="finding",
       states="relaxed bodies have more particles than fit: cubes of the spacing over the volume, smallest of all shapes",
       holds="> 1.1", because="they begin on a lattice of 0.95 spacings, and nothing takes particles away")
def heavy(m):
    return min(of(m, "relaxed", "fill"))
