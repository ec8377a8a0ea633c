"""Corotated solids against the theory of elasticity: claims."""

import math

from arithmetic import max
from claims import claim, ledger_closes


def half_period(m, run):
    """Until the bar has its length again, s: all modes of these velocities have half-periods that divide that of the first."""
    t, low, high = (m.body(run, "bar", name) for name in ("time", "min_x", "max_x"))
    longer = [b - a - (high[0] - low[0]) for a, b in zip(low, high)]
    k = next(k for k in range(2, len(t)) if longer[k] < 0)
    return t[k - 1] + (t[k] - t[k - 1]) * longer[k - 1] / (longer[k - 1] - longer[k])


def theory(m, run):
    return (m.setting(run, "bodies.bar.shape.box.size")[0][0] *
            math.sqrt(m.setting(run, "bodies.bar.density")[0] / m.setting(run, "materials.rubber.young_modulus")[0]))


@claim("CES-wave", kind="physics",
       states="a wave passes a bar at sqrt(E / rho): its time over theory, less 1, without sign",
       holds="< 0.01", because="the wavelength is 80 spacings")
def wave(m):
    return abs(half_period(m, "uniform") / theory(m, "uniform") - 1)


@claim("CES-kernel", kind="finding",
       states="with volumes by the kernel (CES 5) it is faster, because they are larger at surfaces and masses are not: time over theory",
       holds="< 0.97", because="the volumes of this bar add up to a tenth more than its own")
def kernel(m):
    return half_period(m, "kernel") / theory(m, "kernel")


@claim("C76-poisson", kind="corotated",
       states="a stretched block contracts by Poisson's ratio, 0.15 to 0.45: largest relative error",
       holds="< 0.05", because="six layers across")
def poisson(m):
    return m.measured("C76.poisson")


claim("C02-rotation", kind="corotated",
      states="a free bar turns by omega t: relative error of its angle after 0.2 s in steps of 1 ms",
      holds="< 0.01", because="a step turns it by half of that",
      value=lambda m: m.measured("C02.angle"))


@claim("CES-rotation-order", kind="physics",
       states="the angular momentum that a free bar loses with Algorithm 1 is of first order in the step: loss over that of half the step",
       holds="> 1.8", because="backward Euler")
def order(m):
    return m.measured("C02.order")


@claim("C55-recovers", kind="corotated",
       states="a block whose particles begin at random places recovers with alpha = 1: rms error of the distances of neighbors, in spacings",
       holds="< 0.1", because="strains of the vibrations that its energy still makes are of that size")
def recovers(m):
    return m.measured("C55.with")


@claim("C08-collapses", kind="corotated",
       states="with alpha = 0 it does not: the same",
       holds="> 0.5", because="no lattice is left")
def collapses(m):
    return m.measured("C08.without")


claim("C01-gradient", kind="corotated",
      states="the corrected gradient of an affine map is its matrix, at surfaces and in irregular samplings: largest error of an entry",
      holds="< 1e-13", because="rounding",
      value=lambda m: m.measured("C01.gradient"))


@claim("C03-forces", kind="corotated",
       states="forces of shape are differences of energies at fixed rotations: largest error over the largest force",
       holds="< 1e-6", because="rounding of differences over 1e-6 m")
def forces(m):
    return max(m.measured("C03.forces.*"))


claim("C04-forces", kind="corotated",
      states="forces of volume are, too: the same",
      holds="< 1e-6", because="rounding of differences over 1e-6 m",
      value=lambda m: max(m.measured("C04.forces.*")))
claim("C05-affine", kind="corotated",
      states="affine motions cost the control nothing: what it adds to the matrix times them, over the diagonal",
      holds="< 1e-13", because="rounding",
      value=lambda m: m.measured("C05.affine"))
claim("C06-rigid", kind="corotated",
      states="a body that is only moved and turned has no forces: largest over mu d^2",
      holds="< 1e-12", because="rounding",
      value=lambda m: m.measured("C06.rigid"))
claim("C06-torque", kind="corotated",
      states="forces have no torque, of control neither: their torque over the sum of their sizes, m",
      holds="< 1e-9", because="rounding, and rotations found to 1e-13",
      value=lambda m: m.measured("C06.torque"))


@claim("C11-constant", kind="corotated",
       states="the matrix is constant: most iterations of 200 steps of a bar that falls on one end, each with the factor of the beginning and to 1e-6, "
              "Poisson's ratio 0",
       holds="== 1", because="one if the factor is still that of the system")
def constant(m):
    return m.measured("C11.iterations")


claim("C16-warm", kind="corotated",
      states="starting from the last increments makes the solve for volume shorter: iterations without over with, 100 steps of a falling bar",
      holds="> 1.2", because="less would hardly be worth an array",
      value=lambda m: m.measured("C16.cold") / m.measured("C16.warm"))
claim("CES-expected", kind="finding",
      states="those of five steps, which tell how they change, make a better first guess than the last ones alone: iterations from the last ones "
             "over from all, 100 steps of a falling bar",
      holds="> 1.1", because="less would hardly be worth an array",
      value=lambda m: m.measured("C16.warm") / m.measured("C16.expected"))
claim("C37-one", kind="corotated",
      states="bodies that differ by position and orientation share a factor: factors held for four of them",
      holds="== 1", because="products of vectors at rest do not depend on either",
      value=lambda m: m.measured("C37.factors"))
claim("C37-alike", kind="corotated",
      states="and move as the first of them, turned: largest distance after 20 steps, radii",
      holds="< 1e-8", because="rounding, and tolerances of 1e-12",
      value=lambda m: m.measured("C37.apart"))
claim("C72-bits", kind="corotated",
      states="bodies are solved by several threads with the same result: bytes in which colliding balls differ, of 1, 2 and 3 threads",
      holds="== 0", because="sums have an order that does not depend on threads",
      value=lambda m: m.measured("C72.bytes"))
claim("C77-order", kind="corotated",
      states="bodies of unequal size move alike in any order, with their fixed particles first or last: largest distance after 20 steps, radii",
      holds="< 1e-8", because="rounding, and tolerances of 1e-12",
      value=lambda m: m.measured("C77.apart"))
claim("C17-still", kind="corotated",
      states="these fixed particles do not move: largest distance from their places, m",
      holds="== 0", because="no equation has them",
      value=lambda m: m.measured("C77.held"))
claim("C12-three", kind="corotated",
      states="x, y and z share a matrix of N x N: iterations of the whole system with its factor as preconditioner",
      holds="== 1", because="one if the factor is that of the system, for all three",
      value=lambda m: m.measured("C12.iterations"))
claim("C17-held", kind="corotated",
      states="fixed particles are removed from the system: largest entry that couples them with others, kg",
      holds="== 0", because="no equation has them",
      value=lambda m: m.measured("C17.coupled"))


@claim("C78-single", kind="corotated",
       states="a factor in single precision is enough: residual of a solution, relative",
       holds="< 1e-6", because="rounding in single precision is 6e-8")
def single(m):
    return m.measured("C78.residual")


@claim("CES-ledger", kind="physics",
       states="the ledger explains the energy of collisions between corotated solids and others: imbalance of 60 steps over the energy",
       holds="< 1e-9", because="rounding")
def ledger(m):
    return max(m.measured("CES.ledger.*"))


claim("CES-collision-momentum", kind="physics",
      states="momentum of corotated solids in collisions: drift over mass times the largest speed",
      holds="< 1e-12", because="rounding",
      value=lambda m: max(m.measured("CES.momentum.*")))
ledger_closes()
