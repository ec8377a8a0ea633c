"""A cantilever against beam theory: claims."""

import math
import statistics

from arithmetic import max, min
from claims import claim, ledger_closes
from swings import period

FINE = ("6", "8", "12")  # layers from which values for an infinitely fine lattice are extrapolated


class Beam:
    """The free part of the beam by Timoshenko's theory with the shear coefficient 5/6."""

    def __init__(self, m):
        run = "layers-12"
        self.length = 1.05
        self.height = m.setting(run, "bodies.beam.shape.box.size")[0][2]
        density, young = m.setting(run, "bodies.beam.density")[0], m.setting(run, "materials.steel.young_modulus")[0]
        self.weight = -m.setting(run, "gravity")[0][2] * density * self.height ** 2
        self.mass = density * self.height ** 2
        self.bending = young * self.height ** 4 / 12
        self.shear = 5 / 6 * young / 2 * self.height ** 2

    def sag(self, x):
        """At rest, m."""
        bent = x ** 2 * (6 * self.length ** 2 - 4 * self.length * x + x ** 2) / (24 * self.bending)
        return self.weight * (bent + (self.length * x - x ** 2 / 2) / self.shear)

    def period(self):
        """Of the first mode, s: Huang, "The effect of rotatory inertia and of shear deformation on the frequency and normal mode
        equations of uniform beams with simple end conditions", J. Appl. Mech. 28, 1961."""
        r2 = self.height ** 2 / 12 / self.length ** 2
        s2 = self.bending / (self.shear * self.length ** 2)

        def equation(b):
            root = math.sqrt((r2 - s2) ** 2 + 4 / b ** 2)
            alpha, beta = math.sqrt((root - r2 - s2) / 2), math.sqrt((root + r2 + s2) / 2)
            return (2 + (b ** 2 * (r2 - s2) ** 2 + 2) * math.cosh(b * alpha) * math.cos(b * beta)
                    - b * (r2 + s2) / math.sqrt(1 - b ** 2 * r2 * s2) * math.sinh(b * alpha) * math.sin(b * beta))
        low, high = 2.0, 3.6
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if equation(low) * equation(middle) <= 0 else (middle, high)
        return 2 * math.pi / (low * math.sqrt(self.bending / (self.mass * self.length ** 4)))


def sag(m, run):
    """The mean over a period of how far the lowest particle, at the tip, has come down, m."""
    t, z, end = m.body(run, "beam", "time"), m.body(run, "beam", "min_z"), period(m, run)
    area = 0.0
    for k in range(1, len(t)):
        part = min((end - t[k - 1]) / (t[k] - t[k - 1]), 1)
        if part > 0:
            last = z[k - 1] + part * (z[k] - z[k - 1])
            area += part * (t[k] - t[k - 1]) * (z[0] - (z[k - 1] + last) / 2)
    return area / end


def over_theory(m, measure):
    """Over theory, extrapolated from the three finest lattices with errors in proportion to the spacing and to its square."""
    beam = Beam(m)
    spacings = [2 * m.setting(f"layers-{layers}", "bodies.beam.radius")[0] for layers in FINE]
    total = 0.0
    for layers, spacing in zip(FINE, spacings):
        theory = beam.period() if measure is period else beam.sag(beam.length - spacing / 2)
        others = [other for other in spacings if other != spacing]
        weight = others[0] * others[1] / ((others[0] - spacing) * (others[1] - spacing))
        total += weight * measure(m, f"layers-{layers}") / theory
    return total


claim("CES-sag", kind="physics",
      states="a beam sags as beam theory with shear has it: the mean over its swing, extrapolated to no spacing, over theory",
      holds="> 0.95", because="errors of third order in the spacing are left",
      value=lambda m: over_theory(m, sag))
claim("CES-sag-at-most", kind="physics", states="the same from above", holds="< 1.05", because="the same",
      value=lambda m: over_theory(m, sag))
claim("CES-period", kind="physics",
      states="it swings with the period of Timoshenko's theory: extrapolated to no spacing, over theory",
      holds="> 0.95", because="errors of third order in the spacing are left",
      value=lambda m: over_theory(m, period))
claim("CES-period-at-most", kind="physics", states="the same from above", holds="< 1.05", because="the same",
      value=lambda m: over_theory(m, period))


def slowed(m, kind, step):
    """The period with a step over that with the shortest one and Newton's method."""
    return period(m, f"{kind}-{step}") / period(m, "newton-2.5e-4")


@claim("C54-long-steps", kind="corotated",
       states="long steps do not sacrifice accuracy: the period with steps of 4 ms over that with short ones",
       holds="< 1.05", because="five percent would be seen",
       known="it swings several times too slowly: rotations lag behind by a step, which acts as inertia")
def long_steps(m):
    return slowed(m, "step", "4e-3")


def lag(m, step):
    """The period that the inertia of lagging rotations gives. They make the energy mu |dt grad dv|^2 of a change dv of velocity:
    the inertia 2 dt^2 mu |grad dv|^2. Bending turns cross-sections by phi', and grad dv has two entries of that size; in the first
    mode of a cantilever the integral of phi'^2 is 4.648 / L^2 times that of phi^2. With Poisson's ratio 0, 2 mu is E."""
    steps, length = m.setting(f"step-{step}", "time.max_step")[0], Beam(m).length
    young, density = m.setting(f"step-{step}", "materials.steel.young_modulus")[0], m.setting(f"step-{step}", "bodies.beam.density")[0]
    return math.sqrt(1 + 2 * 4.648 * steps ** 2 * young / density / length ** 2)


