"""Two fluids that do not mix: claims."""

from arithmetic import at
from claims import claim, ledger_closes

RADIUS = 0.005  # m
DENSITIES = ("800", "500", "100")


def height(m, run, body, time):
    """The height of a fluid's center of mass."""
    return at(time, m.body(run, body, "time"), m.body(run, body, "z"))


def two_front(m, run):
    """How far the heavy fluid has run after 0.5 s, from where it was let go, m."""
    return at(0.5, m.body(run, "heavy", "time"), m.body(run, "heavy", "max_x"))


def lead(m, density):
    """How much farther the heavy fluid has run than with penalty forces, relative."""
    return two_front(m, f"exchange-{density}") / two_front(m, f"exchange-{density}-penalty") - 1


def layered(m, run):
    """How far the heavy fluid's center has come in 0.7 s on its way to that of a layer on the floor."""
    start, end = height(m, run, "heavy", 0.0), height(m, run, "heavy", 0.7)
    return (start - end) / (start / 2)


def mixed(m, run):
    """How far the fluids reach into each other at the end, but for a hundredth of each, in radii."""
    return (m.body(run, "heavy", "height_p99")[-1] - m.body(run, "light", "height_p01")[-1]) / RADIUS


claim("M54-layers", kind="paper",
      states="two fluids couple: after 0.7 s the heavy one has become a layer below the light one, least part of the way of its center of "
             "mass at density ratios of 2 and 10",
      holds="> 0.75", because="three quarters; at a ratio of 1.25 gravity drives it with a tenth of the weight, and takes longer",
      value=lambda m: min(layered(m, f"exchange-{density}") for density in ("500", "100")))


@claim("M54-rest", kind="paper",
       states="two fluids couple: layers that are at rest stay layers, at density ratios of 1.25 to 10: how far they reach into each other "
              "after 0.7 s, radii",
       holds="< 4", because="the support radius of the kernel, four radii, is the distance below which the fluids know no density")
def rest(m):
    return max(mixed(m, f"layers-{density}") for density in DENSITIES)


@claim("M54-overlap", kind="paper",
       states="two fluids couple: particles of the one hardly overlap those of the other, largest overlap in any run with "
              "merging-and-splitting, radii",
       holds="< 0.5", because="a quarter of the distance of their centers; overlaps of fluids on cloths are of this size (Figure 11)")
def overlap(m):
    return max(m.summary(f"{scene}-{density}", "overlap_max")[0] for scene in ("exchange", "layers") for density in DENSITIES)


@claim("M54-front", kind="paper",
       states="two fluids couple: the heavy one runs along the floor as fast as where penalty forces keep them apart, 0.5 s, density ratios of "
              "1.25 to 10: largest relative difference",
       holds="< 0.1", because="penalty forces have no friction; what meta-particles share along the surface must be small beside gravity",
       known="not where gravity is weak: at a ratio of 1.25 what particles share along the surface makes the front a fifth slower")
def fronts(m):
    return max(abs(lead(m, density)) for density in DENSITIES)


@claim("TWO-FLUIDS-sliding", kind="finding",
       states="with sliding meta-particles the heavy fluid is as fast as with penalty forces at density ratios of 1.25 and 2, 0.5 s: largest "
              "relative difference",
       holds="< 0.1", because="as above; they share nothing along the surface")
def sliding(m):
    return max(abs(two_front(m, f"exchange-{density}-sliding") / two_front(m, f"exchange-{density}-penalty") - 1) for density in ("800", "500"))


claim("MOMENTUM-two-fluids", kind="physics",
      states="the ledger accounts for the momentum that the fluids exchange and that walls take: largest drift",
      holds="< 1e-9", because="rounding",
      value=lambda m: max(m.column("exchange-*", "momentum_drift") + m.column("layers-*", "momentum_drift")))
ledger_closes()
