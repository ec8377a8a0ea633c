"""Methods at equal cost, balls and a jet on cloths: claims. Costs are numbers of solves, of iterations and, where a claim says so,
CPU times, which differ from measurement to measurement; a claim about them is skipped if the machine was busy."""

import math

from arithmetic import at, mean
from claims import claim, ledger_closes

HEIGHTS = ("low", "high")
CLOTHS = ("low", "high", "heavy")
DEPTH = 0.25  # of a radius: the limit of Figure 5
TWICE = ("merging", "barrier")  # methods with the longer steps


# ---- what a run costs, and what it achieves ------------------------------------------------------

def solves(m, run):
    """How often the elastic bodies were integrated, which is a solve of a linear system each time."""
    return sum(m.column(run, "stages"))


def iterations(m, run):
    """Of the linear solver, in all solves."""
    return sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later"))


def cpu(m, run):
    return m.cpu(run)[0]


def good(m, run):
    """No particle gets through, and the run is stable."""
    return m.summary(run, "penetrated_max")[0] == 0 and not m.summary(run, "unstable")[0]


def overlap(m, run):
    return m.summary(run, "overlap_depth_max")[0]


def shape_error(m, run):
    """The largest rms distance of the cloth from that of the reference until the latter is deepest, over the rms displacement it has then."""
    apart, moved = m.distance(f"shape-{run}", "rms"), m.distance(f"shape-{run}", "moved_b")
    deepest = moved.index(max(moved))
    return max(apart[:deepest + 1]) / moved[deepest]


# ---- methods at equal cost -----------------------------------------------------------------------

def runs_of(m, scene, method):
    """With ever shorter steps."""
    steps = "short" if scene == "jet" else "ours" if method in TWICE else "step"
    return [f"{scene}-{method}-{step}" for step in m.axis(steps)]


def pairs_of_steps(m):
    """(step of merging-and-splitting, step of forces) with about as many solves."""
    return list(zip(m.axis("ours"), m.axis("step")[1:]))


def error_at(m, scene, method, price, cost):
    """The error of a method at this cost, between its two good runs next to it; None if they all cost more or less."""
    points = sorted((math.log(price(m, run)), math.log(shape_error(m, run))) for run in runs_of(m, scene, method) if good(m, run))
    within = points and points[0][0] <= math.log(cost) <= points[-1][0]
    return math.exp(at(math.log(cost), *zip(*points))) if within else None


def over(m, scene, rivals, price):
    """Errors of merging-and-splitting over the least of these rivals at equal cost, of each of its runs that costs what some of theirs do."""
    found = []
    for run in runs_of(m, scene, "merging"):
        theirs = [error_at(m, scene, rival, price, price(m, run)) for rival in rivals]
        known = [error for error in theirs if error is not None]
        found += [shape_error(m, run) / min(known)] if known else []
    return found


def penalties(m):
    return [f"penalty-{k}" for k in m.axis("stiffness")]


def methods(m):
    return [*TWICE, *m.axis("rival"), *penalties(m)]


def over_penalty(m, scenes=CLOTHS, price=solves):
    return [ratio for scene in scenes for ratio in over(m, scene, penalties(m), price)]


def over_rival(m, rival, scenes=CLOTHS, price=solves):
    return [ratio for scene in scenes for ratio in over(m, scene, [rival], price)]


def tuned(m, step, scenes=HEIGHTS):
    """The penalty stiffnesses that are good in these scenes with this step."""
    return [k for k in m.axis("stiffness") if all(good(m, f"{scene}-penalty-{k}-{step}") for scene in scenes)]


def failures(m, methods, scenes=CLOTHS):
    """Number of runs of these methods that leak or are unstable."""
    return sum(not good(m, run) for scene in scenes for method in methods for run in runs_of(m, scene, method))


@claim("EQUAL-solves", kind="finding",
       states="forces get at most as many solves as merging-and-splitting in each comparison: largest ratio",
       holds="< 1.1", because="steps are shared evenly between frames, so that their number cannot be chosen exactly")
def equal(m):
    return max(solves(m, f"{scene}-penalty-{k}-{step}") / solves(m, f"{scene}-merging-{ours}")
               for scene in CLOTHS for ours, step in pairs_of_steps(m) for k in tuned(m, step, (scene,)))


@claim("EQUAL-reference", kind="finding",
       states="the true shapes are true enough: distance of the reference from one of a tenth of the stiffness and with twice the step, over the least "
              "error of any run that is good, largest of three scenes",
       holds="< 0.5", because="the reference itself is nearer to the limit than the softer one is to it")