@claim("CES-lag", kind="finding",
       states="the period grows by the inertia of lagging rotations, sqrt(1 + 9.3 (dt c / L)^2): largest deviation, relative, five steps",
       holds="< 0.1", because="the mode of a beam without shear, six layers thick")
def lag_explained(m):
    return max(abs(slowed(m, "step", step) / lag(m, step) - 1) for step in m.axis("step"))


@claim("CES-newton", kind="finding",
       states="with the rotations of the end of the step it swings in time: period with steps of 4 ms over that with short ones",
       holds="< 1.05", because="a twentieth of a period; what is left is backward Euler's, (omega dt)^2 / 3 or 3 %")
def newton_in_time(m):
    return slowed(m, "newton", "4e-3")


@claim("CES-newton-work", kind="finding",
       states="that takes a moderate number of products with a matrix: iterations in a step of 4 ms",
       holds="< 30", because="Newton's method takes a few steps, of a few iterations each: only bending differs from the factor's matrix")
def newton_work(m):
    return statistics.fmean(m.column("newton-4e-3", "iterations_first"))


@claim("CES-lag-order", kind="finding",
       states="the error of the period falls with the square of the step: what 1 ms adds to that with 0.5 ms, over what this adds to 0.25 ms",
       holds="> 3", because="4 for a pure square")
def order(m):
    coarse, middle, fine = (period(m, f"step-{step}") for step in ("1e-3", "5e-4", "2.5e-4"))
    return (coarse - middle) / (middle - fine)


def deeper(m, way):
    """How much farther the beam sags in steps of 1 ms than in steps of 0.25 ms, relative, largest of two Poisson's ratios."""
    return max(abs(sag(m, f"{way}-{poisson}-long") / sag(m, f"{way}-{poisson}-short") - 1) for poisson in m.axis("poisson"))


@claim("CES-statics", kind="physics",
       states="how far a beam sags does not depend on the step: mean over a swing in steps of 1 ms over that in steps of 0.25 ms, less 1, without sign, "
              "Poisson's ratio 0.3 and 0.45",
       holds="< 0.01", because="at rest forces balance whatever the step; what is left is the damping of one swing")
def statics(m):
    return deeper(m, "coupled")


claim("CES-statics-parts", kind="finding",
      states="by Algorithm 1 it does, since its two solves leave a false force at rest: the same",
      holds="> 0.05", because="less would hardly be seen",
      value=lambda m: deeper(m, "parts"))


@claim("CES-statics-newton", kind="physics",
       states="bars that hang down and cantilevers are at rest where Newton's method has them: largest deviation, relative, three steps from 0.25 to 4 ms "
              "and Poisson's ratios of 0, 0.3 and 0.45",
       holds="< 0.001", because="tolerances of 1e-6, and bodies that are taken to be at rest when their sag changes by less than 1e-5")
def statics_newton(m):
    return max([m.measured("CES-STATICS.hanging"), m.measured("CES-STATICS.cantilever")])


def bars(m, name):
    """What tests/unit/test_corotated_stiffness.c and test_corotated_buckling.c measured of bars whose ends are moved."""
    return m.measured(f"CES-BARS.{name}")


@claim("CES-bars-stretch", kind="physics",
       states="a bar is as stiff in stretch as E A: force over strain over that of theory, less 1, without sign, largest of Poisson's ratios 0, 0.3 and "
              "0.45, twelve layers",
       holds="< 0.01", because="the strain is even, so that nothing is lost at surfaces; what is left is where along the bar it is measured")
def bars_stretch(m):
    return bars(m, "stretch")


@claim("CES-bars-bend", kind="physics", states="in bending as E I: the same",
       holds="< 0.042", because="6 / n^2 with n layers: particles at surfaces see the strain 0.17 spacings farther inside, by which 24 x 0.17 / n^2 are lost, "
                                "and 1 / n^2 is lost within layers")
def bars_bend(m):
    return bars(m, "bend")


@claim("CES-bars-twist", kind="physics", states="in torsion as Saint-Venant's 0.1406 G a^4: the same",
       holds="< 0.083", because="12 / n^2 with n layers: all four surfaces count, where bending has two")
def bars_twist(m):
    return bars(m, "twist")


@claim("CES-bars-order", kind="physics",
       states="errors of bending and torsion fall with the square of the spacing: least order from six layers to twelve, Poisson's ratios 0, 0.3 and 0.45",
       holds="> 1.5", because="2 in the end; with six layers torsion is still on its way there")
def bars_order(m):
    return min(bars(m, "order_bend"), bars(m, "order_twist"))


@claim("CES-buckling", kind="physics",
       states="a column buckles at Euler's load: load at which moving one end aside takes no force, over pi^2 E I / L^2 with shear, less 1, without sign, with "
              "the E I and the L that bending finds; three and six layers, Poisson's ratios 0, 0.3 and 0.45",
       holds="< 0.03", because="the column is 1 % shorter by then, which is 2 % of the load")
def buckling(m):
    return bars(m, "buckling")


@claim("CES-bars-steps", kind="physics",
       states="bars that are stretched, bent and twisted are at rest where Newton's method has them: largest deviation of energy and stiffness, relative, five "
              "steps from 0.25 to 4 ms and Poisson's ratios of 0, 0.3 and 0.45",
       holds="< 0.001", because="bodies are taken to be at rest when their energy changes by less than 1e-7")
def bars_steps(m):
    return bars(m, "steps")


@claim("CES-bars-disorder", kind="finding",
       states="particles that are out of order make a body softer: stiffness in stretch that is lost with a jitter of 0.2, eight layers",
       holds="> 0.15", because="with half as many layers as much is lost, so that finer particles do not help")
def bars_disorder(m):
    return bars(m, "disorder")


ledger_closes()
