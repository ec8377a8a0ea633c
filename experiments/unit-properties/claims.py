"""What merging and splitting conserve, and what stays at rest: claims about values that tests measured."""

from claims import claim, measured

ROUNDING = "rounding: a few units in the last place, for groups with mass ratios up to a million"
SINKS = "rest is exact, to the last bit: nothing may move"
LOCAL_MINIMUM = "the accuracy of the numerical minimization"


measured("M01-momentum", "M01.momentum", kind="paper",
         states="merging conserves momentum: largest relative error over 3000 random groups",
         holds="< 1e-12", because=ROUNDING)
measured("M01-energy", "M01.energy", kind="paper",
         states="merging stores the kinetic energy that it takes: largest relative error",
         holds="< 1e-12", because=ROUNDING)
measured("M01-never-negative", "M01.least-stored", kind="paper",
         states="the stored energy is never negative: least energy of a virtual bond over that of its group",
         holds=">= 0", because="the sign decides")
measured("M02-momentum", "M02.momentum", kind="paper",
         states="splitting conserves momentum, whatever the integration did: largest relative error",
         holds="< 1e-12", because=ROUNDING)
measured("M02-energy", "M02.energy M02.held.energy", kind="paper",
         states="splitting returns alpha times the stored energy, also in groups with a fixed particle: largest relative error",
         holds="< 1e-12", because=ROUNDING)
claim("M02-both", kind="paper",
      states="these tests cover splits with and without a real root of MS 13: number of the rarer kind",
      holds="> 5000", because="enough to find an error that occurs once in a thousand splits",
      value=lambda m: min(m.measured("M02.splits_with_root"), m.measured("M02.splits_without_root")))
measured("M03-apart", "M03.approach M03.held.approach", kind="paper",
         states="split particles never approach each other along the line of centers: largest approach speed over the speeds",
         holds="< 1e-13", because="rounding of one projection")
measured("M04-place", "M04.place", kind="paper",
         states="without a real root the velocity is where a numerical minimization finds the smallest orthogonal part: largest "
                "difference over the speeds",
         holds="< 1e-9", because=LOCAL_MINIMUM)
measured("M04-smallest", "M04.orthogonal", kind="paper",
         states="without a real root the orthogonal part is no larger than the numerical minimum: largest excess",
         holds="< 1e-9", because=LOCAL_MINIMUM)
measured("M04-along", "M04.along", kind="paper",
         states="without a real root the orthogonal part is perpendicular to n: the change along n is that of MS 15, largest "
                "difference",
         holds="< 1e-12", because=ROUNDING)
measured("M07-momentum", "M07.momentum M07.returned.momentum", kind="paper",
         states="two integrators give a meta-particle one velocity (MS 17): largest relative difference between the momenta of "
                "the two systems, the meta-particle and its particles after splitting",
         holds="< 1e-12", because=ROUNDING)
measured("M07-energy", "M07.energy M07.returned.energy", kind="paper",
         states="the energy lost by synchronizing (MS 19) passes through the virtual bond to the particles (MS 20): largest "
                "relative error",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-energy-imbalance", "COUPLING.energy_imbalance", kind="physics",
         states="the energy ledger balances in time steps of three systems (a solid, two fluids): largest relative imbalance of a "
                "step",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-own-members", "COUPLING.own-members.momentum", kind="physics",
         states="three systems conserve momentum with MS 17 if each moves its own members: largest drift",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-sequential", "COUPLING.sequential.momentum", kind="physics",
         states="three systems conserve momentum with sequential coupling: largest drift",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-average", "COUPLING.momentum", kind="physics",
         states="three systems conserve momentum with MS 17 if each moves the whole meta-particle, except for what the ledger "
                "reports as withheld: largest drift",
         holds="< 1e-12", because=ROUNDING)
measured("M33-iterations", "M33.iterations", kind="paper",
         states="a second stage that starts from the first stage's solution takes fewer iterations than a full solve: their ratio, "
                "for two particles that merge at the end of a soft and of a stiff bar, tolerances from 1e-2 to 1e-7; the larger",
         holds="< 1", because="fewer is the statement")
measured("M33-touched", "M33.touched", kind="paper",
         states="in the soft bar, such a second stage computes only where its search vectors are not zero: largest fraction of the "
                "particles",
         holds="< 0.9", because="not all of them is the statement")
measured("M35-bonds", "COUPLING.lost", kind="paper",
         states="with alpha = beta = 1 virtual bonds keep back no energy, J",
         holds="== 0", because="a sum of terms that are all 0")
measured("M35-measured", "COUPLING.returned", kind="paper",
         states="with alpha = beta = 1 splitting adds, measured from the velocities, all the kinetic energy that merging and "
                "synchronizing stored: largest relative difference in a step",
         holds="< 1e-12", because=ROUNDING)
measured("M08-head-on", "M08.head-on", kind="paper",
         states="no head-on collision is missed at the limit of the time step: number missed, of 2000",
         holds="== 0", because="a count: the paper says none")
measured("M08-grazing", "M08.grazing-1.7", kind="paper",
         states="grazing collisions can be missed: fraction at an impact parameter of 1.7 r",
         holds="> 0", because="they can be: one is enough")
