#include "solvers/conjugate_gradients.h"

#include "base/memory.h"

#include <stdlib.h>

/* Sums run over blocks of fixed length, added in order, so that their bits do not depend on the
 * number of threads. Below a few blocks, waking the threads costs more than the work. */
enum { CG_BLOCK = 1024, SERIAL_BLOCKS = 8 };

static size_t cg_blocks(size_t n)
{
    return (n + CG_BLOCK - 1) / CG_BLOCK;
}

enum status cg_workspace_create(struct cg_workspace *work, size_t n, struct error *error)
{
    size_t room = n + 1;
    *work = (struct cg_workspace){.n = n};
    if (array_create(&work->residual, room, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->z, room, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->direction, room, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->image, room, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->partial, 2 * cg_blocks(n), sizeof(double), "solver sums", error)) {
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
    free(work->partial);
    *work = (struct cg_workspace){0};
}

static double sum_in_order(const double *partial, size_t stride, size_t n_blocks)
{
    double sum = 0.0;
    for (size_t block = 0; block < n_blocks; block++)
        sum += partial[block * stride];
    return sum;
}

static size_t end_of(size_t block, size_t n)
{
    size_t end = (block + 1) * CG_BLOCK;
    return end < n ? end : n;
}

static double weighted_dot(const struct linear_problem *problem, const struct vec3 *a,
                           const struct vec3 *b, double *partial)
{
    size_t n_blocks = cg_blocks(problem->n);
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++) {
        double sum = 0.0;
        for (size_t i = block * CG_BLOCK; i < end_of(block, problem->n); i++)
            sum += problem->weight[i] * vec3_dot(a[i], b[i]);
        partial[block] = sum;
    }
    return sum_in_order(partial, 1, n_blocks);
}

/* x += alpha p, r -= alpha A p, z = M^-1 r, all in one pass; the scalar products r.z and r.r. */
static void advance(const struct linear_problem *problem, double alpha, struct vec3 *x,
                    struct cg_workspace *work, double *rz, double *rr)
{
    size_t n_blocks = cg_blocks(problem->n);
    struct vec3 *r = work->residual, *z = work->z;
    const struct vec3 *p = work->direction, *q = work->image;
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++) {
        size_t begin = block * CG_BLOCK, end = end_of(block, problem->n);
        for (size_t i = begin; i < end; i++) {
            x[i] = vec3_axpy(x[i], alpha, p[i]);
            r[i] = vec3_axpy(r[i], -alpha, q[i]);
        }
        problem->precondition(problem->context, begin, end, r, z);
        double sum_rz = 0.0, sum_rr = 0.0;
        for (size_t i = begin; i < end; i++) {
            sum_rz += problem->weight[i] * vec3_dot(r[i], z[i]);
            sum_rr += problem->weight[i] * vec3_norm2(r[i]);
        }
        work->partial[2 * block] = sum_rz;
        work->partial[2 * block + 1] = sum_rr;
    }
    *rz = sum_in_order(work->partial, 2, n_blocks);
    *rr = sum_in_order(work->partial + 1, 2, n_blocks);
}

static void next_direction(size_t n, double beta, struct cg_workspace *work)
{
    struct vec3 *p = work->direction;
    const struct vec3 *z = work->z;
#pragma omp parallel for schedule(static) if (n > SERIAL_BLOCKS * CG_BLOCK)
    for (size_t i = 0; i < n; i++)
        p[i] = vec3_axpy(z[i], beta, p[i]);
}

/* r = b - A x, and 0 where nothing is unknown. */
static void initial_residual(const struct linear_problem *problem, const struct vec3 *b,
                             const struct vec3 *x, struct cg_workspace *work)
{
    problem->apply(problem->context, x, work->image);
#pragma omp parallel for schedule(static) if (problem->n > SERIAL_BLOCKS * CG_BLOCK)
    for (size_t i = 0; i < problem->n; i++) {
        work->residual[i] = vec3_sub(b[i], work->image[i]);
        work->direction[i] = vec3(0.0, 0.0, 0.0);
    }
}

/* x = 0, r = b. A guess worse than that is not only useless: its rounding errors would stay in the
 * solution, out of the reach of a tolerance relative to b, and for b = 0 nothing would do. */
static void drop_guess(const struct linear_problem *problem, const struct vec3 *b, struct vec3 *x,
                       struct cg_workspace *work)
{
    for (size_t i = 0; i < problem->n; i++) {
        x[i] = vec3(0.0, 0.0, 0.0);
        work->residual[i] = b[i];
    }
}

static enum status not_solved(const struct cg_report *report, double residual, double tolerance,
                              struct error *error)
{
    if (!isfinite(residual))
        return error_set(error, STATUS_FAILED,
                         "the solver met values that are not finite after %zu iterations: forces, "
                         "masses or stiffnesses are beyond what a double can hold, or the motion "
                         "has blown up; lower time.max_step, or look at the values of the scene",
                         report->iterations);
    return error_set(error, STATUS_FAILED,
                     "the solver stopped at a relative residual of %.3g after %zu iterations, %.3g "
                     "was asked for; raise solver.max_iterations or lower time.max_step",
                     residual, report->iterations, tolerance);
}

enum status cg_solve(const struct linear_problem *problem, const struct vec3 *b, struct vec3 *x,
                     double tolerance, size_t max_iterations, struct cg_workspace *work,
                     struct cg_report *report, struct error *error)
{
    *report = (struct cg_report){0};
    initial_residual(problem, b, x, work);
    double b_norm = sqrt(weighted_dot(problem, b, b, work->partial));
    double goal = tolerance * b_norm, rz, rr;
    advance(problem, 0.0, x, work, &rz, &rr); /* z, r.z and r.r of the guess */
    if (sqrt(rr) > b_norm) {
        drop_guess(problem, b, x, work);
        advance(problem, 0.0, x, work, &rz, &rr);
    }
    double beta = 0.0;
    while (!(sqrt(rr) <= goal)) {
        if (report->iterations == max_iterations || !isfinite(rr))
            return not_solved(report, b_norm > 0.0 ? sqrt(rr) / b_norm : sqrt(rr), tolerance,
                              error);
        next_direction(problem->n, beta, work);
        problem->apply(problem->context, work->direction, work->image);
        double curvature = weighted_dot(problem, work->direction, work->image, work->partial);
        double old_rz = rz;
        advance(problem, rz / curvature, x, work, &rz, &rr);
        beta = rz / old_rz;
        report->iterations++;
    }
    report->residual = b_norm > 0.0 ? sqrt(rr) / b_norm : 0.0;
    return STATUS_OK;
}
