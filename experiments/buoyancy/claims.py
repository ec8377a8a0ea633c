"""Buoyancy: bodies that are held in water, that float on it, that are let go in it; walls at rest; scenes of the first paper: claims."""

import math

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes, momentum_closes

# The fluids, by the beginning of the names of their runs
FLUIDS = {"sph": "SPH"}
GRAVITY, WATER, SPACING = 9.81, 1000.0, 0.02
HELD = {"low": 81, "middle": 81, "high": 81, "030": 19, "080": 280, "110": 739}  # particles of the ball
LARGE = [case for case, n in HELD.items() if n > 27]  # balls that have an inside of more than one particle
DENSITIES = ("250", "500", "750")
BALLS = ("0250", "0500", "2000", "4000")
EDGE, TANK, FILLED = 0.12, 0.28, 0.2  # m, of a floating block and its tank
DISORDER = "its scatter is that of places drawn anew, which nudges show after a tenth of a second"


# ---- held ----

def push(m, run):
    """The force of the fluid on a body, N: mean from 0.5 s on."""
    time, dt, impulse = (m.column(run, name) for name in ("time", "dt", "fluid_impulse_z"))
    late = [i for i, t in enumerate(time) if t > 0.5]
    return sum(impulse[i] for i in late) / sum(dt[i] for i in late)


def weight(n):
    """Of the water in the place of n particles, N."""
    return n * SPACING**3 * WATER * GRAVITY


def diameter(n):
    """Of a ball with the volume of n particles, in spacings."""
    return (6 * n / math.pi)**(1 / 3)


def share(m, fluid, case):
    return push(m, f"{fluid}-held-{case}") / weight(HELD[case])


def nearer(m, fluid):
    """k, by which the fluid stands nearer to a body than half a spacing, both sides together, in spacings: mean of the large balls."""
    return mean([(1 - share(m, fluid, case)**(1 / 3)) * diameter(HELD[case]) for case in LARGE])


def deviation(m, fluid):
    k = nearer(m, fluid)
    return max(abs(share(m, fluid, case) / (1 - k / diameter(HELD[case]))**3 - 1) for case in LARGE)


@claim("BUOYANCY-sph-held", kind="physics",
       states="SPH lifts held balls as Archimedes says: force over (1 - k / D)^3 times the weight of the water displaced, with one k for balls of D = 5 to 11 "
              "spacings at three depths: largest deviation from 1",
       holds="<= 0.05", because="particles of the fluid cannot be nearer than they are to each other, which k allows for, and depths and sizes then agree to 5 %, half a "
       "layer of 11", scatter=DISORDER)
def held(m):
    return deviation(m, "sph")


@claim("BUOYANCY-sph-nearer", kind="finding",
       states="... and this k: how much smaller the diameter is that the fluid feels, in spacings",
       holds="<= 0.2", because="water stands a tenth of a spacing nearer at most", scatter=DISORDER)
def held_nearer(m):
    return nearer(m, "sph")


@claim("BUOYANCY-sph-merged", kind="finding",
       states="merging-and-splitting leaves pressure its part: force of pressure on a held ball with it, over that without any contact",
       holds=">= 0.95", because="then contact carries a twentieth at most", scatter=DISORDER)
def merged(m):
    return push(m, "sph-held-merged") / push(m, "sph-held-middle")


# ---- held, in incompressible fluids ----

def stirred(m, fluid):
    """Deviation from the weight displaced at the three places, largest."""
    return max(abs(push(m, f"{fluid}-held-{place}") / weight(81) - 1) for place in m.axis("place"))


@claim("BUOYANCY-flip-held", kind="physics",
       states="FLIP lifts balls that have stirred the water around them by the weight of the water displaced, at three depths: largest deviation from 1",
       holds="<= 0.02", because="water that still moves a little changes a mean of 0.3 s by 1 or 2 %", scatter=DISORDER)
def flip_held(m):
    return stirred(m, "flip")