measured("M08-half-step", "M08.grazing-1.7.half-step", kind="paper",
         states="with half the time step no grazing collision is missed at an impact parameter of 1.7 r: fraction",
         holds="== 0", because="a fraction of a count: none is allowed")
measured("M09-sinks", "M09.pair-1.stages-1", kind="paper",
         states="one stage is not enough for rest: a particle sinks into a fixed one, radii per step of 1 ms",
         holds="> 0", because="the sign decides")
measured("M09-rests", "M09.pair-1.stages-[234]", kind="paper",
         states="two, three and four stages are enough: radii sunk per step of 1 ms",
         holds="== 0", because=SINKS)
measured("M36-pairs", "M36.pair M36.two-pairs", kind="paper",
         states="two particles at rest keep their relative position: radii moved in 20 000 steps",
         holds="== 0", because=SINKS)
measured("M36-column-2", "M36.column-2.stages-2", kind="paper",
         states="two stacked loose particles rest on a fixed one with two stages: radii sunk per step of 1 ms",
         holds="== 0", because=SINKS,
         known="they sink: the second stage finds the lower contact, and there is no third stage for the upper one")
measured("M36-columns", "M36.column-[345].stages-2", kind="paper",
         states="columns of three to five loose particles rest with two stages: radii sunk per step of 1 ms",
         holds="== 0", because=SINKS,
         known="they sink: the contacts of n loose particles need n + 1 stages")
measured("REST-columns", "M36.column-2.stages-3 M36.column-3.stages-4 M36.column-4.stages-5 M36.column-5.stages-6", kind="finding",
         states="a column of n loose particles rests with n + 1 stages: radii sunk per step of 1 ms",
         holds="== 0", because=SINKS)
measured("M40-clouds", "M40.cloud.sunk", kind="paper",
         states="no pair in contact gets deeper within a step: fraction of such pairs in random clouds, without limits and with as many stages as needed",
         holds="== 0", because="paths are straight: a pair that does not approach at their start comes no nearer")
measured("REST-long", "M36.column-2.stages-3.long", kind="finding",
         states="a column of two loose particles stays at rest with three stages: radii moved in 20 000 steps",
         holds="== 0", because=SINKS)
measured("REST-kept", "REST.kept.alpha-1", kind="finding",
         states="by the paper's rule, a particle that leaves a fixed one more slowly than its weight brings it back stays where it is and keeps its "
                "velocity for ever with alpha = 1: velocity after 1000 steps over that at the start",
         holds="> 0.999", because="splitting returns the energy with which it was merged, and the impulse of its weight goes into the support")
measured("REST-lost", "REST.kept.alpha-0", kind="finding",
         states="with alpha = 0 it does not: the same",
         holds="== 0", because="splitting returns nothing")
measured("M36-pile", "M36.pile-3.stages-2", kind="paper",
         states="a pile of three elastic blocks rests with two stages: radii moved in a second",
         holds="< 1e-3", because="elastic blocks settle under their weight; a thousandth of a radius is invisible")
measured("M52-second-stage", "M52.elsewhere", kind="paper",
         states="a particle at rest on another is found in the second stage and merged there: of 1e5 steps, number in which it was not",
         holds="== 0", because="the statement is about every step")
measured("M52-drift", "M52.drift", kind="paper",
         states="... and keeps its relative position: radii moved in 1e5 steps",
         holds="== 0", because=SINKS)
measured("M41-two", "M41.loose.two M41.elastic.two", kind="paper",
         states="particles that were split are not merged again at the start of the next step, meta-particles of two: fraction of "
                "the pairs that approach each other then, loose particles and two elastic blocks",
         holds="== 0", because="MS 14 is about these two; nothing else acts between the steps")
measured("M41-larger", "M41.loose.larger M41.elastic.larger", kind="paper",
         states="the same for larger meta-particles: fraction of the pairs in contact within them, the larger of both scenes",
         holds="== 0", because="the paper states it of all meta-particles",
         known="the two halves of each split part, but their halves are split after them, and two particles of different halves may "
               "then approach each other again")
measured("FREE-momentum", "FREE.momentum", kind="physics",
         states="a free cluster of colliding bodies conserves momentum: drift over 2000 steps",
         holds="< 1e-12", because="rounding of 2000 steps")
measured("FREE-energy-imbalance", "FREE.energy_imbalance", kind="physics",
         states="the energy ledger of that cluster balances: relative imbalance",
         holds="< 1e-9", because="rounding of 2000 steps")
measured("FREE-energy", "FREE.energy", kind="physics",
         states="the energy of that cluster does not grow, because implicit integration and damping only dissipate: energy at the "
                "end over that at the start",
         holds="<= 1", because="the sign decides")
measured("FREE-angular", "FREE.angular", kind="physics",
         states="that cluster conserves angular momentum: drift over the initial sum of m |x| |v|",
         holds="< 1e-12", because="as for momentum",
         known="merging-and-splitting does not conserve it, and the paper does not claim that it does: during a time step all "
               "particles of a group move with one velocity, whatever spin they had")
