"""Alpha and beta: claims."""

from claims import claim, ledger_closes
from arithmetic import differences, mean, pairs, surely

VALUES = ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]
MORE = "more, with 95 % confidence: eleven pairs of the same beta"
RETURNED = "bodies.fluid.energy_returned"


def alpha_differences(m, key):
    """Alpha 1 less alpha 0, for each of 11 beta."""
    return differences(m.summary("a1-b*", key), m.summary("a0-b*", key))


def heights(m, runs):
    """Highest center of mass of the fluid after the fall, m."""
    return [low + up for low, up in pairs(m.summary(runs, "bodies.fluid.lowest_height"), m.summary(runs, "bodies.fluid.rebound_height"))]


def alpha_gain(m, key):
    """Alpha 1 over alpha 0, mean of all beta."""
    return mean(alpha_differences(m, key))


def change(m, key):
    """From alpha = 1 to alpha = 0, mean of all beta."""
    return -alpha_gain(m, key)


def falls(m, runs):
    """Steps from one value of a parameter to the next, {} in the runs, that give the fluid less energy back."""
    means = [mean(m.summary(runs.format(value), RETURNED)) for value in VALUES]
    return sum(after < before for before, after in zip(means, means[1:]))


@claim("M34-map-jump", kind="paper",
       states="highest center of mass of the fluid, m: alpha 1 over alpha 0, at least", holds="> 0", because=MORE)
def alpha_jump_surely(m):
    return surely(differences(heights(m, "a1-b*"), heights(m, "a0-b*")))


def alpha_jump(m):
    return mean(heights(m, "a1-b*")) - mean(heights(m, "a0-b*"))


@claim("M34-map-returned", kind="paper",
       states="share of its energy that the fluid gets back: alpha 1 over alpha 0, at least", holds="> 0", because=MORE)
def alpha_returned(m):
    return surely(alpha_differences(m, RETURNED))


@claim("M34-map-kept", kind="paper",
       states="mechanical energy kept over the kinetic energy at impact: alpha 1 over alpha 0, at least",
       holds="> 0", because=MORE)
def alpha_kept(m):
    return surely(alpha_differences(m, "energy_kept"))


@claim("BETA-less", kind="finding",
       states="beta counts for less: its effect on the energy kept over that of alpha",
       holds="< 0.5", because="less than half")
def beta_over_alpha(m):
    beta = sum(m.summary("a*-b1", "energy_kept")) - sum(m.summary("a*-b0", "energy_kept"))
    return abs(beta) / (sum(m.summary("a1-b*", "energy_kept")) - sum(m.summary("a0-b*", "energy_kept")))


@claim("M34-map-alpha-monotone", kind="paper",
       states="steps of 0.1 in alpha, of ten, that give the fluid less energy back, mean of all beta",
       holds="== 0", because="more energy returned is a higher jump: no step may fall",
       known="steps at small alpha do: there particles that are pressed still part so slowly that "
             "they merge again until all is lost, as with alpha = 0, but stir the fluid meanwhile, and viscosity takes more")
def alpha_falls(m):
    return falls(m, "a{}-b*")


@claim("M34-map-beta-monotone", kind="paper",
       states="... in beta, mean of all alpha", holds="== 0", because="as for alpha",
       known="beta has no effect here beyond chance")
def beta_falls(m):
    return falls(m, "a*-b{}")


@claim("M35-map-lost", kind="paper",
       states="alpha = beta = 1: energy that virtual bonds keep back, J",
       holds="== 0", because="a sum of terms that are all 0, (1 - alpha) and (1 - beta) times something")
def energy_lost(m):
    return m.summary("a1-b1", "bond_lost")[0] + m.summary("a1-b1", "sync_lost")[0]


@claim("M21-map-wrong-side", kind="paper",
       states="no particle on the wrong side of the cloth at any step, whatever alpha and beta",
       holds="== 0", because="a count of particles: none may")
def wrong_side(m):
    return max(m.column("*", "wrong_side"))


@claim("M21-map-stable", kind="paper", states="stable, whatever alpha and beta", holds="== 0",
       because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


ledger_closes("alpha-beta")