@claim("BUOYANCY-dfsph-held", kind="physics",
       states="... and so does incompressible SPH, with one pressure for both",
       holds="<= 0.05", because="a ball of 5 spacings is a twentieth smaller if water stands a tenth of a spacing nearer to it on all sides than to itself",
       scatter=DISORDER)
def dfsph_held(m):
    return stirred(m, "dfsph")


# ---- floating ----

def right_height(ratio):
    """Of the block's center, m: what is below the surface has lifted the water by its volume."""
    surface = FILLED + ratio * EDGE**3 / TANK**2
    return surface - ratio * EDGE + EDGE / 2


def too_high(m, run, ratio):
    """How far the center of a floating block is above its right place, m: mean of the last half second."""
    return mean(m.body(run, "block", "z")[-5:]) - right_height(ratio)


def farthest_off(m, fluid):
    return max(abs(too_high(m, f"{fluid}-floating-{density}", float(density) / WATER)) for density in DENSITIES)


FLOATS = "a tenth of a spacing, to which a surface is known, and 2 % of the edge"


@claim("BUOYANCY-sph-floats", kind="physics",
       states="blocks of 0.25, 0.5 and 0.75 of the density of water float in SPH as deep as they are heavy: largest difference of height, m",
       holds="<= 0.0044", because=FLOATS, scatter=DISORDER)
def floats(m):
    return farthest_off(m, "sph")


@claim("BUOYANCY-sph-kinds", kind="physics",
       states="... and so do mass-spring and corotated ones of 0.5: the same difference",
       holds="<= 0.0044", because=FLOATS, scatter=DISORDER)
def kinds(m):
    return max(abs(too_high(m, f"sph-floating-{kind}", 0.5)) for kind in m.axis("kind"))


@claim("BUOYANCY-dfsph-floats", kind="physics",
       states="... and so do those three in incompressible SPH, with one pressure for both: the same difference",
       holds="<= 0.0044", because=FLOATS, scatter=DISORDER)
def dfsph_floats(m):
    return farthest_off(m, "dfsph")


@claim("BUOYANCY-sph-depths", kind="physics",
       states="the force on a held ball does not depend on its depth: largest over smallest of the three, less 1",
       holds="<= 0.03", because="water of one density everywhere; tanks that still move a little change a mean of half a second by 1 or 2 %", scatter=DISORDER)
def depths(m):
    found = [share(m, "sph", depth) for depth in m.axis("depth")]
    return max(found) / min(found) - 1


# ---- let go ----

def right_acceleration(ratio):
    """Of a ball that is let go in much water at rest, m/s^2: half of the water that it displaces moves with it."""
    return GRAVITY * (1 - ratio) / (ratio + 0.5)


def acceleration(m, run):
    """Of the first 0.1 s, m/s^2: by the velocities at both ends."""
    return m.body(run, "ball", "velocity_z")[10] / 0.1


def way(m, run, frame=20):
    """How far the ball has risen in 0.2 s, m."""
    z = m.body(run, "ball", "z")
    return z[frame] - z[0]


def of_right(m, pattern):
    return [acceleration(m, pattern.format(ball)) / right_acceleration(float(ball) / WATER) for ball in BALLS]


@claim("BUOYANCY-sph-released", kind="physics",
       states="balls of 0.25 to 4 times the density of water that are let go in it begin as their buoyancy and the water around them say, without contact: the smallest "
              "ratio of their acceleration to that, first 0.1 s",
       holds=">= 0.85", because="a drag of 0.45 rho A v^2 / 2 from the start on, more than a ball that has just started has, leaves the lightest 0.88",
       known="they all go where they should, but the light ones too slowly: water whose particles see each other up to two spacings yields as a heap of grains does, "
             "and the next claim is about the remedy",
       scatter=DISORDER)
def released(m):
    return min(of_right(m, "sph-alone-{}"))


@claim("BUOYANCY-sph-support", kind="finding",
       states="with a support of three spacings in place of two, water yields: the smallest of the same ratios over that with two",
       holds=">= 1.5", because="the closing of the gap changes a velocity after 0.1 s by a fifth, and 1.5 is more than two such fifths", scatter=DISORDER)
