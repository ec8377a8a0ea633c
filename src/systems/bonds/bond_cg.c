#include "systems/bonds/bond_cg.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Sums run over blocks of fixed length, added in order, so that their bits do not depend on the
 * number of threads. Below a few blocks, waking the threads costs more than the work. */
enum { CG_BLOCK = 1024, SERIAL_BLOCKS = 8 };

static size_t cg_blocks(size_t n)
{
    return (n + CG_BLOCK - 1) / CG_BLOCK;
}

enum status bond_cg_workspace_create(struct bond_cg_workspace *work, size_t n, struct error *error)
{
    *work = (struct bond_cg_workspace){.n = n};
    if (array_create(&work->residual, n, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->z, n, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->direction, n, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->image, n, sizeof(struct vec3), "solver vectors", error) ||
        array_create(&work->partial, 2 * cg_blocks(n), sizeof(double), "solver sums", error)) {
        bond_cg_workspace_free(work);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

void bond_cg_workspace_free(struct bond_cg_workspace *work)
{
    free(work->residual);
    free(work->z);
    free(work->direction);
    free(work->image);
    free(work->partial);
    *work = (struct bond_cg_workspace){0};
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

/* The state of an iteration. */
struct iteration {
    const struct bond_problem *problem;
    const struct frontier *frontier; /* NULL: everywhere at once */
    size_t farthest;
    struct bond_cg_workspace *work;
    struct vec3 *x;
};

static double weighted_dot(const struct iteration *it, const struct vec3 *a, const struct vec3 *b)
{
    size_t n = it->problem->n, n_blocks = cg_blocks(n);
    const uint8_t *weight = it->problem->weight;
    double *partial = it->work->partial;
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++) {
        size_t end = end_of(block, n);
        struct frontier_range r = frontier_next(it->frontier, it->farthest, block * CG_BLOCK, end);
        double sum = 0.0;
        for (; r.begin < r.end; r = frontier_next(it->frontier, it->farthest, r.end, end))
            for (size_t i = r.begin; i < r.end; i++)
                sum += weight[i] * vec3_dot(a[i], b[i]);
        partial[block] = sum;
    }
    return sum_in_order(partial, 1, n_blocks);
}

/* x += alpha p, r -= alpha A p for entries [begin, end). */
static void move_range(const struct iteration *it, double alpha, size_t begin, size_t end)
{
    struct vec3 *x = it->x, *r = it->work->residual;
    const struct vec3 *p = it->work->direction, *q = it->work->image;
    for (size_t i = begin; i < end; i++) {
        x[i] = vec3_axpy(x[i], alpha, p[i]);
        r[i] = vec3_axpy(r[i], -alpha, q[i]);
    }
}

/* z = M^-1 r for entries [begin, end); adds up r.z and r.r. */
static void precondition_range(const struct iteration *it, size_t begin, size_t end, double sum[2])
{
    const struct bond_problem *problem = it->problem;
    const struct vec3 *r = it->work->residual;
    struct vec3 *z = it->work->z;
    problem->precondition(problem->context, begin, end, r, z);
    for (size_t i = begin; i < end; i++) {
        sum[0] += problem->weight[i] * vec3_dot(r[i], z[i]);
        sum[1] += problem->weight[i] * vec3_norm2(r[i]);
    }
}

/* Moves all entries before any is preconditioned. */
static void move_before_coarse(const struct iteration *it, double alpha)
{
    const struct bond_problem *problem = it->problem;
    const size_t n = problem->n, n_blocks = cg_blocks(n);
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++)
        move_range(it, alpha, block * CG_BLOCK, end_of(block, n));
    problem->coarse(problem->context, it->work->residual, it->work->z);
}

/* Advances all entries and returns the scalar products r.z and r.r: in one pass over memory, unless
 * there is a coarse part. */
static void advance(const struct iteration *it, double alpha, double *rz, double *rr)
{
    size_t n = it->problem->n, n_blocks = cg_blocks(n);
    double *partial = it->work->partial;
    const bool coarse = it->problem->coarse != NULL;
    if (coarse)
        move_before_coarse(it, alpha);
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++) {
        size_t end = end_of(block, n);
        struct frontier_range r = frontier_next(it->frontier, it->farthest, block * CG_BLOCK, end);
        double sum[2] = {0.0, 0.0};
        for (; r.begin < r.end; r = frontier_next(it->frontier, it->farthest, r.end, end)) {
            if (!coarse)
                move_range(it, alpha, r.begin, r.end);
            precondition_range(it, r.begin, r.end, sum);
        }
        partial[2 * block] = sum[0];
        partial[2 * block + 1] = sum[1];
    }
    *rz = sum_in_order(partial, 2, n_blocks);
    *rr = sum_in_order(partial + 1, 2, n_blocks);
}

