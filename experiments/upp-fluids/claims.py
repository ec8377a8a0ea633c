"""Fluids by constraints of positions: water at rest, bodies that float, two layers, a collapsing column: claims."""

import math

from arithmetic import at, max, mean, min, sum
from claims import claim, ledger_closes
from phases import mixed, outside

RATIOS = {"025": 0.25, "050": 0.5, "075": 0.75}  # of densities, in the names of runs
RADIUS = 0.025  # m, of the particles of cubes and of the water around them
TIME = 18.528  # 1/s, sqrt(2 g / a): Martin and Moyce's T = t sqrt(2 g / a), as in fluids-alone
PUBLISHED = "../fluids-alone/martin-moyce-1952.csv"


# ---- water at rest ----

def height(m, run):
    """How high the center of the water is at rest, over where it began: mean of the last half second of frames."""
    z = m.body(run, "water", "z")
    return mean(z[-5:]) / z[0]


STILL = "the last five frames differ by less than a thousandth of the height"
REST = "measured before with a prototype, and then rounded down; what is missing is what iterations do not reach"


@claim("UPP-fluids-rest-2", kind="finding",
       states="water 12 layers deep at rest stands nearly as high as its lattice, with 2 iterations at 120 Hz: height of its center over that",
       holds=">= 0.955", because=REST,
       scatter=STILL)
def rest_2(m):
    return height(m, "rest-2")


@claim("UPP-fluids-rest-4", kind="finding", states="the same with 4 iterations", holds=">= 0.97", because=REST,
       scatter=STILL)
def rest_4(m):
    return height(m, "rest-4")


@claim("UPP-fluids-rest-8", kind="finding", states="the same with 8 iterations", holds=">= 0.98", because=REST,
       scatter=STILL)
def rest_8(m):
    return height(m, "rest-8")


@claim("UPP-fluids-rest-16", kind="finding", states="the same with 16 iterations", holds=">= 0.985", because=REST,
       scatter=STILL)
def rest_16(m):
    return height(m, "rest-16")


@claim("UPP-fluids-rest-steps", kind="finding",
       states="four steps of one iteration keep the height better than one step of four: what is missing of it, over that of one step",
       holds="< 1", because="then small steps are the better use of the same work, for fluids, too",
       scatter=STILL)
def small_steps(m):
    return (1 - height(m, "rest-steps")) / (1 - height(m, "rest-4"))


@claim("UPP-fluids-weight", kind="physics",
       states="the walls of the tank bear the weight of the water in it: largest relative difference of impulses over the second second",
       holds="< 0.01", because="the water still moves a little; over a second that is less than 1 % of its weight",
       scatter="a mean over a second, a thirteenth of the bound")
def weight(m):
    def error(run):
        time, support, gravity = (m.column(run, name) for name in ("time", "support_impulse_z", "gravity_impulse_z"))
        late = [i for i, t in enumerate(time) if t > 1]
        return abs(sum(support[i] for i in late) / -sum(gravity[i] for i in late) - 1)
    return max(error(f"rest-{n}") for n in m.axis("iterations"))


@claim("U15-falls", kind="unified",
       states="density constraints converge by Jacobi's iteration without averaging: mean compression of the water at rest, largest ratio of that "
              "with twice the iterations to that with fewer",
       holds="< 1", because="it falls",
       scatter="each is half of the one before")
def compression_falls(m):
    errors = [mean(m.column(f"rest-{n}", "density_error_mean")[-60:]) for n in m.axis("iterations")]
    return max(later / before for before, later in zip(errors, errors[1:]))


@claim("U15-box", kind="unified",
       states="the same for a full closed box, 20 layers deep: largest compression of a particle in 0.6 s with 4 iterations",
       holds="< 0.25", because="beyond that layers mix; the factor Lambda of our denominator (src/constraints/density_lattice.c) makes every mode of the lattice decay",
       scatter="half of the bound")
def box(m):
    return max(m.column("box-4", "density_error_max"))


@claim("U64-far", kind="unified", states="density constraints only separate: correction of two far particles and of a stretched lattice, m",
       holds="<= 1e-15", because="rounding")
def far(m):
    return m.measured("U64.left_alone")


@claim("U64-outward", kind="unified", states="... and of a compressed lattice: the part that points inwards, over all",
       holds="<= 1e-12", because="rounding")
def outward(m):
    return m.measured("U64.inward")


@claim("U67-equal", kind="unified",
       states="solids that are sampled as the fluid is count with s = 1: the s at which particles at a wall of solids are as dense as those inside",
       holds="== 1", because="the lattice goes on; s was tried in steps of 0.01")
def equal(m):
    return m.measured("U67.equal")


