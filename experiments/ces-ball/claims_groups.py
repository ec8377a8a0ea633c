"""Iterations of the solve for shape with meta-particles: claims, all of values that a test measures."""

from arithmetic import max, min
from claims import claim

TOUCHED = ("as-heavy", "10-times", "1000-times", "patches", "cubes", "itself", "fixed")


def iterations(m, who, with_what, megapascals):
    return m.measured(f"GROUPS.{who}.{with_what}.{megapascals}")


def most(m, megapascals):
    return max(iterations(m, who, "factor", megapascals) for who in TOUCHED)


@claim("CES-groups-alone", kind="finding",
       states="without contact, one application of the factor is the solution: iterations to 1e-6, larger of 1 and 100 MPa",
       holds="== 1", because="the factor is that of the system")
def alone(m):
    return max(iterations(m, "alone", "factor", megapascals) for megapascals in (1, 100))


@claim("CES-groups-soft", kind="finding",
       states="with meta-particles a few are enough: most iterations at 1 MPa, of seven kinds of touch",
       holds="<= 6", because="averages by stiffness have the right weights; 6 in a prototype")
def soft(m):
    return most(m, 1)


claim("CES-groups-stiff", kind="finding",
      states="a hundred times the stiffness takes a few times as many: most at 100 MPa over most at 1 MPa",
      holds="< 5", because="half of 10, the square root of a hundred times the stiffness, by which those of plain conjugate gradients "
                           "grow",
      value=lambda m: most(m, 100) / most(m, 1))


@claim("CES-groups-diagonal", kind="finding",
       states="without a factor there are more: iterations preconditioned with the diagonal over those with the factor, smallest of seven kinds of touch at 100 MPa",
       holds="> 2", because="what the diagonal does not know is how far forces reach within a step")
def diagonal(m):
    return min(iterations(m, who, "diagonal", 100) / iterations(m, who, "factor", 100) for who in TOUCHED)
