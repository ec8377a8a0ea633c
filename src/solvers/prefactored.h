/* Solves symmetric positive definite systems whose matrix is the same in every step, for three
 * right sides, x, y and z. The matrix is factored once, in double precision, and the factor is kept
 * in single precision.
 *
 * Nested dissection (METIS) finds the elimination order. Results do not depend on the number of
 * threads: the same matrix has the same factor and the same solutions, to the bit. */
#ifndef SOLVERS_PREFACTORED_H
#define SOLVERS_PREFACTORED_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "base/vec3.h"

#include <stddef.h>

/* The elimination order and the resulting pattern of the factor. All matrices with the same pattern
 * share it, such as those of one body for steps of different lengths. */
struct prefactored_plan;

/* `a` is not kept. STATUS_FAILED without memory. Released by the caller with prefactored_plan_free,
 * after all factors that use it. */
enum status prefactored_plan_create(struct prefactored_plan **plan, const struct sparse_rows *a,
                                    struct error *error);
void prefactored_plan_free(struct prefactored_plan *plan); /* NULL is fine */

/* The cost of a factor of this plan, which is known before any is made. */
struct prefactored_need {
    double entries;     /* of the factor, on and below the diagonal */
    double operations;  /* multiplications and additions to find it */
    double panel_bytes; /* of the factor's panels, which a solution reads twice */
    double bytes;       /* of memory that the factor keeps, panels included */
    double peak_bytes;  /* of memory while the factor is made, `bytes` included */
};
struct prefactored_need prefactored_need_of(const struct prefactored_plan *plan);

/* A factor with the vectors of a solution, so that it computes one solution at a time. */
struct prefactored;

/* Factors `a`, whose pattern is that of the plan; `a` is not kept. STATUS_FAILED if it needs more
 * memory than is available, which is checked before the work begins, or if `a` is not positive
 * definite. Release with prefactored_free. */
enum status prefactored_create(struct prefactored **factor, const struct prefactored_plan *plan,
                               const struct sparse_rows *a, struct error *error);
void prefactored_free(struct prefactored *factor); /* NULL is fine */

/* x = A^-1 b (n each); x may be b. The solution has single precision: |b - A x| is about 1e-6 |b|.
 * So right sides should be small already, such as forces, and not A times a velocity. */
void prefactored_solve(struct prefactored *factor, const struct vec3 *b, struct vec3 *x);

/* The relative residual |b - A x| / |b| that prefactored_solve leaves with this factor of `a`, at
 * most: twice the largest of three right sides. Rounding counts most where b is smooth, because x
 * is then large for b; one of them is constant, one linear in the row, and one varies from row to
 * row. */
double prefactored_accuracy(struct prefactored *factor, const struct sparse_rows *a);

#endif
