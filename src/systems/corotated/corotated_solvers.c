/* The ways to solve the linear systems of a step of corotated solids: ours, for all forces at once;
 * that of the paper, for shape and then for volume; a rival of each without a factor, with the same
 * forces, tolerance and threads; and Newton's method, whose steps have no lag of rotations. */
#include "systems/corotated/corotated_parts.h"

const struct corotated_solver corotated_solvers[] = {
    [COROTATED_COUPLED] = {.create = corotated_factors_create,
                           .step = corotated_step_as_a_whole,
                           .solve = corotated_solve_coupled,
                           .pairs = true,
                           .lags = true},
    [COROTATED_PREFACTORED] = {.create = corotated_factors_create,
                               .step = corotated_step_in_parts,
                               .solve = corotated_solve_factored,
                               .lags = true,
                               .splits = true,
                               .pairs = true},
    [COROTATED_ASSEMBLED] = {.create = corotated_matrices_create,
                             .step = corotated_step_in_parts,
                             .solve = corotated_solve_assembled,
                             .lags = true,
                             .splits = true,
                             .pairs = true},
    [COROTATED_WHOLE] = {.step = corotated_step_as_a_whole,
                         .solve = corotated_solve_whole,
                         .lags = true},
    [COROTATED_NEWTON] = {.create = corotated_factors_create, .step = corotated_step_by_newton},
};
