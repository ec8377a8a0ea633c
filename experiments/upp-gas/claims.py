"""Gas under constraints of positions: plumes, closed rooms, vortices: claims."""

import math

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes, measured

BALL, RADIUS = (0.02, 0.01, 0.6), 0.16  # of plume.yaml, m
FREE = 0  # state of a particle


def gas(m, run, frame):
    """Places of the gas that is here."""
    return [x for x, state in zip(m.field(run, frame, "position"), m.field(run, frame, "state")) if state == FREE]


LAST = 30  # frame of a plume


# ---- open -----------------------------------------------------------------------------------------------


@claim("U74-count", kind="unified", states="a plume of 16 384 particles of gas, or of an eighth of them that are twice as large: particles, if they were of 1 cm",
       holds="== 16384", because="a count; `make SCALE=paper` has all")
def count(m):
    return len(m.field("plume-10", 0, "state")) * round(m.setting("plume-10", "bodies.core.radius")[0] / 0.01)**3


@claim("U74-rises", kind="unified", states="... rises: least change of the height of its center from frame to frame after 0.5 s, m", holds="> 0", because="it rises",
       scatter="some 3 cm at each of 23 frames")
def rises(m):
    height = [mean([x[2] for x in gas(m, "plume-10", k)]) for k in range(7, LAST + 1)]
    return min(b - a for a, b in zip(height, height[1:]))


@claim("U79-gas", kind="unified", states="solids need no special handling for gas: particles inside a ball in the plume's way, in all frames of all plumes", holds="== 0",
       because="contact holds them")
def inside(m):
    runs = [f"plume-{beta}" for beta in m.axis("beta")] + [f"drag-{k}" for k in m.axis("drag")]
    return sum(math.dist(x, BALL) < RADIUS for run in runs for k in range(1, LAST + 1) for x in gas(m, run, k))


def filled(m, run):
    """The volume of gas over that of the box around it, at the end."""
    places = gas(m, run, LAST)
    sides = [max(x[i] for x in places) - min(x[i] for x in places) for i in range(3)]
    return len(places) * (2 * m.setting(run, "bodies.core.radius")[0])**3 / (sides[0] * sides[1] * sides[2])


@claim("U82-plume", kind="unified", states="gas is simulated only where smoke is: its volume over that of the box that holds all of it at the end", holds="< 0.2",
       because="a fifth: of a domain that leaves the air room to flow back it is less")
def sparse(m):
    return filled(m, "plume-10")


def far(m, run):
    """The largest mean speed of the gas at the other end, m/s."""
    place, last = m.field(run, 0, "position"), 10
    there = [i for i, x in enumerate(place) if x[0] > 1.4]
    return max(mean([math.hypot(*v[i]) for i in there]) for v in (m.field(run, k, "velocity") for k in range(1, last + 1)))


@claim("U84-open", kind="unified", states="where there is gas only here and there, effects at a distance are not captured: largest mean speed of gas 1.2 m away from a gust of 2 m/s, m/s",
       holds="< 1e-9", because="rounding of places, over a step: nothing is in between")
def far_open(m):
    return far(m, "open")


@claim("U84-closed", kind="unified", states="... but where the room is full, m/s", holds="> 0", because="it is moved at all", scatter="the largest of ten frames, each above 0")
def far_closed(m):
    return far(m, "closed")


measured("U81-inside", "U81.inside", kind="unified", states="drag acts near the free surface only: of gas in a lattice, the largest change of velocity two layers and more below it, over that at it",
         holds="< 0.01", because="1 %: the factor is 1 - S / S_0, 0 to rounding where all neighbors are there")

# ---- closed ---------------------------------------------------------------------------------------------


@claim("U75-room", kind="unified", states="a closed room keeps its rest density: largest compression of gas that presses upwards with a fifth of its weight, in steps of 8 ms with 8 iterations",
       holds="< 0.05", because="5 %; the paper has no number", scatter="a fifth of the bound, the largest of 3456 particles and 150 steps")
def room(m):
    return max(m.column("room", "density_error_max"))


def rise(m, run):
    """The mean speed at which warm gas rises, m/s."""
    z, time = m.body(run, "warm", "z"), m.body(run, "warm", "time")
    return (z[-1] - z[0]) / time[-1]


@claim("U76-monotonic", kind="unified", states="less gravity on gas makes it rise: mean speed of warm gas in 1.2 s, least ratio of that of one to that of the next less light one, of 0.1, 0.2 and 0.4 of "
                                               "its weight",
       holds="> 1", because="the lighter, the faster")
def faster(m):
    speed = [rise(m, f"warm-{warmth}") for warmth in m.axis("warmth")[1:]]
    return min(b / a for a, b in zip(speed, speed[1:]))


@claim("U76-equal", kind="unified", states="... and gas as light as that around it does not: its speed over the largest", holds="< 1e-3", because="symmetry; a thousandth of what is seen")
def still(m):
    return abs(rise(m, "warm-0") / rise(m, "warm-0.4"))


