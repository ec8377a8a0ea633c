"""Fragments against the time step: claims."""

from arithmetic import differences, max, mean, min, pairs, ratios, sum, surely
from claims import claim, ledger_closes

DEPTH = 0.25  # of a radius


def shallow(m, runs):
    return max(m.summary(runs, "depth_before")) < DEPTH


def good(m, runs):
    """Every sample is stable and overlaps by less than a quarter of a radius before the first through-crack."""
    return max(m.summary(runs, "unstable")) == 0 and shallow(m, runs)


def longest(m, runs, steps, stiffnesses=("",)):
    """The longest time step, in s, at which any stiffness is good; runs: with {step} and {stiffness}."""
    chosen = [runs.format(step=step, stiffness=stiffness) for step in steps for stiffness in stiffnesses]
    return max(m.setting(samples, "time.max_step")[0] for samples in chosen if good(m, samples))


def stiffnesses(m):
    return m.axis("stiffness") + m.axis("other")


def longest_ours(m):
    return longest(m, "ms-euler-{step}-*", m.axis("step"))


def longest_penalty(m):
    return longest(m, "penalty-{stiffness}-euler-{step}-*", m.axis("step"), stiffnesses(m))


def penalties(m, key, chosen):
    """The values of all samples with penalty forces whose k dt^2 / m satisfies chosen(k dt^2 / m), m of a particle of the wall."""
    runs = m.sweep("penalty-{stiffness}-euler-{step}-{sample}") + m.sweep("penalty-{other}-euler-{step}-{first}")
    return [value for run in runs if chosen(stiffness_by_limit(m, run)) for value in m.summary(run, key)]


def stiffness_by_limit(m, run):
    """k dt^2 / m."""
    k, dt, density, radius = (m.setting(run, key)[0] for key in ("contact.stiffness", "time.max_step", "bodies.wall.density", "bodies.wall.radius"))
    return k * dt * dt / (density * (2 * radius) ** 3)


def fragments(m, runs):
    return sum(m.summary(runs, "fragments"))


claim("M25-ours", kind="paper",
      states="longest time step, s, at which merging-and-splitting is stable and overlaps by less than a quarter of a radius "
             "before the first through-crack",
      holds=">= 1e-4", because="a fifth of the radius rule at this speed, and a thousand times the paper's step for penalties",
      value=lambda m: longest_ours(m))
claim("M25-penalty", kind="paper",
      states="penalty forces need a time step near 1e-7 s: longest step, s, at which any stiffness is stable and overlaps by less "
             "than a quarter of a radius",
      holds="< 1e-6", because="near 1e-7: within a factor of ten",
      known="far longer steps do if the stiffness is tuned for them. The longest is proportional to r / sqrt(c v), so that 1e-7 s "
            "corresponds to particles of less than a tenth of a millimeter at this speed, even in glass",
      value=lambda m: longest_penalty(m))


@claim("M25-ratio", kind="paper",
       states="the penalty's longest step is orders of magnitude below that of merging-and-splitting: ratio of the two",
       holds=">= 10", because="one order of magnitude at least",
       known="not if the stiffness is tuned for the step. The ratio is proportional to sqrt(c / v), 5 here, so that a hundred "
             "corresponds to speeds of 0.2 m/s in glass")
def step_ratio(m):
    return longest_ours(m) / longest_penalty(m)


@claim("STEP-fast-penalty", kind="finding",
       states="with waves five times as fast, penalty forces need shorter steps: longest step, s (r / sqrt(c v) predicts 2.2e-5 "
              "from 5e-5)",
       holds="< 4e-5", because="between the prediction and no change at all")
def step_fast_penalty(m):
    return longest(m, "penalty-{stiffness}-fast-{step}-*", m.axis("fast"), m.axis("strong"))


@claim("STEP-fast-ours", kind="finding",
       states="with waves five times as fast, merging-and-splitting does not need shorter steps: longest step, s",
       holds=">= 1e-4", because="the limit without fast waves")
def step_fast_ours(m):
    return longest(m, "ms-fast-{step}-*", m.axis("long"))


