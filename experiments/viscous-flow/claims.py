"""Viscosity: claims."""

import math

from arithmetic import max, sum
from claims import claim, ledger_closes


def speeds(m, run, first, last):
    """Where particles began, and how fast they go down the duct between two frames, m/s."""
    passed = (int(last) - int(first)) * m.setting(run, "time.frame_interval")[0]
    places = zip(*(m.face(run, "middle", first, name) for name in ("u", "v", "displacement")), m.face(run, "middle", last, "displacement"))
    return [(u, v, (after - before) / passed) for u, v, before, after in places]


def duct(width, x, y):
    """The flow through a square duct, over g/nu: the series of sines of the Poisson equation, m^2."""
    odd = range(1, 40, 2)
    across = {k: (math.sin(k * math.pi * (x / width + 0.5)), math.sin(k * math.pi * (y / width + 0.5))) for k in odd}
    return width**2 * sum(16 / (math.pi**4 * i * j * (i * i + j * j)) * across[i][0] * across[j][1] for i in odd for j in odd)


def width_of(m, run):
    return m.setting(run, "walls.duct.shape.box.size")[0][0]


def fall(m, run):
    """The fit of the theory to the fall: viscosity over that asked for, and what is left over the flow, rms."""
    flow = [(duct(width_of(m, run), x, y), speed) for x, y, speed in speeds(m, run, "7", "9")]
    factor = sum(u * w for u, w in flow) / sum(u * u for u, _ in flow)
    left = sum((w - factor * u)**2 for u, w in flow) / sum((factor * u)**2 for u, _ in flow)
    gravity = -m.setting(run, "gravity")[0][2]
    return gravity / factor / m.setting(run, "materials.water.viscosity")[0], math.sqrt(left)


def amplitude(m, run, first, last):
    """Of the slowest wave, m/s."""
    k = math.pi / width_of(m, run)
    wave = [(math.cos(k * x) * math.cos(k * y), speed) for x, y, speed in speeds(m, run, first, last)]
    return sum(c * speed for c, speed in wave) / sum(c * c for c, _ in wave)


def decay(m, run):
    """Viscosity by which the slowest wave decays, over that asked for."""
    passed = 12 * m.setting(run, "time.frame_interval")[0]
    rate = math.log(amplitude(m, run, "4", "5") / amplitude(m, run, "16", "17")) / passed
    k = math.pi / width_of(m, run)
    return rate / (2 * k * k) / m.setting(run, "materials.water.viscosity")[0]


def all_of(m, flow, lattices=("straight", "turned", "disordered")):
    value, name = (fall, "fall") if flow == "fall" else (decay, "wave")
    return {(width, lattice): value(m, f"{name}-{width}-{lattice}") for width in m.axis("width") for lattice in lattices}


def farthest(ratios):
    return max(abs(ratio - 1) for ratio in ratios)


@claim("VISCOSITY-duct", kind="physics",
       states="water falls through a no-slip duct, 8 and 16 particles wide, as with the viscosity asked for, whatever its arrangement: "
              "largest relative error of the viscosity that fits",
       holds="< 0.25", because="the walls are known to a fraction of a spacing, d/4 on each side of 8 d: 2 (d/2)/(8 d) in the speed")
def in_the_duct(m):
    return farthest(ratio for ratio, _ in all_of(m, "fall").values())


@claim("VISCOSITY-duct-16", kind="physics",
       states="... 16 particles wide",
       holds="< 0.125", because="half of that")
def in_the_wide_duct(m):
    return farthest(ratio for (width, _), (ratio, _) in all_of(m, "fall").items() if width == "16")


@claim("VISCOSITY-isotropic", kind="physics",
       states="of the lattice along the walls and turned by 45 degrees, 16 wide: viscosities of fall and of decay, largest ratio",
       holds="< 1.25", because="the kernel is isotropic to 2 %; layers that are not flush with walls slip by a part of a spacing, and a rounding error changes "
       "the decay: the ratio scatters by 0.08, of which this is three times")
def isotropic(m):
    ratios = [(fall(m, f"fall-16-{name}")[0], decay(m, f"wave-16-{name}")) for name in ("straight", "turned")]
    return max(max(a / b, b / a) for a, b in zip(*ratios))


@claim("VISCOSITY-profile", kind="physics",
       states="the flow has the shape of theory, 8 and 16 wide: largest rms difference over the rms flow",
       holds="< 0.07", because="a slip by d/4 at each wall is 0.25/8 of the speed at rms near walls twice")
def profile(m):
    return max(left for _, left in all_of(m, "fall").values())


@claim("VISCOSITY-wave", kind="physics",
       states="a flow along the duct decays as its slowest wave: largest relative error of the viscosity, 8 and 16 wide",
       holds="< 0.25", because="as of the fall")
def in_the_wave(m):
    return farthest(all_of(m, "wave").values())


BESSEL = 3.8317059702075125  # where J1 is 0 first, after 0


def stopping(m, run):
    """Viscosity by which the slowest of the waves dies down that the rotation of a round tube is made of, over that asked for."""
    nu, radius = m.setting(run, "materials.water.viscosity")[0], m.setting(run, "walls.tube.shape.cylinder.radius")[0]
    rate = nu * (BESSEL / radius)**2
    time, turning = m.column(run, "time"), m.column(run, "angular_z")
    first, last = (next(k for k, t in enumerate(time) if t * rate >= passed) for passed in (1.5, 2.5))
    return math.log(turning[first] / turning[last]) / (time[last] - time[first]) / rate