# ---- vortices -------------------------------------------------------------------------------------------

measured("U86-lattice", "U86.lattice", kind="unified", states="normals by the gradient of the density are short inside and long at the surface: mean length inside a lattice over that at its faces",
         holds="< 0.2", because="a fifth; sums over a full lattice are 0 to rounding")
measured("U86-disordered", "U86.disordered", kind="unified", states="... the same with places that are random by a tenth of a spacing each way", holds="< 0.2", because="as above",
         known="the 32 neighbors of a particle do not cancel any more")


def enstrophy(m, run):
    """Its mean from 1 to 2 s, 1/s^2."""
    time, value = m.column(run, "time"), m.column(run, "enstrophy")
    return mean([e for t, e in zip(time, value) if 1 <= t <= 2])


@claim("U87-grows", kind="unified", states="beta sets how much turbulent motion the baroclinic term adds: mean enstrophy of the plume from 1 to 2 s, least ratio of that with one beta to that with the "
                                           "next smaller one, of 0, 10, 30 and 100 1/s",
       holds="> 1", because="it rises")
def grows(m):
    values = [enstrophy(m, f"plume-{beta}") for beta in m.axis("beta")]
    return min(b / a for a, b in zip(values, values[1:]))


def width(m, run):
    """Root mean square distance of the gas from its axis at the end, m."""
    return math.sqrt(mean([x[0]**2 + x[1]**2 for x in gas(m, run, LAST)]))


@claim("U88-width", kind="unified", states="high drag gives good results, which has no number; what it does is to hold the plume together: its width at the end with k = 50 over that without drag",
       holds="< 0.5", because="less than half is seen in any picture")
def narrow(m):
    return width(m, "plume-10") / width(m, "drag-0")


# ---- cohesion, and cloth -------------------------------------------------------------------------------


def around(m, run):
    """Particles of gas within two spacings of those of smoke, mean after 2 s."""
    return mean(m.table(run, "diffuse.csv", "neighbors")[-6:])


@claim("U85-more", kind="unified", states="weak cohesion keeps gas around smoke: neighbors of a particle of smoke after 2 s with half of its weight as cohesion, over those without, drag k = 5",
       holds="> 1", because="more is the statement")
def kept(m):
    return around(m, "loose-5") / around(m, "loose-0")


COLUMNS, HEIGHT = 3, 0.32  # of curtain.yaml; m


@claim("U89-fallen", kind="unified", states="a falling cloth topples bodies: columns of which all is below half of their height at the end", holds=">= 1", because="one or more")
def fallen(m):
    return sum(m.body("curtain", f"column-{k + 1}", "max_z")[-1] < HEIGHT / 2 for k in range(COLUMNS))


@claim("U89-aside", kind="unified", states="... and then meets a plume, which it turns aside: the farthest that the center of the gas is from the middle of its inlets, m", holds="> 0.04",
       because="a spacing; alone it stays in the middle", scatter="more than twice the bound")
def aside(m):
    def center(frame):
        body, places = m.field("curtain", frame, "body"), m.field("curtain", frame, "position")
        mixed = [x[0] for x, b, state in zip(places, body, m.field("curtain", frame, "state")) if state == FREE and b >= last - 1]
        return mean(mixed)
    last = max(m.field("curtain", 0, "body"))
    return max(-0.25 - center(k) for k in range(11, 31))


measured("U89-opposite", "U89.off", kind="unified",
         states="momentum that cloth and gas exchange is equal and opposite with masses split: what gas that is blown against a cloth loses beside what air has of it, less what the cloth takes, "
                "over the gas's momentum at the start",
         holds="< 1e-12", because="rounding")
measured("U89-taken", "U89.taken", kind="unified", states="... and it is exchanged: what the cloth takes, over that momentum", holds="> 0.1", because="a tenth is more than any error here")
measured("UPP-gas-given", "U89.averages", kind="finding", states="... but not opposite under the paper's averages: the same difference", holds="> 0.01", because="a hundredth is more than any error here")


@claim("U89-through", kind="unified", states="... no gas goes through it: particles on the other side, in steps of 4 ms", holds="== 0", because="none")
def through(m):
    return max(m.summary("curtain", "penetrated_max"))


@claim("U89-steps", kind="unified", states="... and in the paper's steps of 8 ms", holds="== 0", because="none",
       known="the cloth swings by three quarters of the distance of contact in such a step, and a few of the 1200 particles get through")
def through_long(m):
    return max(m.summary("curtain-long", "penetrated_max"))


ledger_closes()


@claim("MOMENTUM-upp-gas", kind="physics", states="the ledger accounts for the momentum that gas exchanges with air, walls and inlets: largest drift of runs in which something moves",
       holds="< 1e-9", because="rounding")
def momentum(m):
    return max(max(m.column(runs, "momentum_drift")) for runs in ("plume-*", "drag-*", "loose-*", "held-*", "warm-0.*", "room", "open", "closed", "shed"))
