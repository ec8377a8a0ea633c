"""Figure 5: claims."""

from claims import claim, ledger_closes

OURS = "merging-and-splitting"
DEEP = "far above: three times what merging-and-splitting may reach"
FAR = "far above: in a chaotic scene, more than the factor by which runs with other rounding differ"
METHODS = ("penalty-weak", "penalty-medium", "penalty-firm", "penalty-strong", "sph-weak", "sph-strong", OURS)  # but impulses
QUARTER = "a quarter of a radius: the ball moves more in three steps, and contact is detected only at the end of a step"


def tuned(m, key):
    """The values of the two penalties between weak and strong."""
    return m.summary("penalty-medium", key) + m.summary("penalty-firm", key)


def ours(m, key):
    return m.summary(OURS, key)[0]


claim("M22-speed", kind="paper",
      states="strong penalty and SPH-based forces throw particles: largest speed over the impact speed",
      holds="> 4", because="twice the elastic limit of 2 for a light particle hit by a heavy one",
      value=lambda m: min(m.peak("*-strong", "speed_max")) / ours(m, "impact_speed"))
claim("M22-debris-penalty", kind="paper",
      states="strong penalty forces crumble the wall: their debris over that of merging-and-splitting at the same instant",
      holds="> 3", because=FAR,
      value=lambda m: m.summary("penalty-strong", "debris_fraction")[0] / ours(m, "debris_fraction"))


@claim("M22-debris-sph", kind="paper",
       states="strong SPH-based forces crumble the wall: their debris over that of merging-and-splitting at the same instant",
       holds="> 3", because=FAR,
       known="they make more debris, but not many times as much")
def debris_sph(m):
    return m.summary("sph-strong", "debris_fraction")[0] / ours(m, "debris_fraction")


@claim("M22-fragments", kind="paper",
       states="strong forces break the wall into more pieces: number of fragments over that of merging-and-splitting",
       holds="> 3", because=FAR,
       known="they make more fragments, but not many times as many")
def strong_fragments(m):
    return min(f / ours(m, "fragments") for f in m.summary("*-strong", "fragments"))


claim("CRUMBLE-limit", kind="finding",
      states="the wall crumbles beyond the stability limit of 6.4e6 N/m: debris at 1e7 N/m over that at 1e6 and 3e6 N/m",
      holds="> 2",
      because="a jump at the limit rather than a trend: the two values below it, a factor of three apart, differ by less",
      value=lambda m: m.summary("penalty-strong", "debris_fraction")[0] / max(tuned(m, "debris_fraction")))
claim("M23-weak", kind="paper",
      states="weak forces penetrate before fracture: largest overlap before the first through-crack, radii",
      holds="> 0.75", because=DEEP,
      value=lambda m: min(m.summary("*-weak", "depth_before")))


@claim("M23-impulse", kind="paper",
       states="impulses penetrate before fracture: largest overlap before the first through-crack, radii",
       holds="> 0.75", because=DEEP)
def depth_impulse(m):
    return m.summary("impulse", "depth_before")[0]


claim("DEPTH-forces", kind="finding",
      states="no force of any stiffness tried keeps the overlap as small: least of the largest overlaps before the first "
             "through-crack, radii",
      holds="> 0.25", because="the limit of merging-and-splitting",
      value=lambda m: min(m.summary("penalty-*", "depth_before") + m.summary("sph-*", "depth_before")))
claim("DEBRIS-weak", kind="finding",
      states="weak forces make debris, too, which the paper does not show: their debris over that of merging-and-splitting",
      holds="> 1", because="more is the statement",
      value=lambda m: min(m.summary("*-weak", "debris_fraction")) / ours(m, "debris_fraction"))
claim("DEBRIS-tuned", kind="finding",
      states="forces tuned between weak and strong make no more debris than merging-and-splitting: ratio",
      holds="< 1.2", because="two standard deviations of chance, 0.09, above 1",
      value=lambda m: max(tuned(m, "debris_fraction")) / ours(m, "debris_fraction"))


@claim("M24-wall-overlap", kind="paper",
       states="merging-and-splitting keeps the bodies apart: largest overlap before the first through-crack, radii",
       holds="< 0.25", because=QUARTER)
def depth_before(m):
    return ours(m, "depth_before")


claim("M24-wall-overlap-ever", kind="paper",
      states="merging-and-splitting keeps the bodies apart to the end: largest overlap at any time, radii",
      holds="< 0.25", because=QUARTER,
      value=lambda m: max(m.column(OURS, "overlap_depth")))


@claim("M24-wall-speed", kind="paper",
       states="merging-and-splitting throws no particles: largest speed over the impact speed",
       holds="< 3", because="the limit of the stability verdict (docs/measures.md), here for the fastest particle")
def speed(m):
    return ours(m, "speed_max") / ours(m, "impact_speed")


claim("M24-wall-stable", kind="paper",
      states="merging-and-splitting is stable",
      holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)",
      value=lambda m: ours(m, "unstable"))


@claim("M24-wall-breaks", kind="paper",
       states="merging-and-splitting breaks the wall: number of fragments larger than debris, ball included",
       holds="> 1", because="the ball is one chunk; the wall must be at least two")
def chunks(m):
    return ours(m, "chunks")


@claim("M47-wall", kind="paper",
       states="all methods fracture the wall in the end: number of methods without a through-crack after 15 ms",
       holds="== 0", because="a count of methods: all is the statement")
def whole(m):
    times = [m.summary(run, "through_crack_time")[0] for run in (*METHODS, "impulse")]
    return sum(time != time for time in times)


ledger_closes()