def support(m):
    return min(of_right(m, "sph-wide-{}")) / released(m)


@claim("BUOYANCY-dfsph-released", kind="physics",
       states="balls let go in incompressible SPH begin so, too, with one pressure for both: the smallest of the same ratios",
       holds=">= 0.85", because="as in SPH",
       known="its particles, too, see each other up to two spacings, and yield as a heap of grains does",
       scatter=DISORDER)
def dfsph_released(m):
    return min(of_right(m, "dfsph-released-{}"))


@claim("BUOYANCY-sph-direction", kind="physics",
       states="... but light ones rise and heavy ones sink, with merging-and-splitting, too: the smallest distance in the right direction within 0.15 s, m",
       holds=">= 0.01", because="half a spacing: more than the settling of the water, which is of some millimeters",
       scatter=DISORDER)
def direction(m):
    return min(way(m, f"sph-{how}-{ball}", 15) * math.copysign(1, WATER - float(ball)) for how in ("released", "alone") for ball in BALLS)


@claim("BUOYANCY-sph-ignored", kind="finding",
       states="contact alone does not make a ball rise that is half as dense as water: its way upwards in 0.2 s in water that ignores it, over that in water that it "
              "displaces, both with merging-and-splitting",
       holds="< 0.5", because="less than half", scatter=DISORDER)
def ignored(m):
    return way(m, "sph-ignored-ball") / way(m, "sph-released-0500")


@claim("BUOYANCY-sph-brake", kind="finding",
       states="merging brakes bodies in water: way of the ball of 0.25 in 0.2 s with merging-and-splitting over that without contact",
       holds="< 0.8", because="a fifth is more than other places of the water change", scatter=DISORDER)
def brake(m):
    return way(m, "sph-released-0250") / way(m, "sph-alone-0250")


# ---- walls ----

def gained(m, run):
    """Kinetic and potential energy at the end beyond that at the beginning, J."""
    kinetic, height = m.column(run, "kinetic")[-1], m.body(run, "water", "z")
    mass = m.body(run, "water", "mass")[0]
    return kinetic + mass * GRAVITY * (height[-1] - height[0])


@claim("BUOYANCY-walls-own", kind="physics",
       states="walls with a pressure of their own make no energy: what water at rest has gained after 0.4 s, both lengths of steps, J",
       holds="<= 0.0", because="it began at rest, and can only lose by viscosity",
       scatter="its steps of two lengths differ by 0.01 J")
def walls_own(m):
    return max(gained(m, f"sph-tank-own-{step}") for step in m.axis("step"))


@claim("BUOYANCY-walls-mirrored", kind="finding",
       states="... but mirrored pressure does: the least of the same, J",
       holds=">= 0.5", because="that of its motion at any time with walls that press on their own is below 0.1 J",
       scatter="it grows without end, and both lengths of steps are far above the bound")
def walls_mirrored(m):
    return min(gained(m, f"sph-tank-mirrored-{step}") for step in m.axis("step"))


# ---- scenes of the first paper ----

SCENES = ("fig04", "fig10", "fig11")


@claim("BUOYANCY-paper-passed", kind="finding",
       states="in Figures 4, 10 and 11 nothing passes through a cloth that displaces the fluid: particles on the wrong side",
       holds="== 0", because="a count of particles")
def passed(m):
    return max(max(m.summary(f"{scene}-displace", "penetrated_max")) for scene in SCENES)


def groups(m, run):
    return mean(m.column(run, "groups"))


@claim("BUOYANCY-paper-groups", kind="finding",
       states="... but merging has less to do if the cloth displaces the fluid: meta-particles over those if it is ignored, largest of the three scenes",
       holds="< 1", because="fewer", scatter="the means of some hundred steps")
def fewer(m):
    return max(groups(m, f"{scene}-displace") / groups(m, f"{scene}-ignored") for scene in SCENES)


ledger_closes()
momentum_closes("MOMENTUM-buoyancy", "gravity, walls, supports, coupling")
