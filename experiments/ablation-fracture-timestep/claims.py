"""Fragments against the time step: claims."""

from claims import claim, ledger_closes
from arithmetic import differences, mean, pairs, ratios, surely

STEPS = ["2e-4", "1.4e-4", "1e-4", "7e-5", "5e-5", "4e-5", "3e-5", "2e-5", "1e-5"]
FAST_STEPS = ["5e-5", "3e-5", "2e-5", "1.4e-5"]  # with waves five times as fast
STIFFNESSES = ["3e5", "1e6", "3e6", "7e6", "1e7", "3e7", "1e8", "3e8"]
FAST_STIFFNESSES = ["2e7", "3.5e7", "6e7", "1e8"]
PRESSURES = ["1e7", "1e9", "1e10"]
MASS = 0.008  # kg, of a particle of the wall
DEPTH = 0.25  # of a radius


def shallow(m, runs):
    return max(m.summary(runs, "depth_before")) < DEPTH


def good(m, runs):
    """Every sample is stable and overlaps by less than a quarter of the radius before the first through-crack."""
    return max(m.summary(runs, "unstable")) == 0 and shallow(m, runs)


def longest(m, runs, steps, stiffnesses=("",)):
    """The longest time step, in s, at which any stiffness is good; runs: with {step} and {stiffness}."""
    return max(float(step) for step in steps for stiffness in stiffnesses
               if good(m, runs.format(step=step, stiffness=stiffness)))


def longest_ours(m):
    return longest(m, "ms-euler-{step}-*", STEPS)


def longest_penalty(m):
    return longest(m, "penalty-{stiffness}-euler-{step}-*", STEPS, STIFFNESSES)


def penalties(m, key, chosen):
    """Of all samples of penalty forces of k and dt for which chosen(k dt^2) holds."""
    return [value for k in STIFFNESSES for step in STEPS if chosen(float(k) * float(step) * float(step))
            for value in m.summary(f"penalty-{k}-euler-{step}-*", key)]


def fragments(m, runs):
    return sum(m.summary(runs, "fragments"))


@claim("M25-ours", kind="paper",
       states="merging-and-splitting: longest time step, in s, at which it is stable and overlaps by less than a quarter of "
              "the radius before the first through-crack",
       holds=">= 1e-4", because="a fifth of the radius rule at this speed, and a thousand times the paper's step for penalties")
def step_ours(m):
    return longest_ours(m)


@claim("M25-penalty", kind="paper",
       states="penalty needs a time step near 1e-7: the longest, in s, at which any stiffness does so",
       holds="< 1e-6", because="near 1e-7: within a factor of ten",
       known="far longer steps do, if the stiffness is tuned for them; the longest goes as r / sqrt(c v), so that 1e-7 s takes particles of less than a tenth of a "
             "millimeter at this speed, even in glass")
def step_penalty(m):
    return longest_penalty(m)


@claim("M25-ratio", kind="paper",
       states="... orders of magnitude below merging-and-splitting: the ratio of the two",
       holds=">= 10", because="one order of magnitude at least",
       known="not if the stiffness is tuned for the step; it goes as sqrt(c / v), 5 here, so that a hundred takes speeds of "
             "0.2 m/s in glass")
def step_ratio(m):
    return longest_ours(m) / longest_penalty(m)


@claim("STEP-fast-penalty", kind="finding",
       states="... with waves five times as fast in wall and ball, penalty needs shorter steps: the longest, in s, where "
              "r / sqrt(c v) makes 2.2e-5 of 5e-5",
       holds="< 4e-5", because="between what the formula says and no change at all")
def step_fast_penalty(m):
    return longest(m, "penalty-{stiffness}-fast-{step}-*", FAST_STEPS, FAST_STIFFNESSES)


@claim("STEP-fast-ours", kind="finding",
       states="... merging-and-splitting does not", holds=">= 1e-4", because="the limit without fast waves")
def step_fast_ours(m):
    return longest(m, "ms-fast-{step}-*", ["2e-4", "1.4e-4", "1e-4"])


@claim("M25-sph", kind="paper",
       states="SPH-based forces of 1e7, 1e9 and 1e10 Pa: the longest step, in s",
       holds="< 1e-6", because="as for penalties", known="far longer steps do, with the stiffest of these")
def step_sph(m):
    return longest(m, "sph-{stiffness}-euler-{step}-*", STEPS, PRESSURES)


@claim("STEP-impulse-euler", kind="finding",
       states="impulses do not at any of these steps with an implicit integrator: the longest that does, in s",
       holds="== 0", because="none of the steps tried")
def step_impulse(m):
    return max([float(step) for step in STEPS if shallow(m, f"impulse-euler-{step}-*")] + [0])


