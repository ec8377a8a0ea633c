/* Position correction on top of other methods, which the paper avoids because it adds energy
 * (Sections 5.1 and 7): particles that would overlap at the end of the step are moved apart, and
 * their velocities stay. The ledger's `linearization` has what this does to the energy of bonds. */
#include "contact/impulse_solver.h"
#include "contact/methods.h"
#include "contact/penalty.h"

const struct velocity_level_contact contact_corrected_penalty = {
    .contact = {.create = impulse_solver_create,
                .free = impulse_solver_free,
                .begin = penalty_begin,
                .potential = penalty_potential,
                .stiffness = penalty_stiffness},
    .project = correct_positions,
};

static enum status exchange_and_correct(struct contact *contact, const struct stage *stage,
                                        size_t *iterations, struct error *error)
{
    enum status status = exchange_impulses(contact, stage, iterations, error);
    return status ? status : correct_positions(contact, stage, iterations, error);
}

const struct velocity_level_contact contact_corrected_impulse = {
    .contact = {.create = impulse_solver_create, .free = impulse_solver_free},
    .project = exchange_and_correct,
    .supports = impulses_of_supports,
};
