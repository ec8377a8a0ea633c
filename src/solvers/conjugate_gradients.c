#include "solvers/conjugate_gradients.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum status cg_workspace_create(struct cg_workspace *work, size_t n, size_t width,
                                struct error *error)
{
    *work = (struct cg_workspace){0};
    if (array_create(&work->residual, n, width * sizeof(double), "solver vectors", error) ||
        array_create(&work->z, n, width * sizeof(double), "solver vectors", error) ||
        array_create(&work->direction, n, width * sizeof(double), "solver vectors", error) ||
        array_create(&work->image, n, width * sizeof(double), "solver vectors", error) ||
        array_create(&work->fresh, n, width * sizeof(double), "solver vectors", error)) {
        cg_workspace_free(work);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

void cg_workspace_free(struct cg_workspace *work)
{
    free(work->residual);
    free(work->z);
    free(work->direction);
    free(work->image);
    free(work->fresh);
    *work = (struct cg_workspace){0};
}

static bool all_zero(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (x[k] != 0.0)
            return false;
    return true;
}

/* Sets r = b - A x, or x = 0 and r = b if that r is smaller. A guess worse than 0 is not only
 * useless: its rounding errors would stay in the solution, out of the reach of a tolerance relative
 * to b. */
static void begin(const struct linear_operator *A, const double *b, double *x, double *r)
{
    const size_t n = A->n * A->width;
    if (!all_zero(x, n)) { /* a guess of 0 needs no product */
        A->apply(A->context, x, r);
        linear_turn(A, -1.0, b, r);
        if (linear_norm(A, r) <= linear_norm(A, b))
            return;
    }
    memset(x, 0, n * sizeof *x);
    memcpy(r, b, n * sizeof *r);
}

static void find_z(const struct linear_operator *A, struct cg_workspace *work)
{
    if (A->precondition_and_apply)
        A->precondition_and_apply(A->context, work->residual, work->z, work->fresh);
    else
        linear_precondition(A, work->residual, work->z);
}

/* Sets p = z + beta p; the first p is z. */
static void turn(const struct linear_operator *A, bool first, double beta, const double *z,
                 double *p)
{
    if (first)
        memcpy(p, z, A->n * A->width * sizeof *p);
    else
        linear_turn(A, beta, z, p);
}

/* Sets z = M^-1 r, p = z + (r . z / r . z of the iteration before) p and q = A p. Returns r . z. */
static double next_direction(const struct linear_operator *A, bool first, double rz_before,
                             struct cg_workspace *work)
{
    find_z(A, work);
    const double rz = linear_dot(A, work->residual, work->z), beta = first ? 0.0 : rz / rz_before;
    turn(A, first, beta, work->z, work->direction);
    if (A->precondition_and_apply)
        turn(A, first, beta, work->fresh, work->image);
    else
        A->apply(A->context, work->direction, work->image);
    return rz;
}

enum status cg_not_solved(const struct cg_report *report, double tolerance, struct error *error)
{
    if (!isfinite(report->residual))
        return error_set(error, STATUS_FAILED,
                         "conjugate gradients met values that are not finite after %zu iterations",
                         report->iterations);
    return error_set(error, STATUS_FAILED,
                     "conjugate gradients stopped at a relative residual of %.3g after %zu "
                     "iterations, %.3g was asked for",
                     report->residual, report->iterations, tolerance);
}

enum status cg_not_definite(const struct cg_report *report, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "conjugate gradients found a matrix or a preconditioner that is not positive "
                     "definite after %zu iterations, at a relative residual of %.3g",
                     report->iterations, report->residual);
}

enum status cg_solve(const struct linear_operator *A, const double *b, double *x, double tolerance,
                     size_t max_iterations, struct cg_workspace *work, struct cg_report *report,
                     struct error *error)
{
    double *r = work->residual, *p = work->direction, *q = work->image;
    begin(A, b, x, r);
    const double scale = linear_norm(A, b), unit = scale > 0.0 ? scale : 1.0;
    double rz = 0.0;
    *report = (struct cg_report){.residual = linear_norm(A, r) / unit};
    while (!(report->residual <= tolerance)) {
        if (report->iterations == max_iterations || !isfinite(report->residual))
            return cg_not_solved(report, tolerance, error);
        rz = next_direction(A, report->iterations == 0, rz, work);
        const double curvature = linear_dot(A, p, q);
        if (curvature <= 0.0 || rz <= 0.0)
            return cg_not_definite(report, error);

        const double alpha = rz / curvature;
        linear_add(A, alpha, p, x);  /* x = x + alpha p */
        linear_add(A, -alpha, q, r); /* r = r - alpha A p */
        report->residual = linear_norm(A, r) / unit;
        report->iterations++;
    }
    return STATUS_OK;
}
