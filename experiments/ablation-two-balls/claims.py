"""Two elastic balls: claims."""

from claims import claim, ledger_closes

OTHERS = ["equal", "heavy", "coarse"]
SPEEDS = [2, 10, 40]
STEPS = ["absolute", "relative", "short", "newmark"]
RUNS = [f"{other}-{speed}-{step}" for other in OTHERS for speed in SPEEDS for step in STEPS]


def depth(m, pattern):
    """The largest depth in each other so far, in radii of the smaller particle, of all runs of these names."""
    return max(m.summary(pattern, "overlap_depth_max"))


def restitution(m, run):
    """The speed with which the centers of mass part at the end over that with which they approached, along x."""
    parting = m.body(run, "right", "velocity_x")[-1] - m.body(run, "left", "velocity_x")[-1]
    return parting / float(run.split("-")[1])


def restitutions(m, step, speed="*"):
    return [restitution(m, run) for run in RUNS if run.endswith("-" + step) and speed in ("*", run.split("-")[1])]


@claim("TWO-BALLS-reported", kind="physics",
       states="balls that touch at the end are reported as sticking: runs in which they are not",
       holds="== 0", because="a count of runs: none may, as elastic balls part")
def unreported(m):
    return sum(m.last(run, "contacts")[0] > 0 and not m.summary(run, "sticking")[0] for run in RUNS)


@claim("TWO-BALLS-counted", kind="physics",
       states="... and so are centers inside other particles on the way: runs deeper than a radius without, or the reverse",
       holds="== 0", because="the same thing said twice, by different columns")
def uncounted(m):
    return sum((m.summary(run, "interlocked_steps")[0] > 0) != (depth(m, run) > 1) for run in RUNS)


@claim("TWO-BALLS-stable", kind="physics", states="no run is unstable, though particles of the light ball become fast",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("TWO-BALLS-first-relative", kind="physics",
       states="two particles head-on, from any distance, steps by relative motion: how deep they are when first found in touch, in radii",
       holds="<= 1", because="what the rule says, to the last bit: they were apart, and came nearer by a radius at most")
def first_relative(m):
    return m.measured("first-contact.relative")


@claim("TWO-BALLS-first-absolute", kind="physics", states="... steps by absolute motion",
       holds="<= 1", because="the same limit: beyond it a center lies in the other particle",
       known="two radii, a center on the other: each particle may move a radius")
def first_absolute(m):
    return m.measured("first-contact.absolute")


@claim("TWO-BALLS-shallower", kind="finding",
       states="at 40 m/s, equal particles: largest depth by relative over that by absolute motion",
       holds="< 1", because="the reason for the rule; runs that differ in rounding spread by some tenths")
def shallower(m):
    return max(depth(m, f"{other}-40-relative") / depth(m, f"{other}-40-absolute") for other in ("equal", "heavy"))


@claim("TWO-BALLS-absolute", kind="physics",
       states="balls of equal particles, steps by absolute motion: largest depth in radii, all speeds",
       holds="< 1", because="beyond it centers lie in other particles",
       known="at 40 m/s centers get into other particles, for a while or for good")
def absolute(m):
    return max(depth(m, "equal-*-absolute"), depth(m, "heavy-*-absolute"))


@claim("TWO-BALLS-coarse", kind="physics",
       states="radius ratio 5, steps by relative motion: largest depth in the smaller radius",
       holds="< 1", because="the same limit",
       known="at 40 m/s small particles get into large ones after their first contact: a wave does not pass a particle in a step, groups "
             "are full, and pairs stay unresolved")
def coarse(m):
    return depth(m, "coarse-*-relative")


@claim("TWO-BALLS-short", kind="physics", states="short steps: largest depth in the smaller radius, all balls and speeds",
       holds="< 0.25", because="a quarter of a radius, as in Figures 5 and 6; the measured depths are a third of it")
def short(m):
    return max(depth(m, "*-short"), depth(m, "*-newmark"))


@claim("TWO-BALLS-sticking", kind="physics", states="steps by relative motion: pairs of balls that stick",
       holds="== 0", because="a count of runs: elastic balls part",
       known="at 40 m/s the light ball stays on the heavy one; with short steps it comes off")
def sticking(m):
    return sum(m.summary("*-relative", "sticking"))


@claim("TWO-BALLS-apart", kind="physics", states="... with short steps", holds="== 0", because="a count of runs: elastic balls part")
def apart(m):
    return sum(m.summary("*-short", "sticking")) + sum(m.summary("*-newmark", "sticking"))


@claim("TWO-BALLS-euler", kind="physics",
       states="backward Euler: largest share of the energy of the impact that the integrator dissipates",
       holds="< 0.1", because="the share that ms-simulate warns of: a twentieth of the speed after the impact",
       known="a fifth to two fifths at the longest step, and hardly less at shorter ones: it damps the vibrations that an impact "
             "excites")
def euler(m):
    return max(m.summary("*-relative", "numerical_share") + m.summary("*-short", "numerical_share"))


@claim("TWO-BALLS-newmark", kind="physics", states="Newmark's method: the same, absolute", holds="< 1e-9",
       because="rounding: it dissipates nothing")
def newmark(m):
    return max(abs(share) for share in m.summary("*-newmark", "numerical_share"))


ledger_closes("two-balls")
