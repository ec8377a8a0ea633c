"""Figure 8, middle: claims."""

from claims import claim

DEBRIS = 3  # particles, as in docs/measures.md
IMPACT = 0.01  # s after the first crack: what the first impact breaks; a wave crosses the wall's width in half of it
CRACKED, BROKEN, LAST = 10, 16, 50  # frames: after the first impact; when the wall has fallen apart; the last one
BOND = 3  # spacings, the length of the longest bond


def wall(m, key):
    return m.setting("dam", f"bodies.wall.{key}")[0]


def after(m, column):
    """The end of the first step in which the column is above 0, s."""
    return min(time for time, value in zip(m.column("dam", "time"), m.column("dam", column)) if value > 0)


def broken(m, time):
    """Bonds broken by then."""
    return max([0.0] + [bonds for t, bonds in zip(m.column("dam", "time"), m.column("dam", "broken_bonds")) if t <= time])


def time_of_break(m):
    """The first through-crack, s."""
    return m.summary("dam", "through_crack_time")[0]


def falls_apart(m):
    """The end of the first step that leaves more than one piece larger than debris, s."""
    return min(time for time, chunks in zip(m.column("dam", "time"), m.column("dam", "chunks")) if chunks > 1)


def end(m):
    """The time of the last frame, s."""
    return m.setting("dam", "time.end")[0]


@claim("M28-small-cracks", kind="paper",
       states="the first impact makes small fractures: bonds broken within 0.01 s of the first crack, as a fraction of all that break",
       holds="< 0.1", because="small beside what follows: a tenth")
def small_cracks(m):
    return broken(m, after(m, "broken_bonds") + IMPACT) / m.last("dam", "broken_bonds")[0]


@claim("M28-later", kind="paper",
       states="the wall breaks after the first impact: time from the first crack to the first through-crack, s",
       holds="> 0.02", because="four times as long as a wave takes across the wall's width: what breaks then does so under the load that "
                               "follows the impact")
def later(m):
    return time_of_break(m) - after(m, "broken_bonds")


def face(m, frame):
    """The layer of the wall that the water hits, as (row, column) -> (damage, fragment)."""
    u, v, damage, fragment = (m.face("dam", "front", frame, name) for name in ("u", "v", "damage", "fragment"))
    spacing = 2 * wall(m, "radius")
    return {(round((y - min(v)) / spacing), round((x - min(u)) / spacing)): (d, f) for x, y, d, f in zip(u, v, damage, fragment)}


def at_cracks(m):
    """The places of that layer beside another fragment, when the wall has fallen apart."""
    last = face(m, BROKEN)
    return [(r, c) for (r, c), (_, f) in last.items()
            if any(last.get(beside, (0, f))[1] != f for beside in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)))]


def near(places, place):
    return any((place[0] - r) ** 2 + (place[1] - c) ** 2 <= BOND ** 2 for r, c in places)


@claim("M28-weak-points", kind="paper",
       states="the first cracks are where the wall breaks: of the bonds that broke in the first impact, the fraction at most a bond's "
              "length from a crack that parts the face once the wall has fallen apart",
       holds="> 0.9", because="all but a tenth; of the whole face less than half is that near")
def weak_points(m):
    cracks = at_cracks(m)
    first = [(place, damage) for place, (damage, _) in face(m, CRACKED).items() if damage > 0]
    return sum(damage for place, damage in first if near(cracks, place)) / sum(damage for _, damage in first)


def near_cracks(m):
    """The fraction of the whole face that is so near."""
    cracks, places = at_cracks(m), face(m, BROKEN)
    return sum(near(cracks, place) for place in places) / len(places)


FOOT = 0  # the fragment of the foot: that of the first particle of the wall, which is at its bottom


def pieces(m, column):
    """Of what came off the foot and is larger than debris, at the end: (particles, value) each."""
    name, size, value = (m.fragments("dam", "wall", key, start=end(m)) for key in ("fragment", "particles", column))
    return [(n, x) for f, n, x in zip(name, size, value) if f != FOOT and n > DEBRIS]


