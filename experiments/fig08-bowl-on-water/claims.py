"""Figure 8, bottom: claims."""

from claims import claim, ledger_closes, momentum_closes, stays_stable

RUN = "impact"
DEBRIS = 3  # particles, as in docs/measures.md


def bowl_shape(m, key):
    return m.setting(RUN, f"bodies.bowl.shape.bowl.{key}")[0]


def passage(m):
    """The time in which the bowl falls through its own height, s."""
    return bowl_shape(m, "height") / -m.setting(RUN, "bodies.bowl.velocity")[0][2]


def broken_at_impact(m):
    """The fraction of all bonds that break which breaks while the bowl would pass the surface."""
    time, contacts = m.column(RUN, "time"), m.column(RUN, "contacts")
    broken = m.column(RUN, "broken_bonds")
    start = min(t for t, n in zip(time, contacts) if n > 0)
    return max(b for t, b in zip(time, broken) if t <= start + passage(m)) / broken[-1]


def rising(m):
    """The first frame in which what is left of the bowl rises: what has come through its bottom until then is lifted with it."""
    return next(frame for frame, speed in enumerate(m.body(RUN, "bowl", "velocity_z")) if speed > 0)


def cut(m, frame):
    """The cross-section of a frame: (body, distance from the axis of the bowl, height) of each particle, and the heights of what
    is left of the bowl's wall, which are its particles beside the middle that are not debris."""
    axis = m.setting(RUN, "bodies.bowl.position")[0][0]
    rows = list(zip(*(m.section(RUN, frame, name) for name in ("body", "u", "v", "fragment"))))
    pieces = [fragment for body, _, _, fragment in rows if body == "bowl"]
    wall = [v for body, u, v, fragment in rows
            if body == "bowl" and pieces.count(fragment) > DEBRIS and middle(m) < abs(u - axis) < bowl_shape(m, "radius")]
    return [(body, abs(u - axis), v) for body, u, v, _ in rows], wall


def middle(m):
    """What is called the middle of the bowl: half its inner radius, m."""
    return 0.5 * (bowl_shape(m, "radius") - bowl_shape(m, "thickness"))


def hollow(m, frame):
    """Particles of the water in the cross-section of a frame that are in the middle of the bowl, lower than the rim and higher
    than the lower edge of its wall."""
    rows, wall = cut(m, frame)
    return sum(1 for body, away, v in rows if body == "water" and away < middle(m) and min(wall) < v < max(wall))


def below_rim(m, frame):
    """How far the highest water in the hollow of the bowl is below its rim, m: nothing flows over it."""
    rows, wall = cut(m, frame)
    return max(wall) - max(v for body, away, v in rows if body == "water" and away < 1.5 * middle(m))


def height(m):
    """The highest point of the water at each frame, m."""
    return m.body(RUN, "water", "max_z")


def second_splash(m):
    """The most that the highest point of the water rises again after its first maximum, m."""
    high = height(m)
    first = next(k for k in range(1, len(high) - 1) if high[k] > high[0] and high[k] >= high[k + 1])
    return max(high[k] - min(high[first:k + 1]) for k in range(first, len(high)))


def diameter(m):
    return 2 * m.setting(RUN, "bodies.water.radius")[0]


@claim("M29-bowl-breaks", kind="paper",
       states="the bowl breaks: fraction of it in its largest fragment at the end",
       holds="< 0.5", because="half: no fragment is the bowl any more")
def largest(m):
    return m.last(RUN, "largest_fraction")[0]


@claim("M29-bowl-impact", kind="paper",
       states="it breaks as it hits the water: fraction of all bonds that break which breaks in the time in which it would fall through "
              "its own height",
       holds="> 0.5", because="most of them")
def broken_early(m):
    return broken_at_impact(m)


@claim("M29-bowl-through", kind="paper",
       states="water rises through it: particles of the water in its middle when it begins to rise, in a cross-section two layers thick, "
              "0 unless its rim is still above all water within it",
       holds="> 0", because="a count of particles: there is no way in but through the bottom")
def through(m):
    return hollow(m, rising(m)) if below_rim(m, rising(m)) > 0 else 0


@claim("HOLLOW-fig08-bowl", kind="finding",
       states="none was there before the impact: particles of the water in its middle at the start",
       holds="== 0", because="a count of particles")
def dry(m):
    return hollow(m, 0)


@claim("M29-bowl-up", kind="paper",
       states="the water pushes the bowl up again: rise of its center of mass from its lowest point, over the diameter of a particle",
       holds="> 1", because="more than particles can be told apart by")
def pushed_up(m):
    return m.summary(RUN, "bodies.bowl.rebound_height")[0] / diameter(m)


@claim("M29-bowl-splash", kind="paper",
       states="there is a second splash: the most that the highest point of the water rises again after its first maximum, over the "
              "diameter of a particle",
       holds="> 1", because="more than particles can be told apart by")
def splash(m):
    return second_splash(m) / diameter(m)


@claim("OVERLAP-fig08-bowl", kind="finding",
       states="bowl and water stay apart with the default settings: largest overlap of a pair, as a fraction of the distance of contact",
       holds="< 0.1", because="twice what bowl and water come nearer in the step that ends in contact: 6 m/s for 0.16 ms is 5 % of that "
                              "distance")
def overlap(m):
    return m.summary(RUN, "overlap_max")[0]


momentum_closes("MOMENTUM-fig08-bowl", "gravity, the tank")
stays_stable("fig08-bowl")
ledger_closes("fig08-bowl")
