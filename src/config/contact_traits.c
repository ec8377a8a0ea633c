/* What each contact method can be combined with. */
#include "config/contact_method.h"

enum {
    EULER = 1 << INTEGRATOR_BACKWARD_EULER,
    VELOCITIES = EULER | 1 << INTEGRATOR_NEWMARK,
    ALL = VELOCITIES | 1 << INTEGRATOR_VERLET,
    /* methods that only add forces or impulses to those of systems */
    BASELINE = METHOD_MEETS | METHOD_FLUIDS | METHOD_MOTIONS
};

/* Links and Verlet's method: it knows the velocities at the end of a step, for which links would
 * hold, only after particles have moved by others. Their impulses then do work out of nothing: a
 * third of the energy of an impact at a hundredth of the wave speed, and still a fifth in steps of
 * a thirtieth of a wave's time through a particle.
 *
 * Impulses after the integration move particles by dt p / m against elastic forces that do not know
 * of it. Backward Euler takes what these gain in short steps, as it takes all that is fast; other
 * methods keep it: a fifth of an impact's energy in steps of an eighth of a wave's time through a
 * particle.
 *
 * The barrier is part of a potential that backward Euler minimizes, and everything that moves has
 * to take part in it. The search for the minimum begins with all particles at rest, fixed ones
 * included. */
const struct contact_traits contact_traits[] = {
    [CONTACT_MERGING_AND_SPLITTING] =
        {
            .help = "colliding particles are integrated as one and split afterwards (Truong et al. "
                    "2021)",
            .has = BASELINE | METHOD_SWEPT | METHOD_ROOTS | METHOD_BODIES,
            .integrators = ALL,
        },
    [CONTACT_SLIDING] =
        {
            .help = "colliding particles share their velocity along the normal and slide along "
                    "each other",
            .has = BASELINE | METHOD_SWEPT | METHOD_FRICTION | METHOD_LINKS | METHOD_LASTS |
                   METHOD_BODIES,
            .integrators = VELOCITIES,
            .otherwise = "creates energy",
            .instead = "merging-and-splitting",
        },
    [CONTACT_PENALTY] =
        {
            .help = "springs push touching particles apart; stiffness in N/m",
            .has = BASELINE | METHOD_BODIES,
            .integrators = ALL,
        },
    [CONTACT_IMPLICIT_PENALTY] =
        {
            .help =
                "penalty forces that the implicit solve of elastic bodies finds; stiffness in N/m",
            .has = BASELINE,
            .integrators = ALL,
            .excluded_by = EXCLUDES_IMPLICIT_CONTACT,
            .instead = "penalty",
        },
    [CONTACT_SPH] =
        {
            .help = "SPH pressure pushes touching particles apart; stiffness in Pa",
            .has = BASELINE | METHOD_BODIES,
            .integrators = ALL,
        },
    [CONTACT_IMPULSE] =
        {
            .help = "approaching particles exchange elastic impulses before the integration",
            .has = BASELINE,
            .integrators = ALL,
        },
    [CONTACT_ITERATED_IMPULSE] =
        {
            .help = "touching particles exchange impulses after the integration, iterated to "
                    "convergence",
            .has = BASELINE | METHOD_AFTER,
            .integrators = EULER,
            .otherwise = "creates energy",
            .instead = "impulse",
        },
    [CONTACT_CORRECTED_PENALTY] =
        {
            .help = "penalty, and particles that still overlap after the step are moved apart; "
                    "stiffness in N/m",
            .has = BASELINE | METHOD_AFTER | METHOD_PUSHES,
            .integrators = ALL,
        },
    [CONTACT_CORRECTED_IMPULSE] =
        {
            .help =
                "iterated-impulse, and particles that still overlap after the step are moved apart",
            .has = BASELINE | METHOD_AFTER | METHOD_PUSHES,
            .integrators = EULER,
            .otherwise = "creates energy",
            .instead = "impulse",
        },
    [CONTACT_BARRIER] =
        {
            .help = "a barrier between elastic bodies that no step crosses (Li et al. 2020); "
                    "stiffness in N/m",
            .has = METHOD_MEETS | METHOD_GAPS,
            .integrators = EULER,
            .otherwise = "has no potential to minimize",
            .excluded_by = EXCLUDES_IMPLICIT_CONTACT,
            .instead = "merging-and-splitting",
        },
    [CONTACT_POSITION_BASED] =
        {
            .help =
                "constraints of positions, corrected by position.iterations (Macklin et al. 2014, "
                "UPP), in place of forces",
            .has = METHOD_MEETS | METHOD_FLUIDS | METHOD_FRICTION | METHOD_MOTIONS | METHOD_PUSHES |
                   METHOD_POSITIONS | METHOD_BODIES,
            .integrators = ALL,
            .excluded_by = EXCLUDES_POSITIONS,
            .instead = "merging-and-splitting",
        },
    [CONTACT_PRESSURE] =
        {
            .help = "one pressure keeps the particles of fluids and solids at the density of rest "
                    "(Kugelstadt et al. 2021, Section 6); nothing else holds solids apart",
            .has = BASELINE | METHOD_PRESSURE,
            .integrators = EULER,
            .otherwise = "keeps what elastic bodies gain from it",
            .excluded_by = EXCLUDES_PRESSURE,
            .instead = "merging-and-splitting",
        },
    [CONTACT_NONE] =
        {
            .help = "particles of different bodies ignore each other",
            .has = METHOD_FLUIDS | METHOD_MOTIONS | METHOD_BODIES,
            .integrators = ALL,
        },
};
