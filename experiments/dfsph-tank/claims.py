"""Incompressible SPH in a tank and a dam break: claims."""

from claims import claim, ledger_closes
from arithmetic import at, max, mean, sum

STEPS = ("0.25e-3", "1e-3", "4e-3")
LATE = 0.4  # s; the fall from the disturbed lattice is over


def late(m, run, column):
    return [value for time, value in zip(m.column(run, "time"), m.column(run, column)) if time > LATE]


def motion(m, run):
    """The kinetic energy that is left, J, mean."""
    return mean(late(m, run, "kinetic"))


def most_motion(m, run):
    return max(m.column(run, "kinetic"))


def all_products(m, run):
    return mean(m.column(run, "velocity_iterations")) + mean(m.column(run, "displacement_iterations"))


def carried(m, run):
    """The impulse of walls over that of gravity."""
    return -sum(late(m, run, "support_impulse_z")) / sum(late(m, run, "gravity_impulse_z"))


def layers(m, run):
    """Layers of one spacing, from below, but for the uppermost: mean depth, m, and mean pressure, Pa, over particles and the last
    hundred frames. Depths are from the surface as it was put there."""
    spacing, (_, _, height) = 2 * m.setting(run, "bodies.water.radius")[0], m.setting(run, "bodies.water.shape.box.size")[0]
    found = {}
    for frame in range(101, 201):
        for (_, _, z), pressure in zip(m.field(run, frame, "position"), m.field(run, frame, "pressure")):
            found.setdefault(int(z / spacing), []).append((height - z, pressure))
    rows = [found[layer] for layer in sorted(found) if layer < round(height / spacing) - 1]
    return [(mean(z for z, _ in row), mean(p for _, p in row)) for row in rows]


def off_weight(m, run):
    """By how much the pressure of a layer differs from that of the weight above it, over that at the floor: the most."""
    weight = 1000 * 9.81
    floor = weight * m.setting(run, "bodies.water.shape.box.size")[0][2]
    return max(abs(pressure - weight * depth) / floor for depth, pressure in layers(m, run))


def of_weight(m, run):
    """The pressure of each layer over that of the weight above it, from below."""
    return [pressure / (1000 * 9.81 * depth) for depth, pressure in layers(m, run)]


def jolts(m, run):
    """The scatter of what walls carry in single steps, over the weight."""
    single = [-s / g for s, g in zip(late(m, run, "support_impulse_z"), late(m, run, "gravity_impulse_z"))]
    middle = mean(single)
    return mean((s - middle)**2 for s in single)**0.5


@claim("DFSPH-weight", kind="physics",
       states="walls carry the weight of the water with each step: largest relative error, mean over the last half",
       holds="< 0.006", because="the water rests; the rest is its change of momentum, to rounding, which is chance: 0.0003 in one sample, 0.0027 in another; "
       "three times that scatter")
def weight(m):
    return max(abs(carried(m, f"{step}-displacement") - 1) for step in STEPS)


@claim("DFSPH-pressure", kind="physics",
       states="pressure is that of the weight above: largest error of a layer, mean over 100 late frames, over the pressure at the floor",
       holds="< 0.05", because="single layers at one instant scatter by 3 to 8 %",
       known="at 0.25 ms by chance: pressure in single steps scatters by half, and 100 frames leave a tenth of that; from 0.024 to "
             "0.10 in three samples. At 1 and 4 ms it holds")
def hydrostatic(m):
    return max(off_weight(m, f"{step}-displacement") for step in STEPS)


@claim("DFSPH-short-steps", kind="physics",
       states="what is left of the motion does not depend on the step: density repaired by displacement, at 0.25 ms over that at 1 ms",
       holds="<= 1.5", because="both solve the same problem; steps that made energy of their own would leave four times as much")
def short_steps(m):
    return motion(m, "0.25e-3-displacement") / motion(m, "1e-3-displacement")


@claim("DFSPH-boiling", kind="finding",
       states="density repaired in the velocity: the disturbed lattice explodes: most kinetic energy at 0.25 ms over that with displacement",
       holds="> 100", because="an error e becomes a velocity e d/dt: a compression by a third, 27 m/s, instead of a fall by a spacing, 0.5 m/s")
def boiling(m):
    return most_motion(m, "0.25e-3-velocity") / most_motion(m, "0.25e-3-displacement")


@claim("DFSPH-boiling-step", kind="finding",
       states="and the more so the shorter the step is: most kinetic energy at 0.25 ms over that at 4 ms, with jacobi as well: the smaller of both",
       holds="> 10", because="(e d/dt)^2 is 256 times as large; what the step limit shortens at 4 ms is not")
def boiling_step(m):
    return -max(-most_motion(m, f"0.25e-3-{way}") / most_motion(m, f"4e-3-{way}") for way in ("velocity", "jacobi"))


@claim("DFSPH-density", kind="physics",
       states="the mean density error stays small after the fall with each step: largest",
       holds="< 0.005", because="each solve leaves 2e-4, linearly; what moves by a tenth of a spacing adds the square of that")
def density(m):
    return max(max(late(m, f"{step}-displacement", "density_error_mean")) for step in STEPS)


@claim("DFSPH-divergence", kind="finding",
       states="the velocity problem is solved to its tolerance in every step after the first ten: largest divergence_error of all",
       holds="<= 1e-3", because="pressure.divergence_tolerance")
def divergence(m):
    return max(max(m.column(f"{step}-displacement", "divergence_error")[10:]) for step in STEPS)


@claim("DFSPH-depth", kind="finding",
       states="in deep water the two solves are hardly more work: products in a step at 40 layers over those at 10",
       holds="< 2", because="pressure reaches one layer farther in each iteration, and would take four times as many without the guesses of the step before")
def depth(m):
    return all_products(m, "layers-40") / all_products(m, "layers-10")


def front_at(m, run, time):
    """The position of the front over a, at time T = t sqrt(2 g / a)."""
    times = [t * 18.528 for t in m.body(run, "water", "time")]
    radius, width = m.setting(run, "bodies.water.radius")[0], m.setting(run, "bodies.water.shape.box.size")[0][0]
    return at(time, times, [(x + radius) / width for x in m.body(run, "water", "max_x")])


@claim("DFSPH-front-sph", kind="finding",
       states="the front of a dam break is that of SPH with little viscosity: largest relative difference",
       holds="< 0.06", because="nothing but the viscosity, 1e-5 and 1.07e-4 m^2/s, and the stiffness differs; one spacing is 5 % of a")
def front(m):
    return max(abs(front_at(m, "dam", t) / front_at(m, "dam-sph", t) - 1) for t in m.data("martin-moyce-1952.csv", "T"))


@claim("DFSPH-front", kind="physics",
       states="the front moves as Martin and Moyce measured: largest relative deviation",
       holds="< 0.15", because="as for SPH (fluids-alone)",
       known="as with FLIP and with SPH of little viscosity it is ahead: walls have no friction, and a real column starts late")
def front_measured(m):
    return max(abs(front_at(m, "dam", t) / z - 1) for t, z in zip(m.data("martin-moyce-1952.csv", "T"), m.data("martin-moyce-1952.csv", "Z")))


ledger_closes()


@claim("MOMENTUM-dfsph-tank", kind="physics",
       states="the ledger accounts for the momentum exchanged with walls: largest drift",
       holds="< 1e-9", because="rounding")
def momentum(m):
    return max(m.column("*", "momentum_drift"))