measured("BAR-wave", "BAR.wave.*", kind="physics",
         states="waves along bars of peridynamic bonds travel at sqrt(E / rho), with E in closed form from the bonds: largest "
                "relative error",
         holds="< 0.05",
         because="the wave is ten spacings long, and dispersion is proportional to the square of spacing over wavelength")
measured("BAR-deflection-strip", "BAR.deflection.strip-32", kind="physics",
         states="the deflection of a cantilever of 32 rows follows beam theory with Young's modulus of the network: relative error",
         holds="< 0.1", because="the skin that lacks bonds is a tenth of the height on each side")


@claim("BAR-deflection-halves", kind="physics",
       states="this error halves with the spacing: largest ratio of the errors",
       holds="< 0.6", because="a half, plus terms of second order")
def deflection_halves(m):
    deflection = [m.measured(f"BAR.deflection.strip-{rows}") for rows in (8, 16, 32)]
    return max(deflection[2] / deflection[1], deflection[1] / deflection[0])


measured("BAR-deflection-square", "BAR.deflection.bar-12", kind="physics",
         states="the deflection of a cantilever of 12 x 12 rows follows beam theory: relative error",
         holds="< 0.1", because="as for the strip",
         known="it is larger: particles within a horizon of the surface lack bonds, and this skin of 3 of 12 rows makes the bar "
               "softer")
measured("BAR-own-deflection", "BAR.own-deflection.*", kind="physics",
         states="with the stiffness of the bonds that a section actually has, coarse and fine bars follow beam theory: largest "
                "relative error",
         holds="< 0.1", because="as for the strip; the thinnest bar is thinner than a horizon")
measured("BAR-break", "BAR.break.*", kind="physics",
         states="bars pulled apart break where they were weakened: distance from that section to the crack, slices, six bars",
         holds="== 0", because="in that slice, not beside it")


# ---- forces and energies ----------------------------------------------------------------------------

measured("FORCES-energy", "FORCES.*", kind="physics",
         states="forces are differences of the energy that the ledger has for them, at random places: bonds of every material, "
                "pressure of SPH, penalty, SPH-based, implicit penalty and barrier contact: largest error over the largest "
                "force",
         holds="< 1e-5", because="rounding of differences, and that of single precision in the forces of SPH, 1e-6; an energy that is "
                                 "off by a hundredth is off by a thousand times that")
claim("LINEARIZATION-second", kind="physics",
      states="what the ledger calls linearization is of second order in a single step of backward Euler, corotated solids, and "
             "Newmark's method under pressure, by Taylor's theorem: least order",
      holds="> 1.9", because="two, up to terms of the next order; with an energy that does not belong to the forces it is one",
      value=lambda m: min(m.measured("LINEARIZATION.order-2.*")))
claim("LINEARIZATION-third", kind="physics",
      states="it is of third order with velocity Verlet, and with Newmark's method in tension: least order",
      holds="> 2.9", because="three, up to terms of the next order; with an energy that does not belong to the forces it is one",
      value=lambda m: min(m.measured("LINEARIZATION.order-3.*")))


# ---- constants of materials -------------------------------------------------------------------------

def off(m, pattern):
    return max(abs(value - 1) for value in m.measured(pattern))


claim("CONSTANT-critical-stretch", kind="physics",
      states="a bar that is pulled slowly is whole just below the critical stretch of its bonds and breaks just above it, and its "
             "strength is that of all bonds of a section at this stretch: largest relative difference",
      holds="< 0.0036", because="the bar is stretched in increments of 0.35 % of that",
      value=lambda m: off(m, "CONSTANT.break.*"))
claim("CONSTANT-damping", kind="physics",
      states="the logarithmic decrement of a bar's first mode is pi omega tau, tau the damping of its bonds, with Newmark's method and "
             "Verlet, peridynamic bonds and springs: largest relative difference",
      holds="< 0.004", because="terms of second order in the damping ratio of 3 % and in the step, a 400th of the period",
      value=lambda m: off(m, "CONSTANT.damping.*"))
claim("CONSTANT-bend-stiffness", kind="physics",
      states="a strip and a sheet that are clamped at one side sag as far as the statics of a chain with their bend springs says: "
             "largest relative difference",
      holds="< 0.005", because="the chain cannot be stretched, and springs along the sheet are 50 000 times as stiff as bend springs; "
                               "1.5 % of bend stiffness are 0.5 % of the sag, which falls with its cube root",
      value=lambda m: off(m, "CONSTANT.sag.*"))
claim("CONSTANT-viscosity", kind="physics",
      states="a ball of SPH fluid that turns in a shell decays with nu k^2: viscosity found over the one asked for, less 1, on a lattice "
             "and displaced from it at random, the larger",
      holds="< 0.35", because="pairs two spacings apart carry the viscosity, and the forces of a lattice have 0.65 of it along its axes "
                              "and 1.34 along its diagonals, in closed form; the ball turns through all directions",
      value=lambda m: max(off(m, "CONSTANT.viscosity.lattice*"), off(m, "CONSTANT.viscosity.disordered*")))
