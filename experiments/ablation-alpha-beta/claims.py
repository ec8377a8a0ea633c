"""Alpha and beta: claims."""

from claims import claim, ledger_closes
from arithmetic import differences, mean, pairs, surely, within

MORE = "more, with 95 % confidence, in eleven pairs of runs with the same beta"
BOUND = "the value is a bound with 95 % confidence"
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


def returned(m, **place):
    """The fraction of its energy that the fluid gets back, for each value of the other axis."""
    return [m.summary(run, RETURNED)[0] for run in m.sweep("a{alpha}-b{beta}", **place)]


@claim("M34-map-jump", kind="paper",
       states="the fluid rises higher with alpha = 1 than with alpha = 0: lower bound of the difference, m",
       holds="> 0", because=MORE,
       scatter=BOUND)
def alpha_jump_surely(m):
    return surely(differences(heights(m, "a1-b*"), heights(m, "a0-b*")))


def alpha_jump(m):
    return mean(heights(m, "a1-b*")) - mean(heights(m, "a0-b*"))


@claim("RETURN-map", kind="finding",
       states="alpha hardly changes which fraction of its energy the fluid gets back: how large the difference between alpha = 1 and "
              "alpha = 0 may be, with 95 % confidence on either side, in eleven pairs of runs with the same beta",
       holds="< 0.05", because="a tenth of the half that it gets back, which would just be visible",
       scatter=BOUND)
def alpha_returned(m):
    return within(alpha_differences(m, RETURNED))


@claim("RETURN-map-kept", kind="finding",
       states="more mechanical energy is kept with alpha = 1 than with alpha = 0: lower bound of the difference over the energy "
              "available since the impact",
       holds="> 0", because=MORE,
       scatter=BOUND)
def alpha_kept(m):
    return surely(alpha_differences(m, "energy_kept"))


@claim("BETA-less", kind="finding",
       states="beta has a smaller effect than alpha on the energy that is kept: how large it may be, with 95 % confidence, over how "
              "large that of alpha is at least",
       holds="< 1", because="smaller is the statement",
       scatter=BOUND)
def beta_less(m):
    beta = within(differences(m.summary("a*-b1", "energy_kept"), m.summary("a*-b0", "energy_kept")))
    return beta / surely(alpha_differences(m, "energy_kept"))


def beta_over_alpha(m):
    beta = sum(m.summary("a*-b1", "energy_kept")) - sum(m.summary("a*-b0", "energy_kept"))
    return abs(beta) / (sum(m.summary("a1-b*", "energy_kept")) - sum(m.summary("a0-b*", "energy_kept")))


@claim("RETURN-map-half", kind="finding",
       states="halfway, with alpha = 0.5, the fluid gets back less of its energy than with 0 or 1: lower bound of the difference, the "
              "smaller of both",
       holds="> 0", because=MORE,
       scatter=BOUND)
def half_returns_less(m):
    return min(surely(differences(returned(m, alpha=end), returned(m, alpha="0.5"))) for end in ("0", "1"))


@claim("RETURN-map-beta", kind="finding",
       states="beta hardly changes that fraction either: the same for beta = 1 and 0, in eleven pairs of runs with the same alpha",
       holds="< 0.05", because="as for alpha",
       scatter=BOUND)
def beta_returned(m):
    return within(differences(returned(m, beta="1"), returned(m, beta="0")))


@claim("M35-map-lost", kind="paper",
       states="with alpha = beta = 1 virtual bonds keep back no energy, J",
       holds="== 0", because="a sum of terms that are all 0, each with a factor of 1 - alpha or 1 - beta")
def energy_lost(m):
    return m.summary("a1-b1", "merge_dissipated")[0] + m.summary("a1-b1", "sync_dissipated")[0]


@claim("M35-map-fraction", kind="paper",
       states="splitting adds, measured from the velocities, alpha times what merging stored and beta times what synchronizing did, at "
              "any alpha and beta: largest difference over what was stored",
       holds="< 1e-12", because="rounding of sums")
def returned_otherwise(m):
    def of(run):
        alpha, beta = (m.setting(run, f"contact.{name}")[0] for name in ("alpha", "beta"))
        merged, synchronized, added = (m.summary(run, key)[0] for key in ("merge_stored", "sync_stored", "split_returned"))
        return abs(added - alpha * merged - beta * synchronized) / (merged + synchronized)
    return max(of(run) for run in m.sweep("a{alpha}-b{beta}"))


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
