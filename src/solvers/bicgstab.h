/* Stabilized bi-conjugate gradients for A x = b where A is not symmetric (van der Vorst, SIAM J.
 * Sci. Stat. Comput. 13, 1992), with the preconditioner at the right. Meant for the linear systems
 * of Newton's method, which need not be solved exactly. */
#ifndef SOLVERS_BICGSTAB_H
#define SOLVERS_BICGSTAB_H

#include "solvers/linear_operator.h"

/* The caller's memory (n x width each). */
struct bicgstab_workspace {
    double *residual, *shadow, *direction, *image, *half_image, *z;
};

struct bicgstab_report {
    size_t products; /* with A */
    double residual; /* |b - A x| / |b| at the end; 0 for b = 0 */
};

/* Writes x, beginning with 0, until |b - A x| <= tolerance |b|, or as far as it comes with about
 * max_products; it also ends where the method breaks down. */
struct bicgstab_report bicgstab_solve(const struct linear_operator *A, const double *b, double *x,
                                      double tolerance, size_t max_products,
                                      const struct bicgstab_workspace *work);

#endif
