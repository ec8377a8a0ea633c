"""More values of alpha and beta, in a smaller scene: claims."""

from arithmetic import differences, max, mean, min, surely, within
from claims import claim

IN_PAIRS = "more, with 95 % confidence, in pairs of runs that differ in nothing else"
A_BOUND = "the value is a bound with 95 % confidence"


def alpha_differences(m, key):
    """alpha = 1 minus alpha = 0, for each value of beta."""
    return differences(m.summary("map-a1-b*", key), m.summary("map-a0-b*", key))


def change_by_alpha(m, key):
    """alpha = 1 minus alpha = 0, mean over beta."""
    return mean(alpha_differences(m, key))


def returned_of(m, **place):
    """The fraction of its energy that the fluid gets back, for each value of the other axis."""
    return [m.summary(run, "bodies.fluid.energy_returned")[0] for run in m.sweep("map-a{alpha}-b{beta}", **place)]


def higher(m):
    """How much higher the fluid's center of mass rises with alpha = 1 than with 0, m, mean over beta."""
    return change_by_alpha(m, "bodies.fluid.lowest_height") + change_by_alpha(m, "bodies.fluid.rebound_height")


claim("RETURN-map-half", kind="finding",
      states="halfway, with alpha = 0.5, the fluid gets back less of its energy than with 0 or 1: lower bound of the difference, the "
             "smaller of both",
      holds="> 0", because=IN_PAIRS, scatter=A_BOUND,
      value=lambda m: min(surely(differences(returned_of(m, alpha=end), returned_of(m, alpha="0.5"))) for end in ("0", "1")))


@claim("BETA-less", kind="finding",
       states="beta has a smaller effect than alpha on the energy that is kept: how large it may be, with 95 % confidence, over how "
              "large that of alpha is at least",
       holds="< 1", because="smaller is the statement", scatter=A_BOUND)
def beta_less(m):
    beta = within(differences(m.summary("map-a*-b1", "energy_kept"), m.summary("map-a*-b0", "energy_kept")))
    return beta / surely(alpha_differences(m, "energy_kept"))


claim("RETURN-map-beta", kind="finding",
      states="beta hardly changes which fraction of its energy the fluid gets back: how large the difference between beta = 1 and 0 may be, "
             "with 95 % confidence on either side",
      holds="< 0.05", because="a tenth of the half that it gets back, which would just be visible", scatter=A_BOUND,
      value=lambda m: within(differences(returned_of(m, beta="1"), returned_of(m, beta="0"))))


@claim("M35-map-fraction", kind="paper",
       states="splitting adds, measured from the velocities, alpha times what merging stored and beta times what synchronizing did, at "
              "any alpha and beta: largest difference over what was stored",
       holds="< 1e-12", because="rounding of sums")
def returned_otherwise(m):
    def of(run):
        alpha, beta = (m.setting(run, f"contact.{name}")[0] for name in ("alpha", "beta"))
        merged, synchronized, added = (m.summary(run, key)[0] for key in ("merge_stored", "sync_stored", "split_returned"))
        return abs(added - alpha * merged - beta * synchronized) / (merged + synchronized)
    return max(of(run) for run in m.sweep("map-a{alpha}-b{beta}"))
