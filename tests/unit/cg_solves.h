/* Solves by conjugate gradients, with a look at the residual that is handed out. */
#ifndef TESTS_CG_SOLVES_H
#define TESTS_CG_SOLVES_H

#include "particles/random.h"
#include "solvers/conjugate_gradients.h"
#include "tap.h"

static inline double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 10, index, RANDOM_TEST) - 1.0;
}

static inline enum status solve(const struct linear_operator *A, const double *b, double *x,
                                double tolerance, size_t max_iterations, struct cg_report *report,
                                struct error *error)
{
    struct cg_workspace work;
    check_equal(cg_workspace_create(&work, A->n, A->width, error), STATUS_OK, "workspace");
    enum status status = cg_solve(A, b, x, tolerance, max_iterations, &work, report, error);
    double *image = calloc(A->n * A->width, sizeof *image);
    A->apply(A->context, x, image);
    for (size_t k = 0; k < A->n * A->width && !status; k++)
        check_close(work.residual[k], b[k] - image[k], 1e-9, "the residual that is handed out");
    free(image);
    cg_workspace_free(&work);
    return status;
}

#endif