@claim("M25-sph", kind="paper",
       states="SPH-based forces need a time step near 1e-7 s: longest step, s, at which 1e9 or 1e10 Pa is stable and overlaps "
              "by less than a quarter of a radius",
       holds="< 1e-6", because="as for penalties",
       known="far longer steps do, with the stiffer of the two")
def step_sph(m):
    return longest(m, "sph-{stiffness}-euler-{step}-*", m.axis("step"), m.axis("pressure"))


@claim("STEP-impulse-euler", kind="finding",
       states="with an implicit integrator impulses overlap by more than a quarter of a radius at every step tried: longest step "
              "at which they do not, s",
       holds="== 0", because="0 stands for none of the steps tried")
def step_impulse(m):
    chosen = [f"impulse-euler-{step}-*" for step in m.axis("step")]
    return max([m.setting(samples, "time.max_step")[0] for samples in chosen if shallow(m, samples)] + [0])


@claim("STEP-impulse-verlet", kind="finding",
       states="with an explicit integrator and steps of 2e-5 s or less, impulses keep the overlap small: largest overlap before "
              "the first through-crack, radii",
       holds="< 0.25", because="the limit for all methods here")
def depth_impulse_verlet(m):
    return max(m.summary("impulse-verlet-*", "depth_before"))


claim("STEP-limit-below", kind="physics",
      states="penalty forces gain no energy up to a stiffness of 2 m / dt^2, with m the mass of a particle of the wall: largest "
             "gain over the impact energy",
      holds="< 0.01", because="a hundredth; beyond the limit the gain grows without bound",
      value=lambda m: max(penalties(m, "energy_gain", lambda limit: limit < 2 * 1.01)))
claim("STEP-limit-beyond", kind="physics",
      states="penalty forces of more than four times that stiffness are unstable in every run",
      holds="== 1", because="a verdict of 0 or 1 (docs/measures.md)",
      value=lambda m: min(penalties(m, "unstable", lambda limit: limit > 8 * 1.01)))


@claim("DAMAGE-tuned", kind="finding",
       states="at the step of Figure 5 merging-and-splitting breaks more bonds than penalties of 1e6 and 7e6 N/m: lower bound of "
              "the mean difference of paired samples with 95 % confidence, over the penalties' mean",
       holds="> 0", because="the sign decides",
       scatter="a bound with 95 % confidence")
def more_damage(m):
    theirs = [mean(both) for both in pairs(m.summary("penalty-1e6-euler-5e-5-*", "broken_bonds"),
                                           m.summary("penalty-7e6-euler-5e-5-*", "broken_bonds"))]
    return surely(differences(m.summary("ms-euler-5e-5-*", "broken_bonds"), theirs)) / mean(theirs)


claim("M24-step-energy", kind="paper",
      states="merging-and-splitting gains no energy, at any time step and with any integrator: largest gain over the available "
             "energy",
      holds="< 1e-3", because="the amplitude by which the energy of explicit integrators oscillates",
      value=lambda m: max(m.summary("ms-*", "energy_gain")))


THROWS = "the limit of the stability verdict (docs/measures.md)"


claim("M24-step-speed", kind="paper",
      states="merging-and-splitting ejects no particles with backward Euler: 99.9th percentile of speed over what an elastic "
             "impact allows",
      holds="< 3", because=THROWS,
      value=lambda m: max(m.summary("ms-euler-*", "speed_ratio")))
claim("M24-step-speed-any", kind="paper",
      states="merging-and-splitting ejects no particles with any integrator: 99.9th percentile of speed over what an elastic "
             "impact allows",
      holds="< 3", because=THROWS,
      value=lambda m: max(m.summary("ms-*", "speed_ratio")))


@claim("STEP-all-agree", kind="finding",
       states="at steps of 1e-6 and 2e-6 s all methods make the same number of fragments: largest over smallest number, all samples",
       holds="< 1.5", because="the scatter of samples: two standard deviations above the mean over two below")
def fragments_all(m):
    counts = m.summary("*-verlet-[12]e-6-*", "fragments") + m.summary("sliding-newmark-[12]e-6-*", "fragments")
    return max(counts) / min(counts)


claim("STEP-converges", kind="finding",
      states="the number of fragments with merging-and-splitting converges: relative change of its mean when the step is divided "
             "by five",
      holds="< 0.2", because="two standard errors of the means of three samples",
      value=lambda m: abs(fragments(m, "ms-verlet-1e-6-*") / fragments(m, "ms-verlet-5e-6-*") - 1))


