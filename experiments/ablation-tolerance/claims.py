"""The solver's tolerance: claims."""

from claims import claim, ledger_closes
from arithmetic import ratios

LATEST = 3  # of the frames compared: after 1.5 ms, when thousands of bonds are broken and the runs are not yet chaotic


def error(m, comparison):
    """Distance of the shapes of the wall, in m."""
    return m.distance(comparison, "rms")[LATEST]


def relative(m, comparison):
    """... over the way that the wall has gone."""
    return error(m, comparison) / m.distance(comparison, "moved_a")[LATEST]


def work(m, tolerance):
    """Largest work of the residual over the impact energy."""
    runs = f"breaks-{tolerance}-*"
    return max(abs(share) for share in ratios(m.summary(runs, "residual_work"), m.summary(runs, "impact_kinetic")))


@claim("TOLERANCE-whole", kind="finding",
       states="error of positions after 1.5 ms with a tolerance of 1e-4 over that of the time step (against half of it), "
              "bonds that never break",
       holds="< 0.01", because="a hundredth of an error that is there anyway is not worth an iteration")
def whole_error(m):
    return error(m, "whole-1e-4") / error(m, "whole-half")


@claim("TOLERANCE-breaks", kind="finding",
       states="... with 1e-5, bonds that break",
       holds="< 0.01", because="as above")
def breaks_error(m):
    return error(m, "breaks-1e-5") / error(m, "whole-half")


@claim("TOLERANCE-breaks-coarse", kind="finding",
       states="... with 1e-2, when bonds already break a step earlier or later",
       holds="< 1", because="below the error of the time step")
def breaks_error_coarse(m):
    return error(m, "breaks-1e-2") / error(m, "whole-half")


@claim("TOLERANCE-anew", kind="finding",
       states="... a second stage that is solved anew, not only where it is wrong, errs less at the same residual: "
              "its error with 1e-3 over that of the correction",
       holds="< 1", because="less is the statement; found is a ninth")
def anew_error(m):
    return error(m, "anew-1e-3") / error(m, "whole-1e-3")


@claim("TOLERANCE-converges", kind="finding",
       states="the error falls with the tolerance: what a hundredth of the tolerance leaves of it, at most",
       holds="< 0.1", because="a hundredth would be in proportion; ten times that allows for contacts that change")
def error_of_hundredth(m):
    return max(error(m, f"whole-{fine}") / error(m, f"whole-{coarse}")
               for coarse, fine in [("1e-2", "1e-4"), ("1e-4", "1e-6"), ("1e-6", "1e-8")])


@claim("TOLERANCE-iterations", kind="finding",
       states="... iterations of the first stage with 1e-5 over those with 1e-8",
       holds="< 1", because="fewer is the statement; found is six tenths")
def iterations(m):
    return m.summary("breaks-1e-5-a", "iterations_first_mean")[0] / m.summary("breaks-1e-8-a", "iterations_first_mean")[0]


@claim("TOLERANCE-fragments", kind="finding",
       states="... and the number of fragments does not depend on it, from 1e-3 on: largest change of the mean of three samples",
       holds="< 0.3", because="the scatter of the samples: 1.5 standard errors of a mean of three")
def fragments(m):
    reference = sum(m.summary("breaks-1e-11-*", "fragments"))
    return max(abs(sum(m.summary(f"breaks-{tolerance}-*", "fragments")) / reference - 1)
               for tolerance in ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"])


@claim("TOLERANCE-residual-work", kind="finding",
       states="... nor does the energy, from 1e-4 on: largest work of the residual over the impact energy",
       holds="< 1e-4", because="the tolerance itself")
def residual_work(m):
    return max(abs(share) for share in ratios(m.summary("breaks-1e-[4-9]-*", "residual_work"),
                                              m.summary("breaks-1e-[4-9]-*", "impact_kinetic")))


@claim("MOMENTUM-tolerance", kind="physics",
       states="momentum is kept to rounding, whatever the tolerance",
       holds="< 1e-12", because="rounding of some hundred steps; nothing is held")
def momentum(m):
    return max(m.summary("*", "momentum_drift"))


ledger_closes("tolerance")