static void next_direction(const struct iteration *it, double beta)
{
    size_t n = it->problem->n, n_blocks = cg_blocks(n);
    struct vec3 *p = it->work->direction;
    const struct vec3 *z = it->work->z;
#pragma omp parallel for schedule(static) if (n_blocks > SERIAL_BLOCKS)
    for (size_t block = 0; block < n_blocks; block++) {
        size_t end = end_of(block, n);
        struct frontier_range r = frontier_next(it->frontier, it->farthest, block * CG_BLOCK, end);
        for (; r.begin < r.end; r = frontier_next(it->frontier, it->farthest, r.end, end))
            for (size_t i = r.begin; i < r.end; i++)
                p[i] = vec3_axpy(z[i], beta, p[i]);
    }
}

/* r = b - A x, and a search direction of 0. */
static void initial_residual(const struct bond_problem *problem, const struct vec3 *b,
                             const struct vec3 *x, struct bond_cg_workspace *work)
{
    problem->apply(problem->context, NULL, 0, x, work->image);
#pragma omp parallel for schedule(static) if (problem->n > SERIAL_BLOCKS * CG_BLOCK)
    for (size_t i = 0; i < problem->n; i++) {
        work->residual[i] = vec3_sub(b[i], work->image[i]);
        work->direction[i] = vec3(0.0, 0.0, 0.0);
    }
}

/* x = 0, r = b. A guess worse than that is not only useless: its rounding errors would stay in the
 * residual and could exceed a tolerance relative to b, which no guess but 0 meets for b = 0. */
static void drop_guess(const struct bond_problem *problem, const struct vec3 *b, struct vec3 *x,
                       struct bond_cg_workspace *work)
{
    for (size_t i = 0; i < problem->n; i++) {
        x[i] = vec3(0.0, 0.0, 0.0);
        work->residual[i] = b[i];
    }
}

static enum status not_solved(const struct bond_cg_report *report, double residual,
                              double tolerance, struct error *error)
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

/* Iterates until |r| <= tolerance x scale. rz and rr are r.z and r.r of the current residual. */
static enum status iterate(struct iteration *it, double rz, double rr, double tolerance,
                           size_t max_iterations, struct bond_cg_report *report,
                           struct error *error)
{
    const struct bond_problem *problem = it->problem;
    struct bond_cg_workspace *work = it->work;
    double beta = 0.0, unit = report->scale > 0.0 ? report->scale : 1.0;
    while (!(sqrt(rr) <= tolerance * report->scale)) {
        if (report->iterations == max_iterations || !isfinite(rr))
            return not_solved(report, sqrt(rr) / unit, tolerance, error);
        next_direction(it, beta);
        it->farthest += it->farthest < FRONTIER_FARTHEST;
        problem->apply(problem->context, it->frontier, it->farthest, work->direction, work->image);
        double curvature = weighted_dot(it, work->direction, work->image);
        double old_rz = rz;
        advance(it, rz / curvature, &rz, &rr);
        beta = rz / old_rz;
        report->iterations++;
    }
    report->residual = sqrt(rr) / unit;
    return STATUS_OK;
}

enum status bond_cg_solve(const struct bond_problem *problem, const struct vec3 *b, struct vec3 *x,
                          double tolerance, size_t max_iterations, struct bond_cg_workspace *work,
                          struct bond_cg_report *report, struct error *error)
{
    struct iteration it = {.problem = problem, .work = work, .x = x};
    double rz, rr;
    initial_residual(problem, b, x, work);
    *report = (struct bond_cg_report){.scale = sqrt(weighted_dot(&it, b, b))};
    advance(&it, 0.0, &rz, &rr); /* z, r.z and r.r of the guess */
    if (sqrt(rr) > report->scale) {
        drop_guess(problem, b, x, work);
        advance(&it, 0.0, &rz, &rr);
    }
    return iterate(&it, rz, rr, tolerance, max_iterations, report, error);
}

enum status bond_cg_incremental(const struct bond_problem *problem, const struct frontier *frontier,
                                double scale, double tolerance, size_t max_iterations,
                                struct vec3 *x, struct bond_cg_workspace *work,
                                struct bond_cg_report *report, struct error *error)
{
    struct iteration it = {problem, frontier, 1, work, x};
    double rz, rr;
    *report = (struct bond_cg_report){.scale = scale};
    memset(work->direction, 0, work->n * sizeof *work->direction);
    memset(work->image, 0, work->n * sizeof *work->image);
    advance(&it, 0.0, &rz, &rr);
    return iterate(&it, rz, rr, tolerance, max_iterations, report, error);
}