@claim("STEP-euler-converges", kind="finding",
       states="with backward Euler it converges to the same number: fragments at 5e-6 s over those with Verlet's method at 1e-6 s",
       holds="> 0.8", because="two standard errors of the means of three samples")
def fragments_euler(m):
    return fragments(m, "ms-euler-5e-6-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-far-below", kind="finding",
       states="at the step of Figure 5 backward Euler is far below that number: fragments over the converged number",
       holds="< 0.5", because="less than half, far beyond the scatter")
def fragments_coarse(m):
    return fragments(m, "ms-euler-5e-5-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-not-contact", kind="finding",
       states="the contact method is not the reason: fragments with penalties at the step of Figure 5 over the converged number",
       holds="< 0.5", because="as above")
def fragments_penalty(m):
    coarse = m.summary("penalty-7e6-euler-5e-5-*", "fragments") + m.summary("penalty-1e6-euler-5e-5-*", "fragments")
    return max(coarse) / min(m.summary("ms-verlet-1e-6-*", "fragments"))


@claim("STEP-dissipation", kind="finding",
       states="dissipation is the reason: Newmark's method, which has none, makes too many fragments at that step: their number "
              "over the converged one",
       holds="> 1.2", because="two standard errors of the means of three samples")
def fragments_newmark(m):
    return fragments(m, "ms-newmark-5e-5-*") / fragments(m, "ms-verlet-1e-6-*")


@claim("STEP-little-energy", kind="finding",
       states="little energy is dissipated: fraction of the impact energy that backward Euler dissipates at that step",
       holds="< 0.05", because="a twentieth changes no visible speed")
def dissipated(m):
    return max(ratios(m.summary("ms-euler-5e-5-*", "numerical_dissipation"), m.summary("ms-euler-5e-5-*", "impact_kinetic")))


# ---- sliding meta-particles, and the impact of Figure 6 ------------------------------------------

FLIGHT = "flight-{method}-{flight}-{seed}"


def of_sliding(m, methods=("sliding", "swept")):
    """All samples at a step, of every step with backward Euler in both scenes."""
    patterns = [f"{method}-euler-{step}-*" for method in methods for step in m.axis("step")]
    return patterns + [f"flight-{method}-{step}-*" for method in methods for step in m.axis("flight")]


def speeds(m, runs):
    """The largest ones, over that of the ball."""
    return [fast / velocity[0] for fast, velocity in pairs(m.summary(runs, "speed_max"), m.setting(runs, "bodies.ball.velocity"))]


def debris(m, runs):
    return mean(m.summary(runs, "debris_fraction"))


@claim("STEP-sliding", kind="finding",
       states="with contacts that are found at the start of a step, sliding meta-particles need shorter steps than the paper's, because "
              "a pair that has just parted is none when the compressed wall springs back: longest time step, s, at which they are stable "
              "and overlap by less than a quarter of a radius before the first through-crack",
       holds="< 1e-4", because="the least that the paper's must reach (M25-ours)")
def step_sliding(m):
    return longest(m, "sliding-euler-{step}-*", m.axis("step"))


@claim("STEP-sliding-reach", kind="finding",
       states="what overlaps with sliding meta-particles moved there in one step: largest overlap before the first through-crack over the motion of "
              "the fastest particle in a step, any step of both scenes",
       holds="< 1", because="pairs in contact come no nearer")
def reach(m):
    def motion(runs):
        settings = (m.setting(runs, key) for key in ("time.max_step", "bodies.wall.radius"))
        return [fast * step / radius for fast, step, radius in zip(m.summary(runs, "speed_max"), *settings)]
    return max(max(ratios(m.summary(runs, "depth_before"), motion(runs))) for runs in of_sliding(m, ["sliding"]))


@claim("STEP-swept", kind="finding",
       states="longest time step, s, at which sliding meta-particles are good with swept detection",
       holds=">= 2e-4", because="the longest that was tried")
def step_swept(m):
    return longest(m, "swept-euler-{step}-*", m.axis("step"))


