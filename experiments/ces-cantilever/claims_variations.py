"""The cantilever as soft as in Table 2, with other weights of zero-energy control, and with the nearest neighbors alone: claims."""

from arithmetic import max
from claims import claim
from swings import period


# ---- the steps of Table 2: the period is that of the inertia of lagging rotations -----------------

def slowed_soft(m, layers, step):
    """The period over that by Newton's method in short steps."""
    return period(m, f"soft-{layers}-{step}") / period(m, f"soft-{layers}-exact")


@claim("C54-usual", kind="corotated",
       states="the paper's usual step does not sacrifice accuracy: period with steps of 2 ms at 1 MPa over that with exact ones, six layers",
       holds="< 1.05", because="five percent would be seen; waves pass less than a tenth of this beam in a step")
def usual(m):
    return slowed_soft(m, "6", "2")


@claim("C54-longest", kind="corotated",
       states="nor does its longest: the same with steps of 15 ms",
       holds="< 1.05", because="five percent would be seen",
       known="waves pass half of this beam in such a step, and it swings much too slowly: rotations lag behind by a step, which acts as inertia")
def longest(m):
    return slowed_soft(m, "6", "15")


@claim("CES-timestep-lattice", kind="finding",
       states="a finer lattice does not help: period with twelve layers over that with six, each over that with exact steps, largest deviation of five steps",
       holds="< 0.05", because="the inertia goes with how far waves get in the beam, not in a spacing")
def lattice(m):
    return max(abs(slowed_soft(m, "12", step) / slowed_soft(m, "6", step) - 1) for step in m.axis("table"))


# ---- the weight of the control --------------------------------------------------------------------

def faster(m, run):
    """The frequency over that without control, less 1."""
    return period(m, "alpha-0") / period(m, run) - 1


claim("C57-slight", kind="corotated",
      states="the control has little influence on swings: largest rise of the frequency over that without it, alpha up to 1",
      holds="< 0.05", because="what the eye would see",
      value=lambda m: max(faster(m, run) for run in ("alpha-0.01", "layers-6", "alpha-1")))
claim("C57-rises", kind="corotated",
      states="the frequency rises with alpha: that with alpha = 1 over that with 0.01, less 1",
      holds="> 0", because="the control only adds stiffness",
      value=lambda m: period(m, "alpha-0.01") / period(m, "alpha-1") - 1)


@claim("CES-alpha-torsion", kind="finding",
       states="a large weight stiffens a bar noticeably: torsional stiffness of six layers with alpha = 10 over that without control, less 1",
       holds="> 0.2", because="surfaces lose 0.21 of Saint-Venant's stiffness, which the control, whose energy a twist without warping has, makes up for")
def stiffens(m):
    return m.measured("CES-BARS.alpha_twist")


@claim("CES-alpha-theory", kind="finding",
       states="it does not lead away from theory: stiffness with alpha = 10 over theory, less 1, without sign, largest of stretch, bending and torsion",
       holds="< 0.04", because="a fifth of what torsion lacks without it; both are in proportion to the square of the spacing")
def makes_up(m):
    return max(abs(m.measured(f"CES-BARS.alpha_theory_{load}") - 1) for load in ("stretch", "bend", "twist"))


# ---- the nearest neighbors alone ------------------------------------------------------------------

@claim("C40-identical", kind="corotated",
       states="ten neighbors look the same: distance of the shapes of a cantilever over how far it moves, in one swing, lattice and relaxed",
       holds="< 0.05", because="what the eye would see")
def identical(m):
    return max(max(m.distance(body, "rms")) / max(m.distance(body, "moved_a")) for body in ("lattice-10", "relaxed-10"))
