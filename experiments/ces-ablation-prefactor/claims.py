"""When a factor pays, and times of Figure 4: claims. Times are those of the elastic solve, medians over twenty steps, and compared with those of the same
measurement. A measurement that other programs disturbed is skipped."""

import math

from arithmetic import max, min
from claims import claim, ledger_closes, stays_stable


def ratio(m, rival, size, young):
    """The time of a rival's step over that with the factor."""
    return m.times(f"{size}-{young}-{rival}")[0].median("stage 1") / m.times(f"{size}-{young}-prefactored")[0].median("stage 1")


def reach(m, size, young):
    """How far longitudinal waves of a bar get in a step, spacings: dt c / d, c^2 = E / rho."""
    run = f"{size}-{young}-prefactored"
    (step,), (radius,), (density,) = (m.setting(run, key) for key in ("time.max_step", "bodies.beam.radius", "bodies.beam.density"))
    return step * math.sqrt(m.setting(run, "materials.rubber.young_modulus")[0] / density) / (2 * radius)


def crossover(m, rival, size):
    """The reach at which both take as long, by interpolation between settings; the smallest if the factor always wins."""
    settings = [(math.log(reach(m, size, young)), math.log(ratio(m, rival, size, young))) for young in m.axis("young")]
    for (a, before), (b, after) in zip(settings, settings[1:]):
        if before < 0 <= after:
            return math.exp(a - before * (b - a) / (after - before))
    return math.exp(settings[0][0] if settings[0][1] >= 0 else settings[-1][0])


@claim("CES-prefactor-soft", kind="finding",
       states="a factor does not pay where waves get nowhere in a step: conjugate gradients with the constant matrix over factored at 1 kPa and 2 ms, "
              "largest of three sizes",
       holds="< 2", because="masses outweigh stiffness, and a few iterations of 125 entries a row cost no more than two passes over the "
                            "factor; times of one setting differ by up to half from measurement to measurement, so that less than twice "
                            "is hardly slower, if at all")
def soft(m):
    return max(ratio(m, "assembled", size, "1e3") for size in m.axis("size"))


@claim("CES-prefactor-stiff", kind="finding",
       states="it pays where they pass many spacings: the same at 100 MPa, smallest of three sizes",
       holds="> 1.5", because="iterations grow with the reach of waves; the factor's work is the same")
def stiff(m):
    return min(ratio(m, "assembled", size, "1e8") for size in m.axis("size"))


@claim("CES-prefactor-whole", kind="finding",
       states="so it is beside the solve of the whole system: whole over factored at 100 MPa, smallest of three sizes",
       holds="> 1.5", because="as above")
def whole(m):
    return min(ratio(m, "whole", size, "1e8") for size in m.axis("size"))


@claim("CES-prefactor-crossover", kind="finding",
       states="it pays where waves pass a spacing in a step, and before: reach at which conjugate gradients with the constant matrix "
              "take as long, spacings, largest of three sizes",
       holds="< 1", because="an iteration takes forces one or two spacings farther; with a few iterations the two passes over the factor "
                            "are paid")
def crosses(m):
    return max(crossover(m, "assembled", size) for size in m.axis("size"))


def step_time(m, run):
    """Of the elastic solve, median of twenty steps, s."""
    return m.times(run)[0].median("stage 1")


@claim("C60-faster", kind="corotated",
       states="the factored solve of the twisted bar of Figure 4 is faster than that of the whole system with the explicit control: time of the latter over the "
              "former, 18 000 particles",
       holds="> 2", because="3.9 in the paper; half of it leaves room for another machine")
def twisted(m):
    return step_time(m, "twisted-explicit") / step_time(m, "twisted-implicit")


stays_stable("ces-ablation-prefactor")
ledger_closes("ces-ablation-prefactor")
