"""What corrections of positions are known to do: claims about values that tests measured."""

from claims import claim, measured

ROUNDING = "rounding: a few units in the last place"
ARITHMETIC = "arithmetic: no rounding enters"
CONTACTS_ALONE = ("only contacts are solved then: they lift the lowest layer at once, and shape matching takes back all but its part of the body, "
                  "b of N particles; 1 - (1 - b/N)^m - b/N of p / dt is left after m iterations, whatever the number of stabilization iterations")

# ---- Figure 2, Section 4.2 ----------------------------------------------------------------------------

measured("U09-sweep", "UPP.equal.in_turn", kind="unified",
         states="two equal constraints solved in turn need one sweep: distance from the solution after it, m", holds="== 0", because=ARITHMETIC)
measured("U10-jumps", "UPP.equal.summed.wrong", kind="unified",
         states="without averages a particle with two equal constraints jumps between two places for ever: iterations, of 1000, after which it is elsewhere "
                "in any bit",
         holds="== 0", because=ARITHMETIC)
measured("U12-one", "UPP.equal.averaged", kind="unified",
         states="with averages 2 to 32 equal constraints need one iteration: largest distance from the solution after it, m",
         holds="< 1e-15", because=ROUNDING)


@claim("U11-slope", kind="unified",
       states="nearly equal constraints are slow: exponent of the iterations to 1e-6 in the angle between two constraints, from 0.3 to 0.01, plus 2, without sign",
       holds="< 0.1", because="each iteration leaves cos^2 of half the angle; the paper says that it is slow, and this is how slow")
def slope(m):
    return abs(m.measured("UPP.angle.slope") + 2)


measured("U16-random", "UPP.random.averaged", kind="unified",
         states="averages ensure convergence: residual of 1000 random sets of distances and contacts after 200 iterations, the largest over that at the start",
         holds="< 1", because="a set that diverges has more than 1")

# ---- corrections ----------------------------------------------------------------------------------------

measured("U06-fulfils", "UPP.one.violation", kind="unified",
         states="one correction fulfils its constraint: what is left of 3000 random distances with mass ratios up to a million, m",
         holds="< 1e-14", because=ROUNDING)
measured("U06-momentum", "UPP.one.momentum", kind="unified",
         states="... and moves along the inverse masses times the gradient: sum of mass times correction, relative", holds="< 1e-14", because=ROUNDING)
measured("U07-velocity", "UPP.velocity", kind="unified",
         states="the velocity after a step is the way over the step, of bodies and grains in touch with each other and a floor: largest difference, relative",
         holds="< 1e-12", because="rounding of places over the step")
measured("U08-split", "UPP.least.split.distance", kind="unified",
         states="corrections that have converged change kinetic energy least if masses are split among constraints: largest distance from the solution of the "
                "linear system, rows of eight particles with distances, m",
         holds="< 1e-9", because="a converged iteration against an exact elimination")
measured("U08-averaged", "UPP.least.averaged.distance", kind="unified",
         states="the same with averages, as the paper has them", holds="< 1e-9", because="as for masses that are split",
         known="the least change is that of the sums; averages divide the corrections of a particle by their number, and particles in the middle of a row "
               "have two where its ends have one, so that it converges to other places")
measured("AVERAGES-excess", "UPP.least.averaged.excess", kind="finding",
         states="with averages these corrections change kinetic energy by more than the least: the largest excess of 100 rows, relative",
         holds="> 0.01", because="clearly above the 1e-13 of masses that are split")
measured("U29-copy", "UPP.copy.distance", kind="unified",
         states="steps are those of Algorithm 1: distance of particles from those of a slow copy of it in the tests, two blocks of bonds that hit each other and a layer at rest, "
                "with friction, 40 steps, the largest, m",
         holds="< 1e-12", because="the copy adds in another order")
measured("U43-speed", "UPP.column.iterations", kind="unified",
         states="an iteration carries a push by one particle: iterations after which the highest of 2 to 30 grains moves, over their number above the lowest",
         holds="== 1", because="a count")
measured("U99-scatter", "UPP.scatter", kind="unified",
         states="gathering and scattering give the same: largest difference of a correction in ten iterations of 400 particles with distances, m",
         holds="< 1e-13", because="the order of sums")

