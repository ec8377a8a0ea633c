"""The order of merging: claims."""

from arithmetic import mean, spread
from claims import claim, none_unstable, nothing_passes

UNSEEN = "half a radius: less than is visible in a picture of these particles"


def others(m):
    """The runs in another order than that of indices."""
    return m.sweep("order-shuffled-{seed}")


def radius(m):
    """Of every particle of the cloth, m."""
    return m.setting("order-index", "bodies.cloth.radius")[0]


def distances(m, runs):
    """For each run, the largest distance at any time of the shape of the cloth from that in index order, m."""
    return [max(m.distance(f"shape-{run}", "rms")) for run in runs]


nothing_passes("M06-penetrated", kind="paper", runs="order-*",
               states="no particle ever penetrates the cloth, in any order: number of particles")
none_unstable("M06-stable", kind="paper", runs="order-*",
              states="every run is stable, in any order")
claim("M06-dent", kind="paper",
      states="the order has no visible effect: spread of the largest deflection over all orders, radii",
      holds="< 0.5", because=UNSEEN,
      value=lambda m: spread(m.summary("order-index", "deflection_max") + m.summary("order-shuffled-*", "deflection_max")) / radius(m))


@claim("M06-shape", kind="paper",
       states="the order has no visible effect: largest rms distance between the shapes of the cloth, over all orders and times, "
              "radii",
       holds="< 0.5", because=UNSEEN)
def shape_distance(m):
    return max(distances(m, others(m))) / radius(m)


@claim("ORDER-micrometer", kind="finding",
       states="the order changes the shape about as much as moving the ball by a micrometer does: mean distance over four orders, "
              "over that of four directions",
       holds="< 3", because="of the same order of magnitude, sqrt(10): both show how far chaotic runs drift apart")
def shape_over_aside(m):
    return mean(distances(m, others(m))) / mean(distances(m, m.sweep("order-aside-{aside}")))


claim("M06-particles", kind="paper",
      states="the order does not change single velocities: rms difference between two orders over the spread of the velocities, "
             "when two layers of 16 particles meet",
      holds="< 0.02", because="as for the shapes",
      known="it does; it changes neither the total momentum nor the total energy, so nothing visible changes",
      value=lambda m: m.measured("M06.layers-16"))
