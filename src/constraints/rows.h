/* One iteration of a group, particle by particle. */
#ifndef CONSTRAINTS_ROWS_H
#define CONSTRAINTS_ROWS_H

#include "constraints/constraint.h"

#include <stdint.h>

/* What the constraints of one particle ask for together. */
struct row {
    struct vec3 shift, rubbed; /* m */
    struct vec3 held;   /* the part of the shift that walls and particles of weight 0 ask for, m */
    double held_work;   /* sum of these parts times the velocities of what asks, m^2/s */
    double rubbed_work; /* the part of this that is friction, m^2/s */
    double violation;   /* the largest, m */
};

/* Fills the row, which is zero on input, of particle i, whose weight is positive. */
typedef void constraint_row(const struct constraint *constraint,
                            const struct candidates *candidates, size_t i, struct row *row);

/* Carries out solve of a group by its rows. */
void rows_solve(constraint_row *row, const struct constraint *constraint,
                const struct candidates *candidates, struct corrections *corrections);

/* The same for the particles listed (n_listed, ascending); what the corrections have for others
 * stays. */
void rows_solve_listed(constraint_row *row, const struct constraint *constraint,
                       const struct candidates *candidates, size_t n_listed, const uint32_t *listed,
                       struct corrections *corrections);

#endif
