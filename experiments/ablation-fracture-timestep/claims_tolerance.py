"""The solver's tolerance: claims."""

from arithmetic import max, ratios, sum
from claims import claim

LATEST = 3  # index of the frame compared, at 1.5 ms: thousands of bonds have broken, the runs are not yet chaotic


def error(m, comparison):
    """The rms distance between the shapes of the wall, m."""
    return m.distance(comparison, "rms")[LATEST]


def relative(m, comparison):
    """The same over the distance that the wall has moved."""
    return error(m, comparison) / m.distance(comparison, "moved_a")[LATEST]


def work(m, tolerance):
    """The largest work of the residual over the impact energy."""
    runs = f"breaks-{tolerance}-*"
    return max(abs(fraction) for fraction in ratios(m.summary(runs, "residual_work"), m.summary(runs, "impact_kinetic")))


@claim("TOLERANCE-whole", kind="finding",
       states="with a tolerance of 1e-4 and unbreakable bonds, the error of the positions after 1.5 ms is negligible: its ratio to "
              "the error of the time step (measured by halving it)",
       holds="< 0.01", because="to reduce an error that is a hundredth of another is not worth an iteration")
def whole_error(m):
    return error(m, "whole-1e-4") / error(m, "whole-half")


claim("TOLERANCE-breaks", kind="finding",
      states="with breakable bonds and tolerances of 1e-4, 1e-5 and 1e-6, of which a bond may break a step earlier or later, the "
             "error is small: its largest ratio to that of the time step",
      holds="< 0.1", because="with whole bonds it is a hundredth; ten times that allows for single bonds, of thousands",
      value=lambda m: max(error(m, f"breaks-{tolerance}") for tolerance in ("1e-4", "1e-5", "1e-6")) / error(m, "whole-half"))
claim("TOLERANCE-breaks-coarse", kind="finding",
      states="with a tolerance of 1e-2, at which bonds already break a step earlier or later, the error is below that of the time "
             "step: their ratio",
      holds="< 1", because="below the error of the time step",
      value=lambda m: error(m, "breaks-1e-2") / error(m, "whole-half"))
claim("TOLERANCE-converges", kind="finding",
      states="the error decreases with the tolerance: largest fraction of it that is left with a hundredth of the tolerance",
      holds="< 0.1", because="a hundredth would be proportional; ten times that allows for contacts that change",
      value=lambda m: max(error(m, f"whole-{fine}") / error(m, f"whole-{coarse}")
                          for coarse, fine in [("1e-2", "1e-4"), ("1e-4", "1e-6"), ("1e-6", "1e-8")]))
claim("TOLERANCE-iterations", kind="finding",
      states="a tolerance of 1e-5 takes fewer iterations than 1e-8: ratio of the iterations of the first stage",
      holds="< 1", because="fewer is the statement; the value found is six tenths",
      value=lambda m: m.summary("breaks-1e-5-a", "iterations_first_mean")[0] / m.summary("breaks-1e-8-a", "iterations_first_mean")[0])


@claim("TOLERANCE-fragments", kind="finding",
       states="the number of fragments does not depend on the tolerance from 1e-3 on: largest relative change of the mean of three "
              "samples",
       holds="< 0.6", because="two standard deviations of the difference of two means of three samples, whose own is a fifth")
def fragments_by_tolerance(m):
    reference = sum(m.summary("breaks-1e-11-*", "fragments"))
    return max(abs(sum(m.summary(f"breaks-{tolerance}-*", "fragments")) / reference - 1)
               for tolerance in ["1e-3", "1e-4", "1e-5", "1e-6", "1e-8"])


claim("TOLERANCE-residual-work", kind="finding",
      states="the energy does not depend on the tolerance from 1e-4 on: largest work of the residual over the impact energy",
      holds="< 1e-4", because="the tolerance itself",
      value=lambda m: max(abs(fraction) for fraction in ratios(m.summary("breaks-1e-[4-8]-*", "residual_work"),
                                                         m.summary("breaks-1e-[4-8]-*", "impact_kinetic"))))
claim("MOMENTUM-tolerance", kind="physics",
      states="momentum is conserved to rounding at any tolerance: largest drift",
      holds="< 1e-12", because="rounding of some hundred steps; nothing is fixed",
      value=lambda m: max(m.summary("breaks-*", "momentum_drift") + m.summary("whole-*", "momentum_drift")))