measured("U03-state", "UPP.core.differs", kind="unified",
         states="a particle is position, velocity, mass and one integer: particles that are elsewhere ten steps after a run was begun anew from these alone, grains, cloths, rigid "
                "bodies and fluids of one radius in each other",
         holds="== 0", because="a run goes on to the bit from what is its state")
measured("U03-bytes", "UPP.core.bytes", kind="unified",
         states="... seven numbers and an integer: their bytes, in double precision", holds="== 60", because="7 x 8 + 4; in single precision it is the paper's 32. Ours have a radius and a "
                "state beside them, as radii may differ and particles may be fixed")
measured("U04-pairs", "UPP.pairs.wrong", kind="unified",
         states="the phase chooses who collides with whom: pairs that are looked at and may not collide, or the other way round, against all pairs, grains, cloths that collide with "
                "themselves and that do not, rigid bodies and fluids in each other, alone and together, 31 scenes",
         holds="== 0", because="a count")
measured("U05-radii", "UPP.radii", kind="unified",
         states="one contact distance is not needed: distance of a grain at rest on one of twice its radius from the sum of the radii, m", holds="< 1e-12", because=ROUNDING)

# ---- Figure 4, Section 4.4 ------------------------------------------------------------------------------

measured("U22-speed", "UPP.pop.error", kind="unified",
         states="a particle that begins 20 mm inside the ground leaves it with depth over step: largest relative difference, steps of 1/60 to 1/480 s",
         holds="< 1e-12", because=ROUNDING)


@claim("U23-slope", kind="unified",
       states="this speed grows as the step falls: exponent of the speed in the step, of a particle, a rigid cube and a cloth, plus 1, the largest without sign",
       holds="< 1e-6", because="arithmetic: what is pushed out in a step does not depend on its length")
def slope_of_pop(m):
    import math
    return max(abs(math.log(m.measured(f"UPP.pop.{kind}.0.480") * 480 / (m.measured(f"UPP.pop.{kind}.0.60") * 60)) / math.log(60 / 480) + 1)
               for kind in ("particle", "cube", "cloth"))


measured("U24-cloth", "UPP.pop.cloth.rise", kind="unified",
         states="without a remedy a cloth that lies 5 mm inside the ground bounces off: how high its center gets above it, m",
         holds="> 0.001", because="a tenth of a radius can be seen")
measured("U25-velocity", "UPP.pop.stabilized.speed", kind="unified",
         states="contacts that are solved at the start of a step add no velocity: largest speed of the particle after one step with 1, 2 and 4 such iterations, m/s",
         holds="< 1e-12", because=ROUNDING)


@claim("U26-particle", kind="unified",
       states="one or two such iterations suffice, for a particle and a cloth: the largest share of depth over step that is left, 1, 2 and 4 iterations",
       holds="< 0.1", because="a tenth is hardly seen")
def left_of_particle(m):
    return max(v for kind in ("particle", "cloth") for k in (1, 2, 4) for v in m.measured(f"UPP.pop.{kind}.{k}.*"))


@claim("U26-cube", kind="unified",
       states="... and for a rigid cube of 4 x 4 x 4 particles and four iterations", holds="< 0.1", because="as for a particle", known=CONTACTS_ALONE)
def left_of_cube(m):
    return max(v for k in (1, 2, 4) for v in m.measured(f"UPP.pop.cube.{k}.*"))


@claim("POP-cube", kind="finding",
       states="what is left for the cube is (1 - (3/4)^4) - 1/4: largest difference of the share, 1, 2 and 4 iterations, steps of 1/60 to 1/480 s",
       holds="< 1e-12", because=ROUNDING)
def law_of_cube(m):
    return max(abs(v - (1 - 0.75 ** 4 - 0.25)) for k in (1, 2, 4) for v in m.measured(f"UPP.pop.cube.{k}.*"))


measured("U27-falls", "UPP.pile.stabilized.falls", kind="unified",
         states="stabilization that has not converged still adds energy, the less the more iterations it has: 1 if the kinetic energy after the first step of 216 "
                "grains that overlap deeply falls with 0, 1, 2, 4, 8, 16 and stays above 0",
         holds="== 1", because="the order of six values")

# ---- Figure 5, Section 5 --------------------------------------------------------------------------------

measured("U30-lattice", "UPP.strain.enough", kind="unified",
         states="a lattice of distances needs many iterations to look stiff: iterations until no bond of a beam that falls on an edge is strained by more than "
                "1 %, of 1, 2, 4 ... 512 (1024: not with 512)",
         holds=">= 10", because="many, against the one of shape matching")
