"""The order of merging: claims."""

from arithmetic import mean, spread
from claims import claim, ledger_closes

OTHERS = ["reverse", "shuffled-1", "shuffled-2", "shuffled-3", "shuffled-4"]
ASIDE = ["aside-east", "aside-west", "aside-north", "aside-south"]
RADIUS = 0.01  # m, of every particle
UNSEEN = "half a radius: less than a picture of these particles shows"


def distances(m, runs):
    """Largest distance, at any time, of the shape of the cloth from that in the order of indices, m, of each run."""
    return [max(m.distance(f"shape-{run}", "rms")) for run in runs]


@claim("M06-wrong-side", kind="paper", states="no particle on the wrong side at any step, in any order", holds="== 0",
       because="a count of particles: none may")
def wrong_side(m):
    return max(m.column("*", "wrong_side"))


@claim("M06-stable", kind="paper", states="stable in any order", holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("M06-dent", kind="paper",
       states="the order has no visible effect: spread of the largest depth of the dent over all orders, in radii",
       holds="< 0.5", because=UNSEEN)
def dent_spread(m):
    return spread(m.summary("index", "sag_max") + m.summary("reverse", "sag_max") + m.summary("shuffled-*", "sag_max")) / RADIUS


@claim("M06-shape", kind="paper",
       states="... distance of the shapes of the cloth, rms in radii, the largest of all orders and times",
       holds="< 0.5", because=UNSEEN)
def shape_distance(m):
    return max(distances(m, OTHERS)) / RADIUS


@claim("ORDER-micrometer", kind="finding",
       states="... that distance, mean over orders, over that of moving the ball a micrometer, mean over four directions",
       holds="< 3", because="of the same order of magnitude, sqrt(10): both are where two chaotic runs drift to")
def shape_over_aside(m):
    return mean(distances(m, OTHERS)) / mean(distances(m, ASIDE))


@claim("M06-particles", kind="paper",
       states="... velocities of single particles: difference between two orders over their spread, two layers of 16 meeting",
       holds="< 0.02", because="as for the shapes",
       known="they do depend on the order; what does not is their sum and that of their energies, and so what is seen")
def particle_velocities(m):
    return m.measured("M06.layers-16")


ledger_closes("order")
