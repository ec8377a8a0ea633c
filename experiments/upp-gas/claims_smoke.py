"""Smoke in gas: diffuse particles, a list of their own: claims."""

import math

from arithmetic import max, min, sum
from claims import claim, measured

OBSTACLE, OBSTACLE_RADIUS = (0, 0, 0.6), 0.15  # of smoke.yaml, m
GONE = 3  # state of a particle
SMOKE_LAST = 24  # its last frame
JET_LAST = 20  # of jet.yaml

measured("U77-constant", "U77.constant", kind="unified",
         states="smoke moves with the kernel-weighted velocity of the fluid around it: error of a constant velocity of 3.7 m/s among particles at random places, m/s",
         holds="< 1e-12", because="weights add up to 1, to rounding")
measured("U77-linear", "U77.linear", kind="unified",
         states="... and of one that is linear in space, on a lattice: largest error over what the velocity changes in a spacing", holds="< 0.01",
         because="1 %; from the sums of the kernel over a lattice at any place, 0.0091 for one of two spacings")
measured("U78-divergence", "U78.divergence", kind="unified",
         states="the velocity right after the solve is the one that fits incompressibility: root mean square divergence at smoke in a closed room, 50 steps, over "
                "that of the velocity before the solve",
         holds="< 1", because="smaller is the statement")
measured("U83-fall", "U83.fall", kind="unified",
         states="lone smoke flies ballistically: distance from free fall after 0.7 s of unequal steps, m", holds="< 1e-12", because="exact for any steps, to rounding")
measured("U83-gone", "U83.wrong", kind="unified",
         states="fluid without smoke is removed, if it is to be: particles in the wrong state after a step, by their distances to all of smoke, under three methods",
         holds="== 0", because="a particle of smoke is in a kernel or not")
measured("U111-passive", "U111.differences", kind="unified",
         states="diffuse particles are passive: particles whose place or velocity differs in any bit from a run without smoke, under three methods", holds="== 0",
         because="to the bit: they are in no constraint")


@claim("U74-smoke", kind="unified",
       states="a plume of 16 384 particles of gas and 65 000 of smoke: how many more or fewer there are, of gas and of smoke, four for each of gas, in any frame",
       holds="== 0", because="counts")
def smoke_counts(m):
    gas = len(m.field("smoke", 0, "state")) - 16384
    return abs(gas) + max(abs(n - 65536) for n in m.table("smoke", "diffuse.csv", "number"))


@claim("U74-smoke-rises", kind="unified",
       states="... rises: least change of the height of its smoke's middle from frame to frame after 0.5 s, m", holds="> 0", because="it rises",
       scatter="some 5 cm at each of 19 frames")
def smoke_rises(m):
    height = m.table("smoke", "diffuse.csv", "height")[5:]
    return min(b - a for a, b in zip(height, height[1:]))


def smoke_inside(m):
    """The largest share of smoke that is inside the ball, of all frames; the paper does not say that there is none."""
    return max(sum(math.dist(x, OBSTACLE) < OBSTACLE_RADIUS for x in m.field("smoke", k, "diffuse_position")) for k in range(SMOKE_LAST + 1)) / 65536


def few(m, layers):
    return m.table(f"layers-{layers}", "diffuse.csv", "few")[-1]


@claim("U80-two", kind="unified",
       states="two layers of fluid suffice around injected smoke: share of smoke with fewer than 8 neighbors of gas after 2 s", holds="< 0.05",
       because="5 %: ours, the paper has no number", scatter="a share of 16 000")
def two_layers(m):
    return few(m, 2)


@claim("UPP-gas-shed", kind="physics",
       states="what is removed is accounted for: mass of the gas of a jet that is here, and of that which the ledger says has left, over all that there was, less 1",
       holds="< 1e-12", because="rounding of a sum of 2000 masses")
def shed_mass(m):
    mass, state = m.field("shed", JET_LAST, "mass"), m.field("shed", JET_LAST, "state")
    here = sum(x for x, s in zip(mass, state) if s != GONE)
    return abs((here + m.summary("shed", "outlet_mass")[0]) / sum(mass) - 1)


def shed_share(m):
    """The share of the jet's gas that has been removed by the end."""
    state = m.field("shed", JET_LAST, "state")
    return sum(s == GONE for s in state) / len(state)


@claim("U83-enough", kind="unified",
       states="... and what stays is enough for smoke, as without: share of it with fewer than 8 neighbors of gas after 2 s, two layers around it", holds="< 0.05",
       because="the bound of U80", scatter="a share of 16 000")
def shed_few(m):
    return m.table("shed", "diffuse.csv", "few")[-1]


@claim("U80-one", kind="unified", states="... and so does one", holds="< 0.05", because="as above", scatter="a share of 16 000")
def one_layer(m):
    return few(m, 1)