measured("U30-shape", "UPP.strain.shape.*", kind="unified",
         states="... and shape matching needs one: the largest strain, 1, 2, 4 and 8 iterations", holds="< 0.01", because="the same measure")
measured("U31-svd", "UPP.shape.distance", kind="unified",
         states="shape matching moves particles to the rigid pose of least squares: largest distance from that by singular values, 400 random, flat, mirrored and "
                "half turned bodies of 2 m, m",
         holds="< 1e-9", because="Newton's method for the rotation ends at 1e-13")
measured("U31-rigid", "UPP.shape.length", kind="unified",
         states="... which keeps all lengths: largest change of a distance, m", holds="< 1e-12", because=ROUNDING)


@claim("U32-order", kind="unified",
       states="inertia needs no stored velocities: error of the attitude of a free top after a second against Euler's equations, over that of half the step "
              "(2, 1, 0.5 ms), less 2, the largest without sign",
       holds="< 0.2", because="an error of first order halves")
def order_of_top(m):
    return max(abs(v - 2) for v in m.measured("UPP.top.ratio-*"))


measured("U32-momentum", "UPP.top.momentum", kind="unified",
         states="... its linear momentum stays: largest relative change in a second", holds="< 1e-9",
         because="places are written anew in each iteration; their rounding over the step is a velocity of 1e-13, over thousands of iterations")
measured("U114-depth", "UPP.depth.error", kind="unified",
         states="shapes of more particles converge more slowly: a cube of N particles, b of them on a plane, rests g dt^2 (1 - f) / f deep with "
                "f = 1 - (1 - b/N)^m after m iterations: largest relative difference, 2^3 to 8^3 particles, 1 to 8 iterations",
         holds="< 1e-4", because="what 300 steps leave of the way to rest is far less")

# ---- Section 5.2 ------------------------------------------------------------------------------------------

measured("U45-ratio", "UPP.scaled.ratio", kind="unified",
         states="neighbors a distance apart in height differ in scaled mass by exp(-k distance): largest relative difference, twelve grains, k = 5 1/m",
         holds="< 1e-13", because=ROUNDING)
measured("U50-elsewhere", "UPP.scaled.elsewhere", kind="unified",
         states="scaled masses act in contacts alone: 1 if any bit of what flies, a grain, a lattice of distances and a rigid body that turn, differs with k = 5",
         holds="== 0", because="nothing else reads them")

measured("STACK-chain", "UPP.stack.chain", kind="finding",
         states="a stack of rigid cubes moves as a chain of depths, from which each iteration takes b/N, shared by masses as they are scaled: largest difference of a particle's "
                "height in the first two seconds, ten cubes, 1, 2 and 4 iterations, k = 0, 3 and 40 1/m, m",
         holds="< 1e-10", because="places are written anew in each iteration; their rounding is 1e-16, and a second has hundreds of iterations")

# ---- what the paper does not say --------------------------------------------------------------------------

measured("EULER-spring", "UPP.spring", kind="physics",
         states="a mass on one compliant distance moves as backward Euler says, amplitude and phase: largest difference in 100 steps over the first amplitude, "
                "five compliances",
         holds="< 1e-9", because="both are the same formula")


def chain(iterations, limit, because):
    measured(f"CHAIN-{iterations}", f"UPP.chain.error-{iterations}", kind="physics",
             states=f"a chain of ten compliant distances hangs as far as its springs say, m g L / k (1 + 2 + ... + 10), with {iterations} iterations of 120 Hz: "
                    "relative difference of the elongation",
             holds=f"< {limit}", because=because)


chain(64, "0.01", "iterations enough to carry weight up ten links several times")
chain(256, "0.001", "converged")
measured("GRAINS-together", "UPP.grains", kind="physics",
         states="two grains that meet go on with the velocity of their center of mass, mass ratios up to 1000: largest difference, m/s",
         holds="< 1e-12", because="rounding: one constraint is fulfilled by one iteration")


@claim("SMALL-cloth", kind="finding",
       states="four steps of one iteration are stiffer than one step of four: how much longer a hanging cloth is, the second over the first",
       holds=">= 3.2", because="errors fall with the square of the step and with the number of iterations: the ratio is 4 where that holds; four fifths of it")
def small_cloth(m):
    return m.measured("UPP.cloth.ratio-4")
