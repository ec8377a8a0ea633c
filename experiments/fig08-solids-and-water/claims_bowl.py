"""Figure 8, bottom: claims."""

from claims import claim, momentum_closes

RUN = "bowl"
GATHERED, SPLASH = 20, 30  # the frames of the last two pictures: the cavity has closed over the bottom; the splash
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
    """The first frame in which what is left of the bowl rises."""
    return next(frame for frame, speed in enumerate(m.body(RUN, "bowl", "velocity_z")) if speed > 0)


def middle(m):
    """What is called the middle of the bowl: half its inner radius, m."""
    return 0.5 * (bowl_shape(m, "radius") - bowl_shape(m, "thickness"))


def in_section(m, frame, *columns):
    return list(zip(*(m.section(RUN, frame, name) for name in columns)))


def in_middle(m, u):
    return abs(u - m.setting(RUN, "bodies.bowl.position")[0][0]) < middle(m)


def bottom(m, frame):
    """The particles of the bowl's bottom in the cross-section of a frame, which are those of its middle at the start: the part of
    them that is not debris, and their mean height, m."""
    ids = {i for i, body, u in in_section(m, 0, "id", "body", "u") if body == "bowl" and in_middle(m, u)}
    rows = in_section(m, frame, "id", "body", "v", "fragment")
    pieces = [fragment for _, body, _, fragment in rows if body == "bowl"]
    found = [(v, pieces.count(fragment) > DEBRIS) for i, _, v, fragment in rows if i in ids]
    return sum(whole for _, whole in found) / len(ids), sum(v for v, _ in found) / len(found)


def gathered(m):
    """How much the water that has gathered on the bottom is lifted until the last picture, m: those of its particles that still
    are in the cross-section, which leaves out what is thrown farthest."""
    floor = bottom(m, GATHERED)[1]
    water = {i: v for i, body, u, v in in_section(m, GATHERED, "id", "body", "u", "v")
             if body == "water" and in_middle(m, u) and v > floor}
    rises = [v - water[i] for i, v in in_section(m, SPLASH, "id", "v") if i in water]
    return sum(rises) / len(rises)


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


claim("M29-bowl-gathered", kind="paper",
      states="the water that has gathered on its bottom is pushed up with it: mean rise of these particles, in a cross-section two layers "
             "thick, over the diameter of a particle",
      holds="> 1", because="more than particles can be told apart by",
      value=lambda m: gathered(m) / diameter(m))
claim("M29-bowl-up", kind="paper",
      states="the water pushes the bowl up again: rise of its center of mass from its lowest point, over the diameter of a particle",
      holds="> 1", because="more than particles can be told apart by",
      value=lambda m: m.summary(RUN, "bodies.bowl.rebound_height")[0] / diameter(m))


@claim("M29-bowl-bottom", kind="paper",
       states="what is pushed up is its bottom, not crumbs of it: the part of the bottom, in the cross-section, that is in pieces of more "
              "than 3 particles after 0.6 s, 0 unless it is higher than when the bowl began to rise",
       holds="> 0.5", because="most of it")
def bottom_lifted(m):
    whole, high = bottom(m, SPLASH)
    return whole if high > bottom(m, rising(m))[1] else 0


@claim("M29-bowl-splash", kind="paper",
       states="there is a second splash: the most that the highest point of the water rises again after its first maximum, over the "
              "diameter of a particle",
       holds="> 1", because="more than particles can be told apart by")
def splash(m):
    return second_splash(m) / diameter(m)


@claim("OVERLAP-fig08-bowl", kind="finding",
       states="bowl and water do not pass each other with the default settings: largest overlap of a pair, as a fraction of the distance of "
              "contact",
       holds="< 0.5", because="half: nearer, a particle is on its way to the other side")
def bowl_overlap(m):
    return m.summary(RUN, "overlap_max")[0]


momentum_closes("MOMENTUM-fig08-bowl", "gravity, the tank", runs=RUN)
