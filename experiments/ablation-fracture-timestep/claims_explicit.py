"""Explicit bonds against implicit ones: claims."""

from arithmetic import max, mean, min, ratios
from claims import claim, stays_stable

QUARTER = "the limit of Figures 5 and 6: the ball moves a quarter of a radius in two or three steps"
FAR = "half: well beyond the scatter of the samples"


def average(m, runs, key):
    """Of one scene and integrator, over the samples."""
    return mean(m.summary(f"explicit-{runs}-seed-*", key))


def of_converged(m, runs, key):
    """Over the mean with explicit bonds at the shortest step of that scene."""
    return average(m, runs, key) / average(m, f"{runs.split('-')[0]}-verlet-short", key)


def steps_over(m, scene):
    """Steps of explicit bonds, as long as these allow, over those of implicit ones at the step of the figure."""
    return average(m, f"{scene}-verlet", "steps") / average(m, f"{scene}-euler", "steps")


def iterations_of(m, scene):
    """Of the implicit solver per step, in all stages."""
    return average(m, f"{scene}-euler", "iterations_first_mean") + average(m, f"{scene}-euler", "iterations_later_mean")


def passes_over(m, scene):
    """How often an explicit run goes through the bonds, over how often the implicit solver does."""
    return steps_over(m, scene) / iterations_of(m, scene)


def speed_of_fastest(m, runs):
    """Of the fastest particle over the impact speed."""
    return mean(ratios(m.summary(f"explicit-{runs}-seed-*", "speed_max"), m.summary(f"explicit-{runs}-seed-*", "impact_speed")))


@claim("EXPLICIT-dissipation", kind="finding",
       states="explicit bonds dissipate nothing: largest numerical dissipation, of either sign, over what the impact can take",
       holds="< 0.01", because="a hundredth, as much as backward Euler dissipates at the short steps of Figure 6")
def dissipated_explicit(m):
    return max(abs(value) for value in m.summary("explicit-*-verlet-*", "numerical_dissipation_fraction"))


claim("EXPLICIT-dissipation-implicit", kind="finding",
      states="backward Euler does dissipate: the least of its runs at the step of the figure over the most of any explicit run",
      holds="> 3", because="by a factor of three, beyond the scatter of the samples",
      value=lambda m: min(m.summary("explicit-*-euler-seed-*", "numerical_dissipation_fraction")) / dissipated_explicit(m))
claim("EXPLICIT-cost", kind="finding",
      states="explicit bonds are the cheaper ones: their steps over the solver's iterations in the implicit run, the worse scene",
      holds="< 0.25", because="a quarter: explicit bonds are cheaper even if their evaluation of forces costs as much as four iterations. "
                              "What else an implicit step does, matrix and right-hand side, is not counted",
      value=lambda m: max(passes_over(m, scene) for scene in ("wall", "impact")))


@claim("EXPLICIT-converged", kind="finding",
       states="with explicit bonds, as long a step as these allow makes as many fragments as one a third as long: largest relative "
              "difference of the means, of fragments and debris, both scenes",
       holds="< 0.25", because="a quarter, about what the samples of one setting differ by")
def converged_explicit(m):
    return max(abs(of_converged(m, f"{scene}-verlet", key) - 1) for scene in ("wall", "impact") for key in ("fragments", "debris_fraction"))


claim("EXPLICIT-fragments", kind="finding",
      states="backward Euler makes far fewer fragments at the step of the figure: the largest of the means over those of explicit bonds "
             "at the shortest step",
      holds="< 0.5", because=FAR,
      value=lambda m: max(of_converged(m, f"{scene}-euler", "fragments") for scene in ("wall", "impact")))
claim("EXPLICIT-fragments-short", kind="finding",
      states="and at a step as short as the explicit one: mean over that of explicit bonds at the shortest step, wall of Figure 5",
      holds="< 0.5", because=FAR,
      value=lambda m: of_converged(m, "wall-euler-short", "fragments"))


@claim("M24-explicit-overlap", kind="paper",
       states="with explicit bonds merging-and-splitting keeps the bodies apart: largest overlap at any time, radii",
       holds="< 0.25", because=QUARTER)
def depth_explicit(m):
    return max(m.summary("explicit-*-verlet-*", "overlap_depth_max"))


claim("EXPLICIT-thrown", kind="finding",
      states="with explicit bonds single particles are thrown, hit more than once: speed of the fastest over the impact speed, mean "
             "over samples, the larger of the scenes at the longest explicit step",
      holds="> 2", because="a light particle that a heavy one hits once leaves with at most twice its speed",
      value=lambda m: max(speed_of_fastest(m, f"{scene}-verlet") for scene in ("wall", "impact")))
stays_stable("explicit-*")
