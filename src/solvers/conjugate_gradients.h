/* Preconditioned conjugate gradients for A x = b with A symmetric and positive definite (Saad,
 * "Iterative methods for sparse linear systems", 2nd edition, Algorithm 9.1).
 *
 * A may be singular, such as the pressure of a fluid that is closed in, if b is in its range: then
 * x is one of the solutions. */
#ifndef SOLVERS_CONJUGATE_GRADIENTS_H
#define SOLVERS_CONJUGATE_GRADIENTS_H

#include "base/error.h"
#include "solvers/linear_operator.h"

/* For vectors of n x width doubles. */
struct cg_workspace {
    double *residual, *z, *direction, *image; /* r, z = M^-1 r, p and q = A p (n x width each) */
    double *fresh; /* A z, if the operator finds both at once (n x width) */
};

struct cg_report {
    size_t iterations;
    double residual; /* |b - A x| / |b| at the end; 0 for b = 0 */
};

/* Release with cg_workspace_free, unless it failed. */
enum status cg_workspace_create(struct cg_workspace *work, size_t n, size_t width,
                                struct error *error);
void cg_workspace_free(struct cg_workspace *work);

/* Improves the guess x (n x width) until |b - A x| <= tolerance |b|; work->residual then holds b -
 * A x as the iteration updates it. A guess worse than 0 is replaced by 0. STATUS_FAILED, with a
 * message that says how far it came, if max_iterations were not enough, if values are not finite,
 * and if A or M turns out not to be positive definite; x is then the last iterate. The bits of x do
 * not depend on the number of threads, if those of apply and precondition do not. */
enum status cg_solve(const struct linear_operator *A, const double *b, double *x, double tolerance,
                     size_t max_iterations, struct cg_workspace *work, struct cg_report *report,
                     struct error *error);

/* STATUS_FAILED with the messages of cg_solve, for another that does the same. */
enum status cg_not_solved(const struct cg_report *report, double tolerance, struct error *error);
enum status cg_not_definite(const struct cg_report *report, struct error *error);

#endif
