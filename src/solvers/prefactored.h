/* Symmetric positive definite systems whose matrix is the same in every step, with three right
 * sides, x, y and z: factored once, in double precision, and solved with a factor in single
 * precision.
 *
 * The rows are eliminated in an order found by nested dissection (METIS). Nothing depends on the
 * number of threads: the same matrix has the same factor and the same solutions, to the bit. */
#ifndef SOLVERS_PREFACTORED_H
#define SOLVERS_PREFACTORED_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "base/vec3.h"

#include <stddef.h>

/* An order of elimination, and where the factor then has entries: of all matrices with the same
 * pattern, such as those of one body for steps of different lengths. */
struct prefactored_plan;

/* `a` is not kept. STATUS_FAILED without memory. Released by the caller with prefactored_plan_free,
 * after all factors that use it. */
enum status prefactored_plan_create(struct prefactored_plan **plan, const struct sparse_rows *a,
                                    struct error *error);
void prefactored_plan_free(struct prefactored_plan *plan); /* NULL is fine */

/* What a factor of this plan takes, known before there is one. */
struct prefactored_need {
    double entries;     /* of the factor, on and below the diagonal */
    double operations;  /* multiplications and additions to find it */
    double panel_bytes; /* of its panels, which a solution reads twice */
    double bytes;       /* that the factor keeps, panels included */
    double peak_bytes;  /* that are needed while it is found, those it keeps included */
};
struct prefactored_need prefactored_need_of(const struct prefactored_plan *plan);

/* A factor, and the vectors of a solution: one solution at a time. */
struct prefactored;

/* Factors `a`, whose pattern is that of the plan; `a` is not kept. STATUS_FAILED if it needs more
 * memory than there is, which is known before the work begins, and if `a` is not positive definite.
 * Release with prefactored_free. */
enum status prefactored_create(struct prefactored **factor, const struct prefactored_plan *plan,
                               const struct sparse_rows *a, struct error *error);
void prefactored_free(struct prefactored *factor); /* NULL is fine */

/* x = A^-1 b, both (n); x may be b. In single precision: |b - A x| is about 1e-6 |b|, so give
 * right sides that are small already, such as forces and not A times a velocity. */
void prefactored_solve(struct prefactored *factor, const struct vec3 *b, struct vec3 *x);

struct prefactored_report {
    size_t solutions; /* with the factor */
    double residual;  /* |b - A x| / |b| at the end; 0 for b = 0 */
};

/* The same, then improved by solutions for what is left, b - A x in double precision, until |b - A
 * x| <= tolerance |b|. x must not be b. STATUS_FAILED, with a message that says how far it came, if
 * a solution does not halve what is left. */
enum status prefactored_solve_to(struct prefactored *factor, const struct sparse_rows *a,
                                 const struct vec3 *b, double tolerance, struct vec3 *x,
                                 struct prefactored_report *report, struct error *error);

#endif
