"""A figure that swings by its feet, with two solvers: claims."""

import math

from arithmetic import max
from claims import claim, ledger_closes


def size(m):
    """From the feet to the tips of the ears at the start, m."""
    low, high = (m.body("prefactored", "rabbit", name)[0] for name in ("min_z", "max_z"))
    return high - low


def apart(m, other, first, last):
    """The largest distance of two shapes between two times, s, over the size: root of the mean square over particles."""
    pairs = zip(m.distance(other, "time"), m.distance(other, "rms"))
    return max(rms for time, rms in pairs if first <= time <= last) / size(m)


def sway(m):
    """How far the center of mass leaves the place that it would have if the body were rigid, m."""
    amplitude, frequency = (m.setting("prefactored", f"motions.swing.{key}")[0] for key in ("amplitude", "frequency"))
    t, x = (m.body("prefactored", "rabbit", name) for name in ("time", "x"))
    return max(abs(place - x[0] - amplitude[0] * math.sin(2 * math.pi * frequency * time)) for time, place in zip(t, x))


@claim("C27-alike", kind="corotated",
       states="shape and then volume moves a body as both at once: largest distance of the shapes over the body's size in two swings",
       holds="< 0.01", because="the eye would not see it: a third of the spacing of particles")
def alike(m):
    return apart(m, "whole", 0, 1)


claim("CES-fig02-sways", kind="finding",
      states="the body does more than follow its feet: how far its center of mass leaves the place of a rigid body's, m",
      holds="> 0.005", because="a fifth of the spacing; otherwise the comparison would say nothing",
      value=lambda m: sway(m))


@claim("CES-fig02-newton", kind="finding",
       states="both lag behind the exact step: the same distance from rotations of the end of the step, over that of the two",
       holds="> 1", because="rotations one step behind are common to the two, so that comparing them cannot show what these cost")
def lag(m):
    return apart(m, "newton", 0, 1) / apart(m, "whole", 0, 1)


ledger_closes()
