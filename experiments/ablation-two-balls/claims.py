"""Two elastic balls: claims."""

from arithmetic import mean
from claims import claim, ledger_closes, none_unstable

RUNS = "{other}-{speed}-{step}"


def depth(m, pattern):
    """The largest overlap at any time in all runs that match, in radii of the smaller particle."""
    return max(m.summary(pattern, "overlap_depth_max"))


def approach(m, run):
    """The speed with which they approached, along x, m/s."""
    return m.setting(run, "bodies.left.velocity")[0][0] - m.setting(run, "bodies.right.velocity")[0][0]


def restitution(m, run):
    """The speed at which the centers of mass part at the end over that at which they approached, along x."""
    parting = m.body(run, "right", "velocity_x")[-1] - m.body(run, "left", "velocity_x")[-1]
    return parting / approach(m, run)


claim("TWO-BALLS-reported", kind="physics",
      states="balls that touch at the end are reported as sticking: number of runs in which they are not",
      holds="== 0", because="a count of runs: none is allowed, because elastic balls part",
      value=lambda m: sum(m.last(run, "contacts")[0] > 0 and not m.summary(run, "sticking")[0] for run in m.sweep(RUNS)))
claim("TWO-BALLS-counted", kind="physics",
      states="centers inside other particles are reported: number of runs deeper than a radius without a report, or the reverse",
      holds="== 0", because="two columns measure the same thing and must agree",
      value=lambda m: sum((m.summary(run, "interlocked_steps")[0] > 0) != (depth(m, run) > 1) for run in m.sweep(RUNS)))
none_unstable("TWO-BALLS-stable", kind="physics",
              states="no run is unstable, although particles of the light ball become fast")
claim("TWO-BALLS-first-relative", kind="physics",
      states="steps limited by relative motion, two particles head-on from any distance: depth when they are first found in "
             "contact, radii",
      holds="<= 1", because="the rule itself, to the last bit: they were apart and approached by at most a radius",
      value=lambda m: m.measured("first-contact.relative"))
claim("TWO-BALLS-first-absolute", kind="physics",
      states="steps limited by absolute motion, two particles head-on from any distance: depth when they are first found in "
             "contact, radii",
      holds="<= 1", because="the same limit: beyond it a center lies in the other particle",
      known="two radii, center on center, because each particle may move a radius",
      value=lambda m: m.measured("first-contact.absolute"))
claim("TWO-BALLS-shallower", kind="finding",
      states="limiting relative motion reduces the overlap at 40 m/s, balls of equal particles: largest depth over that with "
             "absolute motion, mean of two balls",
      holds="< 1", because="the reason for the rule; of one ball, runs that differ in rounding differ by some tenths",
      value=lambda m: mean(depth(m, f"{other}-40-relative") / depth(m, f"{other}-40-absolute") for other in ("equal", "heavy")))
claim("TWO-BALLS-beyond", kind="finding",
      states="at 40 m/s velocities rise within a step, so that either rule is exceeded: largest displacement in a step relative to each "
             "other of particles that were near a touch, radii of the smaller, largest of three balls, lesser of both rules",
      holds="> 1", because="the limit of our rule, by the velocities at the start of a step",
      value=lambda m: min(max(m.summary(f"*-40-{rule}", "relative_displacement_max")) for rule in ("relative", "absolute")))
claim("TWO-BALLS-absolute", kind="physics",
      states="steps limited by absolute motion, balls of equal particles: largest depth at any speed, radii",
      holds="< 1", because="beyond it centers lie in other particles",
      known="at 40 m/s centers enter other particles, for a while or for good",
      value=lambda m: max(depth(m, "equal-*-absolute"), depth(m, "heavy-*-absolute")))
claim("TWO-BALLS-coarse", kind="physics",
      states="steps limited by relative motion, radius ratio 5: largest depth at any speed, smaller radii",
      holds="< 1", because="the same limit",
      known="at 40 m/s small particles enter large ones after their first contact: a wave takes less than a step through a "
            "particle, meta-particles are full, and pairs remain unresolved",
      value=lambda m: depth(m, "coarse-*-relative"))
claim("TWO-BALLS-short", kind="physics",
      states="short steps, all balls and speeds: largest depth, smaller radii",
      holds="< 0.25", because="a quarter of a radius, as in Figures 5 and 6; the depths found are a third of it",
      value=lambda m: max(depth(m, "*-short"), depth(m, "*-newmark")))
claim("TWO-BALLS-sticking", kind="physics",
      states="steps limited by relative motion: number of runs in which the balls stick",
      holds="== 0", because="a count of runs: elastic balls part",
      known="at 40 m/s the light ball stays on the heavy one",
      value=lambda m: sum(m.summary("*-relative", "sticking")))
claim("TWO-BALLS-apart", kind="physics",
      states="short steps: number of runs in which the balls stick, without the light ball that is hit at 40 m/s with backward Euler "
             "(the next claim)",
      holds="== 0", because="a count of runs: elastic balls part",
      value=lambda m: sum(m.summary(run, "sticking")[0] for run in m.sweep(RUNS) if run.endswith(("-short", "-newmark")) and run != "heavy-40-short"))
claim("TWO-BALLS-caught", kind="finding",
      states="with backward Euler a particle of the light ball is caught, at 10 and at 40 m/s, so that chance decides whether it gets away: "
             "larger restitution of both over that with Newmark's method at 10 m/s",
      holds="< 0.3", because="five times the scatter above the mean of runs that differ by rounding, which is 0.1",
      value=lambda m: max(restitution(m, f"heavy-{speed}-short") for speed in (10, 40)) / restitution(m, "heavy-10-newmark"))
claim("TWO-BALLS-euler", kind="physics",
      states="backward Euler has little numerical dissipation: largest fraction of the impact energy",
      holds="< 0.1", because="the fraction of which ms-simulate warns: a twentieth of the speed after the impact",
      known="a fifth to two fifths at the longest step, and hardly less at shorter ones, because it damps the vibrations that an "
            "impact excites",
      value=lambda m: max(m.summary("*-relative", "numerical_dissipation_fraction") + m.summary("*-short", "numerical_dissipation_fraction")))
claim("TWO-BALLS-newmark", kind="physics",
      states="Newmark's method has no numerical dissipation: largest fraction of the impact energy, absolute value",
      holds="< 1e-9", because="rounding: the method dissipates nothing",
      value=lambda m: max(abs(fraction) for fraction in m.summary("*-newmark", "numerical_dissipation_fraction")))
claim("TWO-BALLS-gain", kind="physics",
      states="merging-and-splitting makes no energy: the largest gain of any run over the energy that was available",
      holds="< 1e-9", because="rounding, as in the ledger",
      value=lambda m: max(m.summary("*", "energy_gain")))
ledger_closes()
