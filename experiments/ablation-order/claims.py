"""The order of merging: claims."""

from claims import claim, ledger_closes

OTHERS = ["reverse", "shuffled-1", "shuffled-2", "shuffled-3", "shuffled-4"]
UNSEEN = "a fiftieth of the depth would not be seen"


def farthest(m):
    """Largest distance, at any time and of any order, of the shape of the cloth from that in the order of indices, m."""
    return max(max(m.distance(f"shape-{run}", "rms")) for run in OTHERS)


@claim("M06-wrong-side", kind="paper", states="no particle on the wrong side at any step, in any order", holds="== 0",
       because="a count of particles: none may")
def wrong_side(m):
    return max(m.column("*", "wrong_side"))


@claim("M06-stable", kind="paper", states="stable in any order", holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("M06-dent", kind="paper",
       states="the order has no visible effect: spread of the largest depth of the dent", holds="< 0.02", because=UNSEEN)
def dent_spread(m):
    return max(m.summary("*", "sag_max")) / min(m.summary("*", "sag_max")) - 1


@claim("M06-shape", kind="paper",
       states="... distance of the shapes of the cloth over the depth of the dent", holds="< 0.02", because=UNSEEN)
def shape_distance(m):
    return farthest(m) / max(m.summary("index", "sag_max"))


@claim("ORDER-micrometer", kind="finding",
       states="... the same over the distance that moving the ball a micrometer makes",
       holds="< 5", because="of the same order of magnitude")
def shape_over_aside(m):
    return farthest(m) / max(m.distance("shape-aside", "rms"))


@claim("M06-particles", kind="paper",
       states="... velocities of single particles: difference between two orders over their spread, two layers of 16 meeting",
       holds="< 0.02", because="as for the shapes",
       known="they do depend on the order; what does not is their sum and that of their energies, and so what is seen")
def particle_velocities(m):
    return m.measured("M06.layers-16")


ledger_closes("order")