claim("STEP-swept-overlap", kind="finding",
      states="then nothing overlaps before the wall falls apart, any step of both scenes: largest overlap, radii",
      holds="< 1e-3", because="the solver's tolerance",
      value=lambda m: max(max(m.summary(runs, "depth_before")) for runs in of_sliding(m, ["swept"])))


@claim("STEP-sliding-speed", kind="finding",
       states="some particles that are found too late are hit again and fly off: fastest particle over the speed of the ball, backward "
              "Euler, any step of both scenes",
       holds="> 2", because="a light particle that a heavy one hits once leaves with at most twice its speed")
def speed_sliding(m):
    return max(max(speeds(m, runs)) for runs in of_sliding(m))


@claim("STEP-sliding-converges", kind="finding",
       states="with sliding meta-particles the number of fragments converges to that of the paper's: relative difference at 1e-6 s, Newmark's method and Verlet's",
       holds="< 0.2", because="two standard errors of the means of three samples")
def sliding_converges(m):
    return abs(fragments(m, "sliding-newmark-1e-6-*") / fragments(m, "ms-verlet-1e-6-*") - 1)


@claim("STEP-sliding-coarse", kind="finding",
       states="but at the step of Figure 5, with backward Euler, there are far fewer than with the paper's: their ratio, swept detection",
       holds="< 0.8", because="two standard errors of the means of three samples")
def sliding_coarse(m):
    return fragments(m, "swept-euler-5e-5-*") / fragments(m, "ms-euler-5e-5-*")


@claim("STEP-sticking", kind="finding",
       states="with friction (coefficient 0.5) they make as many as the paper's meta-particles, which stick: ratio of the fragments at the step of Figure 5",
       holds="> 0.8", because="two standard errors of the means of three samples")
def sticking(m):
    return fragments(m, "rough-euler-5e-5-*") / fragments(m, "ms-euler-5e-5-*")


claim("STEP-sliding-energy", kind="finding",
      states="sliding meta-particles gain no energy with backward Euler: largest gain over the available energy, both scenes",
      holds="< 1e-9", because="rounding, as in the ledger",
      value=lambda m: max(max(m.summary(runs, "energy_gain")) for runs in of_sliding(m)))
claim("STEP-sliding-energy-newmark", kind="finding",
      states="... nor with Newmark's method: largest gain",
      holds="< 1e-9", because="rounding, as in the ledger",
      value=lambda m: max(m.summary("sliding-newmark-*", "energy_gain")))
claim("STEP-flight", kind="finding",
      states="in the impact of Figure 6 merging-and-splitting overlaps by less than half a radius before the first through-crack: largest "
             "overlap, steps from 5e-6 to 8e-5 s, in which the ball moves 0.4 radii",
      holds="< 0.5", because="not a quarter, as for Figure 5: of 14 samples at each of the two longest steps 27 stay below 0.23 and one overlaps "
                             "by 0.33; sliding meta-particles by 0.63 and 0.82",
      value=lambda m: max(m.summary("flight-ms-*", "depth_before")))


@claim("STEP-flight-sliding", kind="finding",
       states="... and sliding meta-particles with contacts found at the start of a step overlap by less than a quarter of one at short "
              "steps only: longest step at which they do, s",
       holds="< 8e-5", because="the longest that was tried, at which the paper's do")
def flight_sliding(m):
    return longest(m, "flight-sliding-{step}-*", m.axis("flight"))


@claim("STEP-flight-converges", kind="finding",
       states="all break the wall alike at 5e-6 s: largest over smallest debris, means of two samples",
       holds="< 1.1", because="samples differ by a few percent")
def flight_converges(m):
    found = [debris(m, f"flight-{method}-{m.axis('flight')[-1]}-*") for method in m.axis("method")]
    return max(found) / min(found)


@claim("STEP-flight-coarse", kind="finding",
       states="but at four times the step of Figure 6 those that slide leave far less debris than the paper's, which stick: largest over "
              "smallest debris, means of two samples",
       holds="> 1.5", because="half as much again: samples differ by a few percent")
def flight_coarse(m):
    found = [debris(m, f"flight-{method}-{m.axis('flight')[0]}-*") for method in m.axis("method")]
    return max(found) / min(found)


ledger_closes()
