"""A body whose particles begin at random places: claims."""

from arithmetic import max
from claims import claim, ledger_closes


def left(m, name):
    """How far particles are from their places at the end, when the body is moved and turned to fit best, in spacings: root of the mean square."""
    return m.distance(name, "fitted")[-1] / (2 * m.setting("still", "bodies.rabbit.radius")[0])


@claim("C55-figure", kind="corotated",
       states="a body of scattered particles recovers its shape with alpha = 1: rms distance from their places after 2 s, in spacings",
       holds="< 0.1", because="the eye would not see it")
def recovers(m):
    return left(m, "alpha-1")


@claim("C08-figure", kind="corotated",
       states="with alpha = 0 it stays collapsed: the same after 1 s",
       holds="> 1", because="particles are farther from their places than from their neighbors'")
def collapses(m):
    return left(m, "alpha-0")


@claim("C07-stiffness", kind="corotated",
       states="alpha does not depend on the stiffness: the same with a tenth and ten times Young's modulus, after times that go with its square root, largest",
       holds="< 0.1", because="as with the paper's stiffness")
def any_stiffness(m):
    return max(left(m, stiffness) for stiffness in m.axis("stiffness"))


ledger_closes()
