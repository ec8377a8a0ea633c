"""Rotations found twice in a step, or once: claims."""

from arithmetic import max
from claims import claim, ledger_closes


def apart(m, way, step):
    """The largest distance from the motion by Newton's method in the same steps, over how far that moves; root of the mean square."""
    name = f"{way}-{step}"
    return max(m.distance(name, "rms")) / max(m.distance(name, "moved_a"))


def gained(m, way, step):
    """Energy that steps add to that of gravity and of the start, over what gravity gave: what the work of linear forces and renewed rotations leave."""
    run = f"{way}-{step}"
    height = m.column(run, "gravitational")
    return sum(m.column(run, "linearization") + m.column(run, "rotation_renewal")) / (height[0] - height[-1])


@claim("C18-nearer", kind="corotated",
       states="finding rotations again after the first solve takes its changes into account: distance from the exact motion with one extraction over that "
              "with two, smallest of four steps",
       holds="> 1", because="otherwise it would be for nothing")
def nearer(m):
    return min(apart(m, "kept", step) / apart(m, "renewed", step) for step in m.axis("step"))


@claim("C18-clearly", kind="corotated",
       states="clearly so in the paper's usual step of 2 ms: the same",
       holds="> 1.5", because="less would hardly be worth an extraction",
       known="the motion hardly changes; what keeps it from the exact one is that shape and volume are solved one after the other, and that rotations of the "
             "first solve lag")
def clearly(m):
    return apart(m, "kept", "2") / apart(m, "renewed", "2")


@claim("CES-rotations-order", kind="finding",
       states="with both, what rotations without forces cost falls with the step: distance from the exact motion at 2 ms over that at 1 ms",
       holds="> 1.5", because="at least first order")
def order(m):
    return apart(m, "renewed", "2") / apart(m, "renewed", "1")


@claim("CES-rotations-whole", kind="finding",
       states="solving both at once helps more than a second extraction: distance from the exact motion with two extractions over that of the whole system, "
              "smallest of four steps",
       holds="> 1", because="with a large Poisson's ratio one solve undoes what the other did")
def at_once(m):
    return min(apart(m, "renewed", step) / apart(m, "whole", step) for step in m.axis("step"))


@claim("CES-rotations-gain", kind="finding",
       states="two solves one after the other add energy, as the forces of the second are not those with which the first one was solved: "
              "what steps add in 0.48 s over what gravity gave, with two extractions, largest of four steps",
       holds="> 0.05", because="a twentieth of what gravity gave; rounding would be below 1e-9")
def gain(m):
    return max(gained(m, "renewed", step) for step in m.axis("step"))


@claim("CES-rotations-gain-whole", kind="finding",
       states="they add none if both are solved at once: the same",
       holds="<= 0", because="backward Euler takes energy from vibrations")
def gain_at_once(m):
    return max(gained(m, "whole", step) for step in m.axis("step"))


@claim("CES-rotations-gain-falls", kind="finding",
       states="what two solves add falls with the step: at 2 ms over at 1 ms",
       holds="> 1.5", because="at least first order")
def gain_falls(m):
    return gained(m, "renewed", "2") / gained(m, "renewed", "1")


ledger_closes("ces-ablation-rotations")