def reference(m):
    return max(shape_error(m, f"{scene}-softer") / min(shape_error(m, run) for method in methods(m) for run in runs_of(m, scene, method) if good(m, run))
               for scene in CLOTHS)


# ---- tuned penalties -----------------------------------------------------------------------------

@claim("M48-smaller-steps", kind="paper",
       states="problems of forces vanish with smaller steps: number of penalty stiffnesses that are good at both heights of Figure 3 with a "
              "step of 0.175 ms less that with 1.25 ms",
       holds="> 0", because="more is the statement")
def smaller_steps(m):
    steps = m.axis("step")
    return len(tuned(m, steps[-1])) - len(tuned(m, steps[0]))


@claim("EQUAL-cloth", kind="finding",
       states="tuned penalties are good at both heights of Figure 3 with as many solves as merging-and-splitting at its longest step: "
              "number of stiffnesses that are, of 6",
       holds="> 0", because="a count: one is enough")
def cloth(m):
    return len(tuned(m, m.axis("step")[1]))


@claim("EQUAL-heavy", kind="finding",
       states="tuned penalties are good under the heavy ball of Figure 7 with as many solves as merging-and-splitting at its longest "
              "step: number of stiffnesses that are, of 6",
       holds="> 0", because="a count: one is enough")
def heavy(m):
    return len(tuned(m, m.axis("step")[1], ("heavy",)))


claim("EQUAL-one-stiffness", kind="finding",
      states="one stiffness can be good in all three scenes, with as many solves as merging-and-splitting at one of its three longest "
             "steps: largest number of those that are, of 6",
      holds="> 0", because="a count: one is enough",
      value=lambda m: max(len(tuned(m, step, CLOTHS)) for _, step in pairs_of_steps(m)))
claim("EQUAL-shape", kind="finding",
      states="with as many solves merging-and-splitting's error of the shape of the cloth exceeds that of the best penalty by no more "
             "than its longer steps explain: largest ratio of the errors, both heights of Figure 3",
      holds="< 2", because="forces need one solve in a step, and have steps half as long; the error of backward Euler is of first order",
      value=lambda m: max(over_penalty(m, HEIGHTS)))


@claim("EQUAL-shape-heavy", kind="finding",
       states="under the heavy ball of Figure 7 the best penalty finds the better shape, as meta-particles make ball and cloth stick to "
              "each other: largest ratio of the errors",
       holds="> 1.5", because="half as much again: at both heights of Figure 3 it is less (EQUAL-shape)")
def shape_heavy(m):
    return max(over_penalty(m, ("heavy",)))


claim("EQUAL-untuned", kind="finding",
      states="merging-and-splitting, without a parameter, is good in all three scenes at every step: number of runs that are not",
      holds="== 0", because="a count of runs",
      value=lambda m: failures(m, ["merging"]))


# ---- stronger rivals -----------------------------------------------------------------------------

claim("EQUAL-impulse", kind="finding",
      states="impulses let particles through at the greater height however many solves they get: least number of particles, four steps",
      holds="> 0", because="a count of particles: one is enough",
      value=lambda m: min(m.summary("high-impulse-*", "penetrated_max")))


@claim("M48-implicit", kind="paper",
       states="problems of forces vanish when their size is solved for in an implicit system: number of runs with implicit penalties of 1e5 and 1e6 N/m, "
              "three scenes and four steps, that leak, are unstable or overlap by a quarter of a radius",
       holds="== 0", because="a count of runs")
def implicit(m):
    runs = [run for scene in CLOTHS for method in ("implicit-1e5", "implicit-1e6") for run in runs_of(m, scene, method)]
    return sum(not good(m, run) or overlap(m, run) >= DEPTH for run in runs)


@claim("EQUAL-implicit", kind="finding",
       states="an implicit penalty of 1e5 N/m, which needs one solve in most steps, finds the better shape in one of three scenes at "
              "least: largest ratio of the errors of merging-and-splitting to its, with as many solves",
       holds="> 1.5", because="half as much again, as under the heavy ball")
def over_implicit(m):
    return max(over_rival(m, "implicit-1e5"))


@claim("EQUAL-sliding", kind="finding",
       states="with as many solves sliding meta-particles find the shape no worse than the paper's: smallest ratio of the errors of the "
              "paper's to theirs, three scenes",
       holds="> 0.9", because="a tenth is no difference between methods whose errors differ by up to a factor of two")
def over_sliding(m):
    return min(over_rival(m, "sliding"))


