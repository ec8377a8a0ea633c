/* The ways to solve the linear systems of a step of corotated solids: that of the paper, two rivals
 * with the same forces, tolerance and threads, and Newton's method, whose steps have no lag of
 * rotations. */
#include "systems/corotated/corotated_parts.h"

const struct corotated_solver corotated_solvers[] = {
    [COROTATED_PREFACTORED] = {.create = corotated_factors_create,
                               .step = corotated_step_in_parts,
                               .shape = corotated_solve_factored},
    [COROTATED_ASSEMBLED] = {.create = corotated_matrices_create,
                             .step = corotated_step_in_parts,
                             .shape = corotated_solve_assembled},
    [COROTATED_WHOLE] = {.step = corotated_step_as_a_whole},
    [COROTATED_NEWTON] = {.create = corotated_factors_create, .step = corotated_step_by_newton},
};
