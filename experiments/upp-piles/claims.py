"""Stacks and piles of bodies under corrections of positions: claims."""

import math

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes

SYMMETRY = "without a disturbance nothing pushes sideways and the values are those of an exact column; a nudge lets it fall (STACK-falls)"
SLOW = 0.02  # m/s: a stack whose bodies move by less than that, root mean square, is at rest


def heights(m, run, body="cube-10"):
    """Of the center of a body of a stack, over time, m."""
    return m.body(run, body, "z")


def compression(m, run, bodies=10):
    """How much lower the center of the highest body of a stack stands than at rest, mean of the second half of the run, %."""
    z = heights(m, run, f"cube-{bodies}")
    return 100 * (1 - mean(z[len(z) // 2:]) / (0.2 * bodies - 0.1))


def speeds(m, run, bodies=10):
    """(time, root mean square of the speed with which all particles move), step by step; a body weighs 8 kg."""
    return [(t, math.sqrt(2 * k / (8 * bodies))) for t, k in zip(m.column(run, "time"), m.column(run, "kinetic_of_motion"))]


def time_to_rest(m, run):
    return max(t for t, v in speeds(m, run) if v > SLOW)


def falls(values):
    """The largest ratio of a value to the one before it: below 1 if each is less."""
    return max(b / a for a, b in zip(values, values[1:]))


# ---- Figure 10 ------------------------------------------------------------------------------------------


@claim("U47-compressed", kind="unified",
       states="without scaled masses a stack of ten is compressed with two iterations: by how much, %, less 7, without sign",
       holds="< 1", because="7.14 % is its rest (STACK-closed); the paper shows as much in its Figure 10 and gives no number",
       scatter=SYMMETRY)
def compressed(m):
    return abs(compression(m, "stack-2-k0") - 7)


@claim("U47-moves", kind="unified",
       states="... and is not at rest after 7 s: largest root mean square of speed from then on, m/s", holds=f"> {SLOW}", because="2 % of a body's height in 0.2 s can be seen",
       scatter=SYMMETRY)
def moves(m):
    return max(v for t, v in speeds(m, "stack-2-k0") if t >= 7)


@claim("U48-less", kind="unified",
       states="with scaled masses (k = 3 1/m) it is compressed less: compression without over that with them", holds=">= 1.3", because="clearly less: a quarter",
       scatter=SYMMETRY)
def less(m):
    return compression(m, "stack-2-k0") / compression(m, "stack-2-k3")


@claim("U48-sooner", kind="unified",
       states="... and is at rest sooner: time without over time with them", holds="> 1.2", because="clearly sooner: a sixth of the time",
       scatter=SYMMETRY)
def sooner(m):
    return time_to_rest(m, "stack-2-k0") / time_to_rest(m, "stack-2-k3")


@claim("U46-less", kind="unified",
       states="k from 1 to 5 serves: the largest ratio of compressions for k = 0, 1, 2, 3, 5 1/m, each over the one before, four iterations", holds="< 1", because="each is less",
       scatter=SYMMETRY)
def all_less(m):
    return falls([compression(m, f"stack-4-k{k}") for k in m.axis("k")])


@claim("U46-rest", kind="unified",
       states="... and all are at rest within 10 s: the longest time, s", holds="< 10", because="the length of the paper's film of it",
       scatter=SYMMETRY)
def all_rest(m):
    return max(time_to_rest(m, f"stack-4-k{k}") for k in m.axis("k"))


def responses(m):
    """What the lowest cube feels of one that falls on the highest: the largest difference of its height, over that without scaled masses."""
    found = []
    for k in m.axis("scale"):
        hit, calm = (heights(m, f"{way}-k{k}", "cube-1") for way in ("hit", "calm"))
        found.append(max(abs(a - b) for a, b in zip(hit, calm)))
    return [value / found[0] for value in found]


@claim("U49-falls", kind="unified",
       states="with too large a k lower bodies no longer respond to what falls on them: how far the lowest of ten gives way, over that for k = 0, k = 40 1/m",
       holds="< 0.05", because="over a body's height masses differ by exp(-8)",
       scatter=SYMMETRY)
def deaf(m):
    return responses(m)[-1]


@claim("U49-monotonic", kind="unified",
       states="... and the less the larger k: the largest ratio of this for k = 0, 1, 3, 5, 10, 20, 40, each over the one before", holds="< 1", because="each is less",
       scatter=SYMMETRY)
def deafer(m):
    return falls(responses(m))


def run_of(bodies, times):
    return f"stack-{times}-k0" if bodies == 10 else f"tall-{bodies}-{times}"


@claim("U44-height", kind="unified",
       states="large piles need many iterations: the largest ratio of the compressions of stacks of 20, 10, 5 and 2 bodies, each over the higher one, 4 to 16 iterations",
       holds="< 1", because="each is less",
       scatter=SYMMETRY)
def lower(m):
    return max(falls([compression(m, run_of(bodies, times), bodies) for bodies in (20, 10, 5, 2)]) for times in ("4", "8", "16"))


@claim("U44-iterations", kind="unified",
       states="... and less with more of them: the largest ratio of the compressions with 2, 4, 8 and 16, each over that with half as many, 2, 5 and 10 bodies",
       holds="< 1", because="each is less",
       scatter=SYMMETRY)
def more_iterations(m):
    return max(falls([compression(m, run_of(bodies, times), bodies) for times in ("2", "4", "8", "16")]) for bodies in (2, 5, 10))


@claim("U24-stack", kind="unified",
       states="without a remedy stacks are unstable: root mean square of speed of the stack of ten with 32 iterations from 8 s on, the largest, m/s",
       holds=f"> {SLOW}", because="it does not come to rest",
       known="it is at rest before half a second has passed: bodies begin in touch and not inside each other, and the more iterations there are the sooner it rests. What "
             "makes stacks unstable is that they are aside of each other, or friction (STACK-falls)",
       scatter=SYMMETRY)
def restless(m):
    return max(v for t, v in speeds(m, "stack-32-k0") if t >= 8)


@claim("STACK-reported", kind="finding",
       states="with a stabilization iteration the velocities of a stack at rest are not 0, because they count from where stabilization put its particles: root mean square of "
              "velocities over that of what moves in the last second, four iterations, the least of a step",
       holds="> 10", because="it moves ten times less than it says",
       scatter=SYMMETRY)
def reported(m):
    said, moved, times = (m.column("stabilized-4", name) for name in ("kinetic", "kinetic_of_motion", "time"))
    return min(math.sqrt(a / b) if b > 0 else math.inf for a, b, t in zip(said, moved, times) if t > 9)


@claim("STACK-four", kind="finding",
       states="four iterations: compression of the stack of ten, %, less 3.6, without sign", holds="< 0.4", because="3.56 % is its rest (STACK-closed), and a tenth of it",
       scatter=SYMMETRY)
def four(m):
    return abs(compression(m, "stack-4-k0") - 3.6)


@claim("STACK-short", kind="finding",
       states="four steps of one iteration: compression, %, less 0.9, without sign", holds="< 0.1", because="0.89 % (STACK-closed), a quarter of that of one step of four iterations, which costs as much",
       scatter=SYMMETRY)
def short(m):
    return abs(compression(m, "short-4") - 0.9)


def closed_form(bodies, iterations, step):
    """At rest, %: the floor bears all, a contact between bodies takes half of its depth from either, and an iteration moves a body by a
    quarter of what its lowest layer moves by (`STACK-chain` in upp-theory), so that load times depth adds up to bodies^2."""
    depth = 9.81 * step ** 2 * (4 * bodies ** 2 / iterations - (iterations + 1) / (2 * iterations))
    return 100 * depth / (0.2 * bodies - 0.1)


@claim("STACK-closed", kind="finding",
       states="a stack of h cubes is lower by g dt^2 (N / b h^2 / m - (m + 1) / 2 m) at rest, b of N particles in a layer, m iterations: largest relative difference of those that rest "
              "within 5 s, h = 5, 10 with m = 4, 8, 16, h = 20 with m = 16, and ten in short steps of one",
       holds="< 1e-3", because="higher terms are below a ten thousandth here",
       scatter=SYMMETRY)
def closed(m):
    step = m.setting("stack-4-k0", "time.max_step")[0]
    stacks = [(run_of(bodies, str(n)), bodies, n, step) for bodies, n in ((5, 4), (5, 8), (5, 16), (10, 4), (10, 8), (10, 16), (20, 16))]
    stacks += [(f"short-{n}", 10, 1, step / n) for n in (4, 8)]
    return max(abs(compression(m, run, bodies) / closed_form(bodies, n, dt) - 1) for run, bodies, n, dt in stacks)


@claim("STACK-ratio", kind="finding",
       states="n steps of one iteration compress it n times less than one step of n: the least ratio over n, n = 4 and 8", holds=">= 0.8",
       because="errors fall with the square of the step and with the number of iterations; four fifths of n",
       scatter=SYMMETRY)
def ratio(m):
    return min(compression(m, f"stack-{n}-k0") / compression(m, f"short-{n}") / n for n in (4, 8))


# ---- what the figure does not show ------------------------------------------------------------------------


@claim("STACK-falls", kind="finding",
       states="bodies made of spheres that stand exactly on each other do not stand: height of the highest of ten after 10 s, over that at rest, where each is aside by up "
              "to 1e-8 m, and where friction acts (position.friction: position), the larger",
       holds="< 0.5", because="it lies on the floor",
       scatter="it falls within two seconds of ten")
def fallen(m):
    return max(heights(m, run)[-1] / 1.9 for run in ("disturbed", "rough"))


def aside(m, run):
    """How far the highest of ten moves across in a run, m."""
    return max(max(way) - min(way) for way in (m.body(run, "cube-10", axis) for axis in "xy"))


def time_to_fall(m, run):
    """When the highest of ten is first below half of its height, s."""
    return next(t for t, z in zip(m.body(run, "cube-10", "time"), heights(m, run)) if z < 0.95)


def stands(bodies, stiffness):
    """Whether a column of bodies does not buckle under its own weight, on joints of a stiffness over the weight and the height of a body (that on the floor is twice as
    stiff): whether the second variation of its energy, a matrix with three diagonals, has positive pivots."""
    joints, pivots = [2 * stiffness, *[stiffness] * (bodies - 1), 0], [math.inf]
    for below, above, borne in zip(joints, joints[1:], range(bodies, 0, -1)):
        pivots.append(below + above - (borne - 0.5) - below ** 2 / pivots[-1])
    return min(pivots) > 0


def joint(m, run):
    """The stiffness of a joint of cubes of 4^3: a contact presses with half the mass of a particle times m / dt^2 times its depth, and there are four at 75 and four at 25 mm
    on either side."""
    iterations, step = m.setting(run, "position.iterations")[0], m.setting(run, "time.max_step")[0]
    return iterations / (2 * 9.81 * step ** 2) * (0.075 ** 2 + 0.025 ** 2) / 2 / 4 / 0.2


@claim("STACK-buckles", kind="finding",
       states="friction that is kept holds the stack, aside by up to 1e-8 m, unless it buckles: of 4 and 32 iterations, and 480 and 960 steps of one per second, how many "
              "contradict the stability of a column on joints as stiff as their contacts: the highest moves across by more than 1e-8 m in 15 s and should not, or the other way round",
       holds="== 0", because="a count")
def buckles(m):
    return sum(stands(10, joint(m, run)) != (aside(m, run) < 1e-8) for run in (f"kept-{way}" for way in m.axis("stiff")))


@claim("STACK-stands", kind="finding",
       states="... so that 960 steps of one iteration hold it: how far the highest moves across in 15 s, m", holds="< 1e-8", because="less than what it is aside by: nothing grows",
       scatter="a thousandth of the bound")
def held(m):
    return aside(m, "kept-960")


# ---- Figure 9 ---------------------------------------------------------------------------------------------


def late(m, run, name):
    """A column of the last fifth of a run, a second of a pile."""
    times = m.column(run, "time")
    return [v for t, v in zip(times, m.column(run, name)) if t > 0.8 * times[-1]]


def overlap(m, setting):
    return mean(mean(late(m, f"pile-{setting}-{seed}", "overlap_mean")) for seed in m.axis("seed"))


def motion(m, setting):
    return mean(mean(late(m, f"pile-{setting}-{seed}", "kinetic_of_motion")) for seed in m.axis("seed"))


def last_of(m, run, name):
    """Of each body in the last frame."""
    times = m.table(run, "bodies.csv", "time")
    return [v for t, v in zip(times, m.table(run, "bodies.csv", name)) if t == times[-1]]


def height(m, setting):
    return mean(mean(last_of(m, f"pile-{setting}-{seed}", "z")) for seed in m.axis("seed"))


@claim("U42-floor", kind="unified",
       states="bodies of 44 particles that are not convex pile up with two steps of two iterations in 16 ms, and none is below the floor: least height of a body's center, m, "
              "96 bodies, three seeds",
       holds="> 0", because="the floor is at 0")
def above_floor(m):
    return min(v for seed in m.axis("seed") for v in last_of(m, f"pile-2x2-{seed}", "z"))


@claim("U42-stable", kind="unified", states="... and it is stable", holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def stable_pile(m):
    return max(m.summary("pile-2x2-*", "unstable"))


@claim("PILE-height", kind="finding",
       states="but the pile is far too low, because bodies lie in each other: mean height of the bodies after 5 s, over that with two steps of eight", holds="< 0.8",
       because="a fifth of the pile is gone")
def low_pile(m):
    return height(m, "2x2") / height(m, "2x8")


@claim("PILE-floor", kind="finding",
       states="... and particles lie in the floor: how far below it the lowest center of a particle is after 5 s, the farthest of three seeds, m", holds="> 0.001",
       because="a twentieth of a radius; at rest it would be a radius above the floor")
def in_floor(m):
    return max(-z for seed in m.axis("seed") for z in last_of(m, f"pile-2x2-{seed}", "min_z"))


@claim("PILE-short", kind="finding",
       states="eight steps of one iteration cost as much as two of four, and bodies are less in each other: mean overlap in the last second, the first over the second",
       holds="< 0.5", because="less than half")
def short_pile(m):
    return overlap(m, "8x1") / overlap(m, "2x4")


@claim("PILE-splitting", kind="finding",
       states="masses that are split among contacts keep momentum and are softer: mean overlap with them over that with averages, two steps of two iterations",
       holds="> 1", because="more is the statement")
def soft_pile(m):
    return overlap(m, "splitting-2x2") / overlap(m, "2x2")


@claim("PILE-kept", kind="finding",
       states="friction that is kept calms the pile, in eight steps of one iteration: mean kinetic energy in the last second, over that with friction within steps",
       holds="< 0.5", because="less than half")
def calm_pile(m):
    return motion(m, "kept-8x1") / motion(m, "8x1")


@claim("U46-pile", kind="unified",
       states="k = 3 1/m serves in piles: mean height of the bodies with it over that without, two steps of two iterations", holds="> 1", because="more is less compressed")
def scaled_pile(m):
    return height(m, "k3-2x2") / height(m, "2x2")


def drift(m, run):
    """The largest way of a body from 30 s to 60 s, m."""
    bodies, times = m.table(run, "bodies.csv", "body"), m.table(run, "bodies.csv", "time")
    at = {(b, t): place for b, t, *place in zip(bodies, times, *(m.table(run, "bodies.csv", axis) for axis in "xyz"))}
    last = times[-1]
    return max(math.dist(at[b, last], at[b, t]) for b, t in at if t >= 30)


@claim("U28-awake", kind="unified",
       states="constraints that have not converged make what is at rest drift: the largest way of one of 27 bodies from 30 s to 60 s, m", holds="> 1e-3", because="a twentieth of a radius can be seen",
       scatter="twenty times the bound")
def awake(m):
    return drift(m, "rest-awake")


@claim("U28-asleep", kind="unified",
       states="... and a speed below which particles stay where they are (0.1 m/s) stops it: the same", holds="== 0", because="what sleeps does not move by a bit")
def asleep(m):
    return drift(m, "rest-asleep")


ledger_closes()