@claim("U67-denser", kind="unified",
       states="... and with less if they are closer: the same for solids 0.75 and 0.5 spacings apart, the larger of the ratios of that for closer solids to that for "
              "farther ones",
       holds="< 1", because="it falls")
def denser(m):
    equal, three_quarters, half = (m.measured(f"U67.{name}") for name in ("equal", "three_quarters", "half"))
    return max(three_quarters / equal, half / three_quarters)


@claim("U68-even", kind="unified",
       states="a correction per particle is not needed where solids are sampled evenly: the density of water on a block, or on a plate of one layer, that counts solids by their volumes (Akinci et al. "
              "2012), less that with s = 1, over that at rest, the larger of the two",
       holds="< 0.05", because="within 5 %")
def even(m):
    return max(m.measured("U68.block"), m.measured("U68.plate"))


# ---- cohesion ----

def stray(m, kind, frame):
    """The part of a drop that is outside the ball of its volume, each seed."""
    return [outside(m.field(f"{kind}-{seed}", frame, "position"), 0.05) for seed in m.axis("seed")]


@claim("U65-round", kind="unified",
       states="cohesion rounds a drop: a block twice as long as it is wide, without weight, the part of it that is outside the ball of its volume after 5 s, the most of the seeds", holds="< 0.1",
       because="a third at first; a tenth if particles at the surface of a ball are up to half a spacing off")
def round_drop(m):
    return max(stray(m, "drop", 10))


@claim("U65-loose", kind="unified", states="... and without it, where the disorder of the start pushes the block apart, the least", holds="> 0.33", because="as at first")
def loose_drop(m):
    return min(stray(m, "loose", 10))


def blended(m, pull):
    """Of neighboring particles, those of the other fluid, in the last 1.6 s of the two layers that change places."""
    runs = [f"apart-{pull}-{seed}" for seed in m.axis("seed")]
    return mean(mixed(m.field(run, frame, "position"), m.field(run, frame, "body"), 0.15) for run in runs for frame in range(100, 151, 10))


@claim("U73-apart", kind="unified",
       states="cohesion acts within a fluid alone, so that fluids stay apart: part of neighbors that are of the other fluid, after two layers have changed places, with 16 "
              "m/s^2 over that without, means of the seeds",
       holds="< 1", because="fewer is the statement")
def stay_apart(m):
    return blended(m, 16) / blended(m, 0)


# ---- bodies ----

@claim("UPP-fluids-rise", kind="finding",
       states="a cube of half the density of water that is let go 20 cm under water rises too slowly: time for the first 4 cm, over that in which half the weight "
              "of the water in its place moves its mass and half of that of the water",
       holds="> 1.5", because="the drag of a cube makes it 1.05",
       scatter="2.0 to 2.9 in steps of 1 to 8 ms, with 1 to 16 iterations, and with particles half as large")
def rises(m):
    way = 0.04
    time, z = m.body("rise", "cube", "time"), m.body("rise", "cube", "z")
    k = next(k for k, h in enumerate(z) if h - z[0] > way)
    arrives = at(way, [h - z[0] for h in z[k - 1:k + 1]], time[k - 1:k + 1])
    return arrives / math.sqrt(2 * way / (9.81 * 0.5 / (0.5 + 0.5)))


