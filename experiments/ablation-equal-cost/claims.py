"""Methods at equal cost: claims."""

from claims import claim, ledger_closes
from arithmetic import mean

HEIGHTS = ("low", "high")
DEPTH = 0.25  # of a radius: the limit of Figure 5
SPEED = 3     # over the impact speed: likewise
MINE = "merging"


def solves(m, run):
    """How often the elastic bodies were integrated, which is a solve of a linear system each time."""
    return sum(m.column(run, "stages"))


def iterations(m, run):
    """Of the linear solver, in all solves."""
    return sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later"))


def good_cloth(m, run):
    """No particle gets through, and the run is stable."""
    return m.summary(run, "penetrated_max")[0] == 0 and not m.summary(run, "unstable")[0]


def shape_error(m, run):
    """The largest rms distance of the cloth from that of the reference until the latter is deepest, over the rms displacement it has then."""
    name = run.replace("cloth-", "shape-", 1)
    apart, moved = m.distance(name, "rms"), m.distance(name, "moved_b")
    deepest = moved.index(max(moved))
    return max(apart[:deepest + 1]) / moved[deepest]


def good_wall(m, runs):
    """Every sample is stable, throws no particle, and overlaps little before the first through-crack."""
    speeds = [fast / impact for fast, impact in zip(m.summary(runs, "speed_max"), m.summary(runs, "impact_speed"))]
    return max(m.summary(runs, "unstable")) == 0 and max(m.summary(runs, "depth_before")) < DEPTH and max(speeds) < SPEED


def pairs_of_steps(m):
    """(step of merging-and-splitting, step of forces) with about as many solves."""
    return list(zip(m.axis("ours"), m.axis("step")[1:]))


def tuned(m, step):
    """The penalty stiffnesses that are good at both heights with this step."""
    return [k for k in m.axis("stiffness") if all(good_cloth(m, f"cloth-{height}-penalty-{k}-{step}") for height in HEIGHTS)]


def best(m, height, step):
    """The least error of the shape with a stiffness that is good at both heights."""
    return min(shape_error(m, f"cloth-{height}-penalty-{k}-{step}") for k in tuned(m, step))


def over_best(m):
    """Error of the shape over that with the best penalty of about as many solves: of each height and step."""
    return [shape_error(m, f"cloth-{height}-{MINE}-{ours}") / best(m, height, step) for height in HEIGHTS for ours, step in pairs_of_steps(m)]


def iteration_ratio(m):
    """Iterations of merging-and-splitting at its longest step over those of the penalties compared with it, mean over both heights."""
    ours, step = pairs_of_steps(m)[0]
    return mean(iterations(m, f"cloth-{height}-{MINE}-{ours}") / iterations(m, f"cloth-{height}-penalty-3e4-{step}") for height in HEIGHTS)


def good_walls(m):
    """(stiffness, step) of the penalties that pass all limits of Figure 5."""
    return [(k, step) for k in m.axis("hard") for step in m.axis("short") if good_wall(m, f"wall-penalty-{k}-{step}-?")]


@claim("EQUAL-solves", kind="finding",
       states="forces get at most as many solves as merging-and-splitting in each comparison: largest ratio",
       holds="< 1.1", because="steps are shared evenly between frames, so that their number cannot be chosen exactly")
def equal(m):
    return max(solves(m, f"cloth-{height}-penalty-{k}-{step}") / solves(m, f"cloth-{height}-{MINE}-{ours}")
               for height in HEIGHTS for ours, step in pairs_of_steps(m) for k in tuned(m, step))


@claim("M48-smaller-steps", kind="paper",
       states="problems of forces vanish with smaller steps: number of penalty stiffnesses that are good at both heights of Figure 3 with a "
              "step of 0.175 ms less that with 1.25 ms",
       holds="> 0", because="more is the statement")
def smaller_steps(m):
    steps = m.axis("step")
    return len(tuned(m, steps[-1])) - len(tuned(m, steps[0]))


@claim("EQUAL-cloth", kind="finding",
       states="no penalty stiffness is good at both heights of Figure 3 with as many solves as merging-and-splitting at its longest step: number "
              "of those that are, of 5",
       holds="== 0", because="a count: the comparison of Figure 3 at equal cost rather than equal step",
       known="some are, around 3e4 N/m")
def cloth(m):
    return len(tuned(m, m.axis("step")[1]))


@claim("EQUAL-shape", kind="finding",
       states="with as many solves merging-and-splitting finds the shape of the cloth as well as the best of these: largest ratio of the errors, "
              "both heights, three steps",
       holds="< 1", because="as well is the statement",
       known="at the low height the error is larger by up to a third, at the high one smaller or the same: most of it is the integrator's, "
             "and forces, which need one solve in a step, have the shorter steps")
def shape(m):
    return max(over_best(m))


@claim("EQUAL-untuned", kind="finding",
       states="merging-and-splitting, without a parameter, is good at both heights at every step: number of runs that are not",
       holds="== 0", because="a count of runs")
def untuned(m):
    return sum(not good_cloth(m, run) for run in m.sweep(f"cloth-{{height}}-{MINE}-{{ours}}"))


@claim("EQUAL-impulse", kind="finding",
       states="impulses let particles through at the greater height however many solves they get: least number of particles, four steps",
       holds="> 0", because="a count of particles: one is enough")
def impulse(m):
    return min(m.summary("cloth-high-impulse-*", "penetrated_max"))


@claim("EQUAL-wall", kind="finding",
       states="no penalty stiffness passes the limits of Figure 5 with as many solves as merging-and-splitting at 0.05 ms: number of those "
              "that do, of 4, three samples each",
       holds="== 0", because="a count: the comparison of Figure 5 at equal cost rather than equal step",
       known="two do, tuned to just below the limit of stability of this step")
def wall(m):
    return sum(step == m.axis("short")[1] for _, step in good_walls(m))


@claim("EQUAL-wall-untuned", kind="finding",
       states="merging-and-splitting passes them at every step: number of steps at which it does not",
       holds="== 0", because="a count of steps")
def wall_untuned(m):
    return sum(not good_wall(m, f"wall-{MINE}-{step}-?") for step in m.axis("long"))


ledger_closes("equal-cost")