def effective(m):
    """The viscosity over that asked for of the flows through ducts 16 wide."""
    ratios = [ratio for (width, _), (ratio, _) in all_of(m, "fall").items() if width == "16"]
    ratios += [ratio for (width, _), ratio in all_of(m, "wave").items() if width == "16"]
    return sum(ratios) / len(ratios)


def turns(m, radius):
    """Viscosity by which water stops to turn over the effective one."""
    return stopping(m, f"turn-{radius}") / effective(m)


@claim("VISCOSITY-turn", kind="physics",
       states="water that turns in round no-slip tubes, 8 and 16 spacings in radius R, stops at the rate nu (3.8317 / R)^2, nu from the ducts 16 "
              "wide: largest relative error",
       holds="< 0.125", because="the walls are known to half a spacing: 2 (d/2) / (8 d) in R^2")
def stops(m):
    return farthest(turns(m, radius) for radius in m.axis("radius"))


# ---- a ball that is towed along a tube ----

def push(m, run, axis, first, last=math.inf):
    """The force of the fluid on a body between two times, N."""
    time, dt, impulse = (m.column(run, name) for name in ("time", "dt", f"fluid_impulse_{axis}"))
    taken = [k for k, t in enumerate(time) if first < t <= last]
    return sum(impulse[k] for k in taken) / sum(dt[k] for k in taken)


def displaced(m, run):
    """Volume of a body that does not move freely, by its particles, m^3."""
    particles = m.summary(run, "particles")[0] - m.body(run, "water", "particles")[0]
    return particles * (2 * m.setting(run, "bodies.water.radius")[0])**3


def haberman(m, run):
    """Drag of a ball on the axis of a tube (Haberman and Sayre 1958) with the effective viscosity, N."""
    radius = (3 * displaced(m, run) / (4 * math.pi))**(1 / 3)
    k = radius / m.setting(run, "walls.tube.shape.cylinder.radius")[0]
    confined = (1 - 0.75857 * k**5) / (1 - 2.1050 * k + 2.0865 * k**3 - 1.7068 * k**5 + 0.72603 * k**6)
    mu = m.setting(run, "bodies.water.density")[0] * m.setting(run, "materials.water.viscosity")[0] * effective(m)
    return 6 * math.pi * mu * radius * -m.setting(run, "motions.tow.velocity")[0][2] * confined


TOWED = 0.13  # s, from which on the flow around the ball is steady: three times the slowest decay in the tube after the start


def drag(m, run):
    """Of the ball, less its buoyancy, N."""
    water = m.setting(run, "bodies.water.density")[0] * -m.setting(run, "gravity")[0][2]
    return push(m, run, "z", TOWED) - water * displaced(m, run)


def by_speed(m):
    """The drag that the greater speed adds, over Haberman's."""
    return (drag(m, "ball-fast") - drag(m, "ball-slow")) / (haberman(m, "ball-fast") - haberman(m, "ball-slow"))


def borne(m):
    """The drag that does not depend on speed, over that at the greater one."""
    return 2 * drag(m, "ball-slow") / drag(m, "ball-fast") - 1


@claim("VISCOSITY-ball", kind="physics",
       states="twice the speed of a ball in a no-slip tube, 6 of 15 spacings in radius, adds the drag that Haberman and Sayre's formula adds, with the "
              "viscosity of the ducts: relative error",
       holds="< 0.2", because="radii of ball and tube are known to a quarter of a spacing, 2.4/24 and 1.4/60 in the drag, which two deviations of 0.04 by chance add to")
def ball(m):
    return abs(by_speed(m) - 1)


@claim("VISCOSITY-ball-borne", kind="physics",
       states="... and water bears nothing without flowing: drag that does not depend on speed, over that at the greater one",
       holds="< 0.1", because="inertia makes it -0.03, 3/16 of the difference of the Reynolds numbers; two deviations of 0.04 by chance")
def bears(m):
    return abs(borne(m))


@claim("VISCOSITY-lattice", kind="physics",
       states="on a lattice at rest the viscosity along a diagonal is that along an axis: relative difference",
       holds="< 0.05", because="a kernel with one parameter in steps of 1/2; with Wendland's slope it is 1.6")
def on_the_lattice(m):
    return abs(m.measured("V32.lattice_diagonal") / m.measured("V32.lattice_axis") - 1)


@claim("VISCOSITY-stress", kind="physics",
       states="a no-slip wall takes the stress of the flow along it, mean over places of its points: relative error",
       holds="< 0.1", because="the lattice alone has 1.09 times the viscosity")
def at_the_wall(m):
    return abs(m.measured("V32.wall_stress") - 1)


def braking(m, run):
    """The rate at which the energy of motion falls in the second half, 1/s."""
    time, energy = m.column(run, "time"), m.column(run, "kinetic")
    first = next(k for k, t in enumerate(time) if t >= 0.2)
    return math.log(energy[first] / energy[-1]) / (time[-1] - time[first])


@claim("VISCOSITY-friction", kind="finding",
       states="water without viscosity brakes itself where it is under pressure: loss of energy of a turning tank at g over that at g/10",
       holds="> 1.12", because="particles under pressure must climb over each other; a fluid without friction would not know its weight, and four runs with spins that differ by "
       "a thousandth scatter by 0.04")
def friction(m):
    return braking(m, "tank-heavy") / braking(m, "tank-light")


ledger_closes()