def mean(pairs):
    """Of (weight, value)."""
    return sum(w * x for w, x in pairs) / sum(w for w, _ in pairs)


@claim("M28-pieces", kind="paper",
       states="the wall breaks in pieces: pieces larger than debris that came off its foot, mean over the frames from when it has fallen apart",
       holds=">= 3", because="more than the two that one crack makes; at one instant it is chance: 2 to 6 at the end of runs that differ by "
                            "roundings, where the mean is 3.3 to 5")
def number_of_pieces(m):
    fallen = BROKEN * m.setting("dam", "time.frame_interval")[0] - 1e-9
    name, size = (m.fragments("dam", "wall", key, start=fallen) for key in ("fragment", "particles"))
    return sum(f != FOOT and n > DEBRIS for f, n in zip(name, size)) / (LAST - BROKEN + 1)


def section(m, name):
    return m.section("dam", LAST, name)


def speeds(m):
    """(of a particle of a piece, mean of the water within two bonds' lengths of it), m/s, in the cross-section at the end."""
    rows = list(zip(section(m, "body"), section(m, "u"), section(m, "v"), section(m, "speed"), section(m, "fragment")))
    reach = 2 * BOND * 2 * wall(m, "radius")
    water = [(u, v, speed) for body, u, v, speed, _ in rows if body == "water"]
    found = []
    for body, u, v, speed, fragment in rows:
        around = [s for x, y, s in water if (x - u) ** 2 + (y - v) ** 2 <= reach ** 2]
        if body == "wall" and fragment != FOOT and around:
            found.append((speed, sum(around) / len(around)))
    return found


@claim("M28-carried", kind="paper",
       states="the pieces are carried away: their center of mass has moved so far along the channel at the end, in thicknesses of the wall",
       holds="> 1", because="out of the place where the wall was")
def carried(m):
    return (mean(pieces(m, "x")) - wall(m, "position")[0]) / wall(m, "shape.box.size")[0]


@claim("M28-follow", kind="paper",
       states="the pieces follow the flow: mean speed of their particles over that of the water around them, in the cross-section at the end",
       holds="> 0.5", because="nearer to the speed of the water than to rest")
def follow(m):
    found = speeds(m)
    return sum(own for own, _ in found) / sum(flow for _, flow in found)


@claim("WALL-tight", kind="physics",
       states="no water gets through the wall, or over it, until it falls apart: how far the foremost particle is at least in front of the "
              "place of the wall's back face, in any frame until then, radii",
       holds="> 1", because="at the wall's front a center is a thickness and a radius, nine radii, in front of its back; until it falls apart "
                            "the wall yields by less than half its thickness")
def tight(m):
    back = wall(m, "position")[0] + wall(m, "shape.box.size")[0] / 2
    return (back - max(m.body("dam", "water", "max_x", end=falls_apart(m)))) / wall(m, "radius")


@claim("WALL-momentum", kind="physics",
       states="momentum changes only by gravity, supports, walls, coupling and the solver's residual: what remains, relative",
       holds="< 1e-9", because="rounding of some thousand steps")
def momentum(m):
    return m.summary("dam", "momentum_remainder")[0]


@claim("WALL-overlap", kind="finding",
       states="until the wall falls apart, water overlaps it by less than a tenth of the contact distance: largest overlap, radii",
       holds="< 0.2", because="a drop at the fastest speed, 10 m/s, moves 0.15 radii in a step, and contact is found at its end")
def dam_overlap(m):
    whole = falls_apart(m)
    return max(depth for time, depth in zip(m.column("dam", "time"), m.column("dam", "overlap_depth")) if time <= whole)


claim("WALL-centers", kind="finding",
      states="no center of water ever lies inside a particle of the wall: number of pairs",
      holds="== 0", because="a count of pairs: none is allowed",
      value=lambda m: max(m.column("dam", "overlap_half")))