def shares(m, run):
    """How much of the cube is below the surface, in each of the last frames: its particles count with their part below, and the surface
    is where the highest particles of the water end in columns that are a spacing or more beside the cube."""
    for frame in (34, 36, 38, 40):
        body, u, v, depth = (m.section(run, frame, name) for name in ("body", "u", "v", "depth"))
        cube = [i for i, name in enumerate(body) if name == "cube"]
        low, high = (f(u[i] for i in cube) for f in (min, max))
        left, right = (f(depth[i] for i in cube) for f in (min, max))
        top = {}
        for i, name in enumerate(body):
            beside = not (low - 3 * RADIUS < u[i] < high + 3 * RADIUS and left - 3 * RADIUS < depth[i] < right + 3 * RADIUS)
            if name == "water" and beside:
                place = (math.floor(u[i] / (2 * RADIUS)), math.floor(depth[i] / (2 * RADIUS)))
                top[place] = max([top.get(place, -1), v[i]])
        tops = sorted(top.values())
        surface = tops[len(tops) // 2] + RADIUS
        yield mean([min([max([(surface - v[i] + RADIUS) / (2 * RADIUS), 0]), 1]) for i in cube])


def share(m, run):
    return mean(list(shares(m, run)))


@claim("U69-order", kind="unified",
       states="bodies of different masses float and sink: of the cubes and balls of Figure 12, the smallest difference of height between one and the next denser "
              "one, as long as both float, m",
       holds="> 0", because="the order of heights is that of densities",
       scatter="means over a second, in which what floats moves by a third of it")
def order(m):
    def z(kind, ratio):
        return mean(m.body("many", f"{kind}-{ratio}", "z")[-10:])
    return min(z(kind, a) - z(kind, b) for kind in ("cube", "ball") for a, b in (("025", "050"), ("050", "100"), ("100", "200")))


@claim("U69-sink", kind="unified",
       states="... and those of two and four times the density of water lie on the floor: largest gap between it and a body in the last second, in spacings",
       holds="< 1", because="less than a layer of water fits in between",
       scatter="the bound is a layer; what lies lower or higher than that is told apart by any of ten frames")
def sink(m):
    bodies = [("many", f"{kind}-{ratio}") for kind in ("cube", "ball") for ratio in ("200", "400")]
    bodies += [("cube-200", "cube"), ("cube-400", "cube")]
    return max((mean(m.body(run, body, "min_z")[-10:]) - RADIUS) / (2 * RADIUS) for run, body in bodies)


def farthest_off(m, counts):
    """The largest difference of the share below the surface from the ratio of densities."""
    return max(abs(share(m, f"cube-{name}-{n}") - ratio) for name, ratio in RATIOS.items() for n in counts)


@claim("U116-share", kind="unified",
       states="mass ratios do not give real submergence: largest difference of the share below the surface from the ratio of densities, cubes of 4^3, ratios 0.25, "
              "0.5 and 0.75, 4 iterations, dropped from 30 cm above the water",
       holds="> 0.06", because="a quarter of a layer of the cube's particles, to which a surface of particles is known",
       scatter="with 2 and 16 iterations, and let go under water, 0.10 to 0.22")
def submerged(m):
    return max(abs(share(m, f"drop-{name}") - ratio) for name, ratio in RATIOS.items())


@claim("UPP-fluids-share", kind="finding",
       states="... but cubes that are put on the water from 7 cm above it do float as deep as they are heavy: the same of these, 4 to 16 iterations",
       holds="< 0.06", because="as above",
       scatter="three numbers of iterations are as good as seeds, and differ by up to 0.02")
def put_on(m):
    return farthest_off(m, ("4", "8", "16"))


def layers_off(m, edge):
    """The same of cubes of edge^3 particles and 4 iterations, in layers of particles."""
    return int(edge) * max(abs(share(m, f"edge-{edge}-{name}") - ratio) for name, ratio in RATIOS.items())


@claim("UPP-fluids-sizes", kind="finding",
       states="... and so do cubes of 2^3 and 6^3 particles, 4 iterations: largest difference of the depth below the surface from what is right, three ratios of densities each, in "
              "layers of particles",
       holds="< 0.25", because="a quarter of a layer, as above")
def other_sizes(m):
    return max(layers_off(m, edge) for edge in m.axis("edge"))


@claim("UPP-fluids-two", kind="finding",
       states="two iterations at 120 Hz, which leave water twice as compressed as four, are as few as bodies float with: the same difference with them",
       holds="< 0.125", because="half a layer of the cube's particles",
       scatter="two thirds of the bound, where numbers of iterations beyond two differ by up to 0.02")
def submerged_two(m):
    return farthest_off(m, ("2",))


@claim("U115-size", kind="unified",
       states="bodies of many particles float as if they were heavier: share below the surface of a cube of 6^3 less that of one of 2^3, both half as dense as water",
       holds="> 0.05", because="the first layer of a larger body is a smaller part of it, so that an error there shows less than this",
       known="cubes that are put on the water do not: the momentum of the fluid around a body fixes its share, once solids feel the reaction of the density of fluids",
       scatter="a tenth of the bound, where numbers of iterations differ by up to 0.02")
def larger(m):
    return share(m, "edge-6-050") - share(m, "edge-2-050")


@claim("U66-through", kind="unified",
       states="at these time steps contacts keep fluids from going through solids: particles of the water on the wrong side of a plate of one layer, "
              "16 mm in a step of 8 ms",
       holds="== 0", because="none")
def through(m):
    return max(m.summary("plate", "penetrated_max"))


# ---- two layers ----

def amplitude(m, run, frame):
    """Of the first mode of the interface, m: the light fluid's particles fill columns below it."""
    radius, size = m.setting(run, "bodies.light.radius")[0], m.setting(run, "walls.tank.shape.box.size")[0]
    u = [x for x, body in zip(m.section(run, frame, "u"), m.section(run, frame, "body")) if body == "light"]
    return 2 * (2 * radius)**3 / (size[0] * size[1]) * sum(math.cos(2 * math.pi * x / size[0]) for x in u)


def theory(m, run):
    """sqrt(A g k tanh k H), 1/s, of two inviscid layers H high."""
    heavy, light = (m.setting(run, f"bodies.{name}.density")[0] for name in ("heavy", "light"))
    size, gravity = m.setting(run, "walls.tank.shape.box.size")[0], -m.setting(run, "gravity")[0][2]
    k = 2 * math.pi / size[0]
    return math.sqrt((heavy - light) / (heavy + light) * gravity * k * math.tanh(k * size[2] / 2))


def growth(m, run):
    """The rate at which a(t) = a(0) cosh(rate t) reaches the last amplitude that is below a tenth of the wavelength, over the theory's."""
    length, interval = m.setting(run, "walls.tank.shape.box.size")[0][0], m.setting(run, "time.frame_interval")[0]
    begun, last = amplitude(m, run, 0), 1
    while last < 20 and amplitude(m, run, last + 1) < length / 10:
        last += 1
    return math.acosh(amplitude(m, run, last) / begun) / (last * interval) / theory(m, run)


@claim("U71-grows", kind="unified",
       states="two fluids of 4:1, the heavier above, show the Rayleigh-Taylor instability: growth rate of the first mode over that of inviscid linear theory, "
              "40 particles to a wavelength",
       holds="> 0.7", because="within 30 %, below a tenth of the wavelength",
       scatter="other random places, and a stabilization iteration, change it by 0.01 to 0.03")
def grows(m):
    return growth(m, "layers")


@claim("U71-below", kind="unified",
       states="... and mix: the share of the heavy fluid in the lower half after 1.9 s",
       holds="> 0.3", because="at the start it is 2 %, and when layers have changed places it is all of it",
       scatter="twice the bound")
def below(m):
    body, v = m.section("layers", 60, "body"), m.section("layers", 60, "v")
    heavy = [z for z, name in zip(v, body) if name == "heavy"]
    return sum(z < 0 for z in heavy) / len(heavy)


@claim("UPP-fluids-finer", kind="finding",
       states="smaller particles bring the rate nearer to the theory: rate with 40 particles to a wavelength less that with 20, over the theory's",
       holds="> 0", because="layers of particles resist to flow along each other, and that is felt the less the more there are",
       scatter="other random places change a rate by 0.03, a tenth of it")
def finer(m):
    return growth(m, "layers") - growth(m, "layers-coarse")


# ---- a collapsing column ----

def front_at(m, run, time):
    """The position of the front over a, at time T."""
    times = [t * TIME for t in m.body(run, "water", "time")]
    radius, width = m.setting(run, "bodies.water.radius")[0], m.setting(run, "bodies.water.shape.box.size")[0][0]
    return at(time, times, [(x + radius) / width for x in m.body(run, "water", "max_x")])


def front_error(m, run):
    return max(abs(front_at(m, run, t) / z - 1) for t, z in zip(m.data(PUBLISHED, "T"), m.data(PUBLISHED, "Z")))


@claim("UPP-fluids-front", kind="physics",
       states="the front of a collapsing column moves as Martin and Moyce measured, with 4 iterations: largest relative deviation",
       holds="< 0.15", because="half as much again as the tenth by which the release of a real column and its floor make it late, as for SPH (fluids-alone)",
       known="it is a little farther ahead at T = 1.2, with any number of iterations, as the fronts of smaller particles or less viscosity are with SPH: walls "
             "have no friction here, and their column starts late",
       scatter="four numbers of iterations are as good as seeds, and differ by 0.005")
def front(m):
    return front_error(m, "dam-4")


@claim("UPP-fluids-front-late", kind="finding",
       states="that front is the measured one, later: largest deviation if its clock is set so that it agrees at T = 1.19, where it is farthest ahead",
       holds="< 0.1", because="the tenth by which the release of a real column and its floor make it late",
       scatter="as above")
def front_late(m):
    times, places = m.data(PUBLISHED, "T"), m.data(PUBLISHED, "Z")
    k = next(k for k, t in enumerate(times) if t == 1.19)
    late = next(shift for shift in (i / 1000 for i in range(1000)) if front_at(m, "dam-4", times[k] - shift) <= places[k])
    return max(abs(front_at(m, "dam-4", max([t - late, 0])) / z - 1) for t, z in zip(times, places))


ledger_closes()


@claim("MOMENTUM-upp-fluids", kind="physics",
       states="the ledger accounts for the momentum that water exchanges with walls: largest drift of water at rest and of the column",
       holds="< 1e-9", because="rounding")
def momentum(m):
    return max(max(m.column(runs, "momentum_drift")) for runs in ("rest-*", "box-*", "layers", "dam-*"))