claim("EQUAL-swept", kind="finding",
      states="with swept detection nothing overlaps, three scenes and four steps: largest overlap, radii",
      holds="< 1e-3", because="the solver's tolerance",
      value=lambda m: max(overlap(m, run) for scene in CLOTHS for run in runs_of(m, scene, "swept")))
claim("EQUAL-barrier", kind="finding",
      states="on the light ball's cloth a barrier's shape is worse with as many solves: smallest ratio of the errors of "
             "merging-and-splitting to its, three scenes",
      holds="< 0.8", because="a fifth: it takes about three solves in a step where merging-and-splitting takes two, which explains two "
                             "thirds",
      value=lambda m: min(over_rival(m, "barrier")))


@claim("EQUAL-iterated", kind="finding",
       states="impulses iterated to convergence need short steps, because velocities that do not approach at the start of a step may do "
              "so at its end: number of runs that leak or are unstable, of 12",
       holds="> 0", because="a count of runs: one is enough, as merging-and-splitting has none")
def iterated(m):
    return failures(m, ["iterated"])


@claim("EQUAL-corrected", kind="finding",
       states="with position correction most runs with impulses or penalties leak or are unstable, because what it moves out of overlap "
              "gains energy from the bonds: number of runs that do, of 24",
       holds="> 12", because="most is more than half")
def corrected(m):
    return failures(m, ["corrected-impulse", "corrected-penalty"])


# ---- the jet -------------------------------------------------------------------------------------

def jet_penalties(m):
    return [f"penalty-{k}" for k in m.axis("firm")]


@claim("EQUAL-jet-chance", kind="finding",
       states="under the jet of Figure 4, which is chaotic, the shape of the cloth does not tell methods apart: largest error of all "
              "methods that are good, over the distance between two references that begin a micrometer apart",
       holds="< 3", because="the largest of some thirty distances that are due to chance alone may be two or three times a single one")
def jet_chance(m):
    methods = [*m.axis("beside"), *jet_penalties(m)]
    errors = [shape_error(m, run) for method in methods for run in runs_of(m, "jet", method) if good(m, run)]
    return max(errors) / shape_error(m, "jet-reference-4")


claim("EQUAL-jet-untuned", kind="finding",
      states="merging-and-splitting and sliding contact are good under the jet at every step: number of runs that are not",
      holds="== 0", because="a count of runs",
      value=lambda m: failures(m, ["merging", "sliding", "swept"], ("jet",)))


@claim("EQUAL-jet", kind="finding",
       states="penalties near the limit of stability are good and overlap less than merging-and-splitting with as many solves: number of "
              "stiffnesses that do, of 5, penalties in steps of 0.08 ms and merging-and-splitting in steps of 0.16 ms",
       holds="> 0", because="a count: one is enough")
def jet(m):
    ours, step = m.axis("short")[:2]
    runs = [f"jet-{method}-{step}" for method in jet_penalties(m)]
    return sum(good(m, run) and overlap(m, run) < overlap(m, f"jet-merging-{ours}") for run in runs)


# ---- CPU times -----------------------------------------------------------------------------------

claim("EQUAL-time", kind="finding",
      states="in equal CPU time, too, the best penalty finds the better shape under the heavy ball: largest ratio of the errors of "
             "merging-and-splitting to its, three scenes",
      holds="> 1.5", because="half as much again, as with equal numbers of solves (EQUAL-shape-heavy); CPU times of a quiet machine "
                             "differ by less from measurement to measurement",
      value=lambda m: max(over_penalty(m, price=cpu)))


@claim("EQUAL-time-solve", kind="finding",
       states="a solve of merging-and-splitting takes no more CPU time than one of a penalty: ratio of the times of whole runs by solve, at its "
              "longest step, mean of three scenes",
       holds="< 1.5", because="half as much again: its first solve in a step is a whole one, of a step nearly twice as long")
def time_solve(m):
    ours, step = pairs_of_steps(m)[0]
    return mean(cpu(m, run) / solves(m, run) * solves(m, other) / cpu(m, other)
                for run, other in ((f"{scene}-merging-{ours}", f"{scene}-penalty-3e4-{step}") for scene in CLOTHS))


def iteration_ratio(m):
    """Iterations of merging-and-splitting at its longest step over those of the penalties compared with it, mean over both heights."""
    ours, step = pairs_of_steps(m)[0]
    return mean(iterations(m, f"{height}-merging-{ours}") / iterations(m, f"{height}-penalty-3e4-{step}") for height in HEIGHTS)


ledger_closes()
