"""Alpha and beta: claims."""

from claims import claim, ledger_closes
from arithmetic import differences, mean, pairs, surely

MORE = "more, with 95 % confidence, in eleven pairs of runs with the same beta"
RETURNED = "bodies.fluid.energy_returned"


def alpha_differences(m, key):
    """alpha = 1 minus alpha = 0, for each of 11 values of beta."""
    return differences(m.summary("a1-b*", key), m.summary("a0-b*", key))


def heights(m, runs):
    """The highest position of the fluid's center of mass after the fall, m."""
    return [low + up for low, up in pairs(m.summary(runs, "bodies.fluid.lowest_height"), m.summary(runs, "bodies.fluid.rebound_height"))]


def alpha_gain(m, key):
    """alpha = 1 minus alpha = 0, mean over beta."""
    return mean(alpha_differences(m, key))


def change(m, key):
    """alpha = 0 minus alpha = 1, mean over beta."""
    return -alpha_gain(m, key)


def falls(m, axis):
    """Number of steps from one value on an axis of the runs to the next after which the fluid gets back less energy."""
    means = [mean(energy for run in m.sweep("a{alpha}-b{beta}", **{axis: value}) for energy in m.summary(run, RETURNED))
             for value in m.axis(axis)]
    return sum(after < before for before, after in zip(means, means[1:]))


@claim("M34-map-jump", kind="paper",
       states="the fluid rises higher with alpha = 1 than with alpha = 0: lower bound of the difference, m",
       holds="> 0", because=MORE)
def alpha_jump_surely(m):
    return surely(differences(heights(m, "a1-b*"), heights(m, "a0-b*")))


def alpha_jump(m):
    return mean(heights(m, "a1-b*")) - mean(heights(m, "a0-b*"))


@claim("RETURN-map", kind="finding",
       states="the fluid gets back a larger fraction of its energy with alpha = 1 than with alpha = 0: lower bound of the "
              "difference",
       holds="> 0", because=MORE,
       known="no clear difference: the samples differ by more")
def alpha_returned(m):
    return surely(alpha_differences(m, RETURNED))


@claim("RETURN-map-kept", kind="finding",
       states="more mechanical energy is kept with alpha = 1 than with alpha = 0: lower bound of the difference over the kinetic "
              "energy at impact",
       holds="> 0", because=MORE)
def alpha_kept(m):
    return surely(alpha_differences(m, "energy_kept"))


@claim("BETA-less", kind="finding",
       states="beta has a smaller effect than alpha: its effect on the energy that is kept over that of alpha",
       holds="< 0.5", because="less than half")
def beta_over_alpha(m):
    beta = sum(m.summary("a*-b1", "energy_kept")) - sum(m.summary("a*-b0", "energy_kept"))
    return abs(beta) / (sum(m.summary("a1-b*", "energy_kept")) - sum(m.summary("a0-b*", "energy_kept")))


@claim("RETURN-map-alpha-monotone", kind="finding",
       states="a larger alpha always gives the fluid more energy back: of ten steps of 0.1 in alpha, number after which it gets "
              "back less (mean over beta)",
       holds="== 0", because="returning more energy should make the fluid jump higher: no step may decrease",
       known="at small alpha it does not: pressed particles still part so slowly that they merge again until all their relative "
             "motion is lost, as with alpha = 0, but meanwhile they stir the fluid, and viscosity takes more")
def alpha_falls(m):
    return falls(m, "alpha")


@claim("RETURN-map-beta-monotone", kind="finding",
       states="a larger beta always gives the fluid more energy back: of ten steps of 0.1 in beta, number after which it gets back "
              "less (mean over alpha)",
       holds="== 0", because="as for alpha",
       known="beta has no effect here beyond chance")
def beta_falls(m):
    return falls(m, "beta")


@claim("M35-map-lost", kind="paper",
       states="with alpha = beta = 1 virtual bonds keep back no energy, J",
       holds="== 0", because="a sum of terms that are all 0, each with a factor of 1 - alpha or 1 - beta")
def energy_lost(m):
    return m.summary("a1-b1", "merge_dissipated")[0] + m.summary("a1-b1", "sync_dissipated")[0]


@claim("M21-map-penetrated", kind="paper",
       states="no particle ever penetrates the cloth, at any alpha and beta: number of particles",
       holds="== 0", because="a count of particles: none is allowed")
def penetrated(m):
    return max(m.column("*", "penetrated"))


@claim("M21-map-stable", kind="paper",
       states="every run is stable, at any alpha and beta",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


ledger_closes("alpha-beta")
