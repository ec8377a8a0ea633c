/* Impulses iterated to convergence: after the integration, all touching particles exchange impulses
 * that are found together (impulse_solver.h). Unlike the impulses of `impulse`, these account for
 * each other and for what the integration did to the velocities; but bodies do not feel them before
 * the next step. */
#include "contact/impulse_solver.h"
#include "contact/methods.h"

const struct velocity_level_contact contact_iterated_impulse = {
    .contact = {.create = impulse_solver_create, .free = impulse_solver_free},
    .project = exchange_impulses,
    .supports = impulses_of_supports,
};
