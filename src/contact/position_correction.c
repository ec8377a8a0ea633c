/* Position correction on top of other methods, which the paper avoids because it adds energy
 * (Sections 5.1 and 7): particles that would overlap at the end of the step are moved apart, and
 * their velocities stay. The ledger's `linearization` has what this does to the energy of bonds. */
#include "contact/impulse_solver.h"
#include "contact/methods.h"
#include "contact/penalty.h"

const struct contact_class contact_corrected_penalty = {
    .create = impulse_solver_create,
    .free = impulse_solver_free,
    .begin = penalty_begin,
    .project = correct_positions,
    .potential = penalty_potential,
    .stiffness = penalty_stiffness,
};

static enum status exchange_and_correct(struct contact *contact, const struct stage *stage,
                                        struct contact_report *report, struct error *error)
{
    enum status status = exchange_impulses(contact, stage, report, error);
    return status ? status : correct_positions(contact, stage, report, error);
}

const struct contact_class contact_corrected_impulse = {
    .create = impulse_solver_create,
    .free = impulse_solver_free,
    .project = exchange_and_correct,
};
