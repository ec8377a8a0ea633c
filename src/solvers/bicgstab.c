#include "solvers/bicgstab.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A solve in progress. */
struct solve {
    const struct linear_operator *A;
    const struct bicgstab_workspace *work;
    double *x;
    double shared; /* of the residual and its shadow */
    double step;   /* length of the last step along the direction */
};

/* Goes along the direction until the residual has nothing in common with its shadow. Returns
 * whether it could. */
static bool go(struct solve *s)
{
    const struct bicgstab_workspace *w = s->work;
    linear_precondition(s->A, w->direction, w->z);
    s->A->apply(s->A->context, w->z, w->image);
    s->step = s->shared / linear_dot(s->A, w->shadow, w->image);
    if (!isfinite(s->step))
        return false;
    linear_add(s->A, s->step, w->z, s->x);
    linear_add(s->A, -s->step, w->image, w->residual);
    return true;
}

/* Goes along the residual until it is least. Returns the length of the step, 0 if there is none. */
static double smooth(struct solve *s)
{
    const struct bicgstab_workspace *w = s->work;
    linear_precondition(s->A, w->residual, w->z);
    s->A->apply(s->A->context, w->z, w->half_image);
    double step = linear_dot(s->A, w->half_image, w->residual) /
                  linear_dot(s->A, w->half_image, w->half_image);
    if (!isfinite(step))
        return 0.0;
    linear_add(s->A, step, w->z, s->x);
    linear_add(s->A, -step, w->half_image, w->residual);
    return step;
}

/* The next direction: p = r + beta (p - omega A p). */
static void turn(struct solve *s, double omega)
{
    const struct bicgstab_workspace *w = s->work;
    double shared = linear_dot(s->A, w->shadow, w->residual);
    double beta = shared / s->shared * s->step / omega;
    linear_add(s->A, -omega, w->image, w->direction);
    linear_turn(s->A, beta, w->residual, w->direction);
    s->shared = shared;
}

struct bicgstab_report bicgstab_solve(const struct linear_operator *A, const double *b, double *x,
                                      double tolerance, size_t max_products,
                                      const struct bicgstab_workspace *work)
{
    const size_t bytes = A->n * A->width * sizeof *x;
    struct solve s = {.A = A, .work = work, .x = x};
    memset(x, 0, bytes);
    memcpy(work->residual, b, bytes);
    memcpy(work->shadow, b, bytes);
    memcpy(work->direction, b, bytes);
    s.shared = linear_dot(A, b, b);
    const double scale = sqrt(s.shared), enough = tolerance * scale;
    struct bicgstab_report report = {0, scale > 0.0 ? 1.0 : 0.0};
    while (report.products < max_products && report.residual > tolerance) {
        double omega = 0.0;
        report.products++;
        if (!go(&s))
            break;
        if (linear_norm(A, work->residual) > enough) {
            omega = smooth(&s);
            report.products++;
        }
        report.residual = linear_norm(A, work->residual) / scale;
        if (omega == 0.0)
            break;
        turn(&s, omega);
    }
    return report;
}
