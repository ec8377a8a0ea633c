"""A cantilever in the steps of Table 2: claims. Its period is that of the inertia of lagging rotations (ces-cantilever)."""

from arithmetic import max
from claims import claim, ledger_closes
from swings import period


def slowed(m, solver, layers, step):
    """The period over that by Newton's method in short steps."""
    return period(m, f"{solver}-{layers}-{step}") / period(m, f"exact-{layers}")


@claim("C54-usual", kind="corotated",
       states="the paper's usual step does not sacrifice accuracy: period with steps of 2 ms at 1 MPa over that with exact ones, six layers",
       holds="< 1.05", because="five percent would be seen; waves pass less than a tenth of this beam in a step")
def usual(m):
    return slowed(m, "factor", "6", "2")


@claim("C54-longest", kind="corotated",
       states="nor does its longest: the same with steps of 15 ms",
       holds="< 1.05", because="five percent would be seen",
       known="waves pass half of this beam in such a step, and it swings much too slowly: rotations lag behind by a step, which acts as inertia")
def longest(m):
    return slowed(m, "factor", "6", "15")


@claim("CES-timestep-lattice", kind="finding",
       states="a finer lattice does not help: period with twelve layers over that with six, each over that with exact steps, largest deviation of five steps",
       holds="< 0.05", because="the inertia goes with how far waves get in the beam, not in a spacing")
def lattice(m):
    return max(abs(slowed(m, "factor", "12", step) / slowed(m, "factor", "6", step) - 1) for step in m.axis("step"))


@claim("CES-timestep-whole", kind="finding",
       states="nor does solving both at once: period by the solver of the whole system over that with the factor, largest deviation of five steps",
       holds="< 5e-3", because="without Poisson's ratio both solve the same system; rotations are found before it with either, and that "
                               "one has gravity's part of the step in them makes a difference of second order")
def whole(m):
    return max(abs(slowed(m, "whole", "6", step) / slowed(m, "factor", "6", step) - 1) for step in m.axis("step"))


ledger_closes("ces-ablation-timestep")
