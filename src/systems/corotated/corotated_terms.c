/* The columns of the ledger that corotated solids fill. */
#include "systems/corotated/corotated_parts.h"

static const struct energy_term rotation_renewal = {
    .name = "rotation_renewal",
    .unit = "J",
    .sentence = "elastic energy that corotated solids gain, at fixed positions, as their rotations "
                "follow the motion",
    .after = "linearization",
    .sign = TERM_ENTERS,
};

static const struct energy_term control_work = {
    .name = "control_work",
    .unit = "J",
    .sentence = "work done against the explicit control of modes without energy",
    .after = "damping",
    .sign = TERM_LEAVES,
};

const struct energy_term *const corotated_terms[COROTATED_TERMS] = {
    [COROTATED_RESIDUAL_WORK] = &energy_residual_work,
    [COROTATED_RESIDUAL_X] = &energy_residual_impulse[0],
    [COROTATED_RESIDUAL_Y] = &energy_residual_impulse[1],
    [COROTATED_RESIDUAL_Z] = &energy_residual_impulse[2],
    [COROTATED_RENEWAL] = &rotation_renewal,
    [COROTATED_CONTROL] = &control_work,
    [COROTATED_SPIN + SPIN_WORK] = &spin_terms[SPIN_WORK],
    [COROTATED_SPIN + SPIN_RETURNED] = &spin_terms[SPIN_RETURNED],
    [COROTATED_SPIN + SPIN_LOST] = &spin_terms[SPIN_LOST],
};
