"""Methods at equal cost, a ball that breaks a wall: claims. Costs are numbers of solves and, where a claim says so, CPU times, which
differ from measurement to measurement; a claim about them is skipped if the machine was busy."""

from arithmetic import max, mean, sum
from claims import claim

DEPTH = 0.25  # of a radius: the limit of Figure 5
SPEED = 3     # over that of the ball: likewise
BARRIERS = ("barrier-1e4", "barrier-1e6")


def samples_of(m, method, step):
    """All samples."""
    return [f"wall-{method}-{step}-{sample}" for sample in m.axis("sample")]


def mean_solves(m, runs):
    """How often bodies were integrated, which is a solve of a linear system each time: mean of samples."""
    return mean(sum(m.column(run, "stages")) for run in runs)


def mean_iterations(m, runs):
    """Of the linear solver, in all solves: mean of samples."""
    return mean(sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later")) for run in runs)


def depths(m, runs):
    """Overlaps before the first through-crack, radii."""
    return [m.summary(run, "depth_before")[0] for run in runs]


def passes(m, runs):
    """Every sample is stable, throws no particle, and overlaps little before the first through-crack."""
    speeds = [m.summary(run, "speed_max")[0] / m.setting(run, "bodies.ball.velocity")[0][0] for run in runs]
    stable = all(m.summary(run, "unstable")[0] == 0 and m.summary(run, "end")[0] == "complete" for run in runs)
    return stable and max(depths(m, runs)) < DEPTH and max(speeds) < SPEED


def steps_of(m, method):
    return m.axis("twice" if method in m.axis("method") else "once")


def bad_steps(m, method):
    """The number of steps at which a method does not pass all limits."""
    return sum(not passes(m, samples_of(m, method, step)) for step in steps_of(m, method))


def good_penalties(m, step):
    """The stiffnesses that pass all limits of Figure 5 with this step."""
    return [k for k in m.axis("firmness") if passes(m, samples_of(m, f"penalty-{k}", step))]


def middle(m):
    """Steps of 0.05 ms of merging-and-splitting, and those of forces with about as many solves."""
    return m.axis("twice")[1], m.axis("once")[1]


def ratio_at_middle(m, method, cost):
    """The cost of a method over that of merging-and-splitting, both in steps of 0.05 ms, or 0.025 ms where a step is one solve."""
    ours, single = middle(m)
    return cost(m, samples_of(m, method, single if method in m.axis("force") else ours)) / cost(m, samples_of(m, "merging", ours))


@claim("EQUAL-wall", kind="finding",
       states="tuned penalties pass the limits of Figure 5, too, with as many solves as merging-and-splitting at 0.05 ms: number of "
              "stiffnesses that do, of 4, three samples each",
       holds="> 0", because="a count: one is enough")
def tuned_at_wall(m):
    return len(good_penalties(m, middle(m)[1]))


claim("EQUAL-wall-untuned", kind="finding",
      states="merging-and-splitting passes them at every step: number of steps at which it does not",
      holds="== 0", because="a count of steps",
      value=lambda m: bad_steps(m, "merging"))
claim("EQUAL-wall-sliding", kind="finding",
      states="sliding meta-particles whose contacts are found at the start of a step do not, as a pair that has just parted is none "
             "when the compressed wall springs back: number of steps, of 3, at which one of three samples or more fails",
      holds="> 0", because="a count of steps: one is enough",
      value=lambda m: bad_steps(m, "sliding"))
claim("EQUAL-wall-swept-untuned", kind="finding",
      states="with swept detection they pass at every step: number of steps at which they do not",
      holds="== 0", because="a count of steps",
      value=lambda m: bad_steps(m, "swept"))
claim("EQUAL-wall-swept", kind="finding",
      states="with swept detection nothing overlaps before the wall falls apart: largest overlap, radii",
      holds="< 1e-3", because="the solver's tolerance",
      value=lambda m: max(max(depths(m, samples_of(m, "swept", step))) for step in m.axis("twice")))


@claim("M48-wall-implicit", kind="paper",
       states="problems of forces vanish when their size is solved for in an implicit system: number of pairs of stiffness and step, of 6, at which an "
              "implicit penalty does not pass the limits of Figure 5",
       holds="== 0", because="a count")
def implicit_at_wall(m):
    return sum(bad_steps(m, method) for method in ("implicit-1e7", "implicit-1e8"))


@claim("EQUAL-wall-implicit-work", kind="finding",
       states="but the stiffer one costs more than merging-and-splitting, because the system is worse conditioned: iterations of the "
              "solver of a penalty of 1e8 N/m over those of merging-and-splitting, both in steps of 0.05 ms",
       holds="> 1.5", because="half as much again: less would not matter for the choice")
def implicit_work(m):
    return ratio_at_middle(m, "implicit-1e8", mean_iterations)


claim("EQUAL-wall-barrier", kind="finding",
      states="barriers of 1e4 and 1e6 N/m pass them at every step: number of pairs of stiffness and step, of 6, at which they do not",
      holds="== 0", because="a count",
      value=lambda m: sum(bad_steps(m, method) for method in BARRIERS))


def debris(m, method, step):
    return mean(m.summary(run, "debris_fraction")[0] for run in samples_of(m, method, step))


@claim("EQUAL-wall-barrier-stiffness", kind="finding",
       states="but what the wall does depends on the barrier's stiffness, as a stiff one is a hammer in short steps: debris with 1e6 N/m "
              "over that with 1e4 N/m, steps of 0.025 ms",
       holds="> 2", because="twice: methods that pass the limits differ by as much")
def barrier_stiffness(m):
    step = m.axis("twice")[-1]
    return debris(m, "barrier-1e6", step) / debris(m, "barrier-1e4", step)


@claim("EQUAL-wall-barrier-solves", kind="finding",
       states="and takes more solves than merging-and-splitting in the same steps: their ratio at 0.05 ms",
       holds="> 2", because="twice as many is no matter of taste any more")
def barrier_solves(m):
    return ratio_at_middle(m, "barrier-1e4", mean_solves)


claim("EQUAL-wall-iterated", kind="finding",
      states="impulses iterated to convergence pass them with as many solves as merging-and-splitting at 0.05 ms: 1 if they do",
      holds="== 1", because="a verdict of 0 or 1",
      value=lambda m: int(passes(m, samples_of(m, "iterated", middle(m)[1]))))


@claim("EQUAL-wall-corrected", kind="finding",
       states="with position correction neither impulses nor penalties pass them, as pushed particles stretch their bonds: number of "
              "pairs of method and step, of 6, at which they do",
       holds="== 0", because="a count")
def corrected_at_wall(m):
    return sum(passes(m, samples_of(m, method, step)) for method in ("corrected-impulse", "corrected-penalty") for step in steps_of(m, method))


@claim("EQUAL-wall-time", kind="finding",
       states="a solve of merging-and-splitting takes no more CPU time than one of a penalty: ratio of the times of whole runs by solve, 0.05 ms and "
              "0.025 ms, 7e6 N/m",
       holds="< 1.5", because="half as much again")
def time_at_wall(m):
    ours, step = middle(m)
    mine, theirs = samples_of(m, "merging", ours), samples_of(m, "penalty-7e6", step)
    cost = [sum(m.cpu(run)[0] for run in runs) / sum(sum(m.column(run, "stages")) for run in runs) for runs in (mine, theirs)]
    return cost[0] / cost[1]