@claim("STEP-impulse-verlet", kind="finding",
       states="... but do with an explicit one, at 2e-5 s and less: largest overlap in radii",
       holds="< 0.25", because="the limit of all methods here")
def depth_impulse_verlet(m):
    return max(m.summary("impulse-verlet-*", "depth_before"))


@claim("STEP-limit-below", kind="physics",
       states="penalty gains no energy up to a stiffness of 2 m / dt^2, m the mass of a particle of the wall",
       holds="< 0.01", because="a hundredth of the impact energy; beyond the limit it grows without bound")
def gain_below_limit(m):
    return max(penalties(m, "energy_gain", lambda kdt2: kdt2 < 2 * MASS * 1.01))


@claim("STEP-limit-beyond", kind="physics",
       states="... and is unstable beyond four times that, in every run", holds="== 1", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable_beyond_limit(m):
    return min(penalties(m, "unstable", lambda kdt2: kdt2 > 8 * MASS * 1.01))


@claim("DAMAGE-tuned", kind="finding",
       states="at the step of Figure 5 merging-and-splitting breaks more bonds than penalties of 1e6 and 7e6 N/m: what the mean of "
              "the difference is above with 95 % confidence, paired samples, over their mean",
       holds="> 0", because="the sign is the statement")
def more_damage(m):
    theirs = [mean(both) for both in pairs(m.summary("penalty-1e6-euler-5e-5-*", "broken_bonds"),
                                           m.summary("penalty-7e6-euler-5e-5-*", "broken_bonds"))]
    return surely(differences(m.summary("ms-euler-5e-5-*", "broken_bonds"), theirs)) / mean(theirs)


@claim("M24-step-energy", kind="paper",
       states="merging-and-splitting gains no energy, at any time step with any integrator",
       holds="< 1e-3", because="what the explicit integrators' energy swings by")
def energy_ours(m):
    return max(m.summary("ms-*", "energy_gain"))


THROWS = "the limit of the verdict on stability (docs/measures.md)"


@claim("M24-step-speed", kind="paper",
       states="... and throws nothing: largest 99.9th percentile of speed over what an elastic impact allows, backward Euler",
       holds="< 3", because=THROWS)
def speed_euler(m):
    return max(m.summary("ms-euler-*", "speed_ratio"))


@claim("M24-step-speed-any", kind="paper",
       states="... with any integrator", holds="< 3", because=THROWS)
def speed_any(m):
    return max(m.summary("ms-*", "speed_ratio"))


@claim("STEP-all-agree", kind="finding",
       states="at steps of 1e-6 and 2e-6 s all methods make the same number of fragments: the largest over the smallest of all samples",
       holds="< 1.5", because="the scatter of samples: two standard deviations up over two down")
def fragments_all(m):
    counts = m.summary("*-verlet-[12]e-6-*", "fragments")
    return max(counts) / min(counts)


@claim("STEP-converges", kind="finding",
       states="merging-and-splitting converges: a fifth of the step changes the mean number of fragments by",
       holds="< 0.2", because="two standard errors of means of three samples")
def fragments_converge(m):
    return abs(fragments(m, "ms-verlet-1e-6-*") / fragments(m, "ms-verlet-5e-6-*") - 1)


@claim("STEP-euler-converges", kind="finding",
       states="... and with backward Euler to the same: fragments at 5e-6 s over those of Verlet's method at 1e-6 s",
       holds="> 0.8", because="two standard errors of means of three samples")
def fragments_euler(m):
    return fragments(m, "ms-euler-5e-6-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-far-below", kind="finding",
       states="... from far below: at the step of Figure 5", holds="< 0.5", because="less than half, far beyond the scatter")
def fragments_coarse(m):
    return fragments(m, "ms-euler-5e-5-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-not-contact", kind="finding",
       states="... which is no matter of contact: penalties at that step over the same", holds="< 0.5", because="as above")
def fragments_penalty(m):
    coarse = m.summary("penalty-7e6-euler-5e-5-*", "fragments") + m.summary("penalty-1e6-euler-5e-5-*", "fragments")
    return max(coarse) / min(m.summary("ms-verlet-1e-6-*", "fragments"))


@claim("STEP-dissipation", kind="finding",
       states="... but of dissipation: Newmark's method, which has none, makes too many there",
       holds="> 1.2", because="two standard errors of means of three samples")
def fragments_newmark(m):
    return fragments(m, "ms-newmark-5e-5-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-little-energy", kind="finding",
       states="... of little energy: share of the impact energy that backward Euler dissipates there",
       holds="< 0.05", because="a twentieth changes no speed that one sees")
def dissipated(m):
    return max(ratios(m.summary("ms-euler-5e-5-*", "numerical"), m.summary("ms-euler-5e-5-*", "impact_kinetic")))


ledger_closes("fracture-timestep")
