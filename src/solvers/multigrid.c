/* Conjugate gradients preconditioned by the cycle; beside the cycle, an iteration makes four passes
 * over memory. */
#include "solvers/multigrid.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "solvers/multigrid_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status multigrid_create(struct multigrid **multigrid, struct error *error)
{
    return array_create(multigrid, 1, sizeof **multigrid, "the multigrid solver", error);
}

static void free_finest(struct multigrid *m)
{
    free(m->coupling);
    free(m->diagonal);
    free(m->x);
    free(m->residual);
    free(m->direction);
    free(m->image);
    m->room = 0;
    m->coupling = NULL;
    m->diagonal = m->x = m->residual = m->direction = m->image = NULL;
}

void multigrid_free(struct multigrid *multigrid)
{
    if (!multigrid)
        return;
    for (size_t l = 0; l < MULTIGRID_LEVELS; l++)
        multigrid_level_free(&multigrid->level[l]);
    closed_sets_free(&multigrid->closed);
    free_finest(multigrid);
    free(multigrid);
}

/* ---- the matrix ---- */

static enum status reserve(struct multigrid *m, size_t n, struct error *error)
{
    static const char what[] = "the multigrid solver";
    if (n + 1 <= m->room)
        return STATUS_OK;
    free_finest(m);
    size_t room = n + n / 4 + 1;
    if (array_create(&m->coupling, room, sizeof *m->coupling, what, error) ||
        array_create(&m->diagonal, room, sizeof *m->diagonal, what, error) ||
        array_create(&m->x, room, sizeof *m->x, what, error) ||
        array_create(&m->residual, room, sizeof *m->residual, what, error) ||
        array_create(&m->direction, room, sizeof *m->direction, what, error) ||
        array_create(&m->image, room, sizeof *m->image, what, error)) {
        free_finest(m);
        return STATUS_FAILED;
    }
    m->room = room;
    return STATUS_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest coefficient of cells [begin, end). */
static double unit_of_block(size_t begin, size_t end, const void *context)
{
    const struct lattice_matrix *matrix = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        const struct lattice_cell *cell = &matrix->cell[i];
        largest = larger(largest, cell->open);
        for (int axis = 0; axis < 3; axis++)
            if (cell->neighbor[2 * axis + 1] != LATTICE_NONE)
                largest = larger(largest, cell->coupling[axis]);
    }
    return largest;
}

/* Copies the rows in double precision, by slot. */
static void copy_rows(struct multigrid *m, const struct lattice_matrix *matrix)
{
    const struct lattice_cell *cell = matrix->cell;
    const struct multigrid_level *finest = &m->level[0];
#pragma omp parallel for schedule(static) if (matrix->n > BLOCK_LENGTH)
    for (size_t i = 0; i < matrix->n; i++) {
        size_t s = finest->slot[i];
        m->diagonal[s] = cell[i].open;
        for (int face = 0; face < LATTICE_FACES; face++) {
            m->coupling[s][face] = multigrid_coefficient(cell, i, face);
            m->diagonal[s] += m->coupling[s][face];
        }
    }
}

enum status multigrid_prepare(struct multigrid *m, const struct lattice_matrix *matrix,
                              struct error *error)
{
    m->n_levels = 0;
    if (multigrid_check(matrix, error) || closed_sets_find(&m->closed, matrix, error) ||
        reserve(m, matrix->n, error))
        return STATUS_FAILED;
    double unit = blocks_max(matrix->n, unit_of_block, matrix);
    m->unit = unit > 0.0 ? unit : 1.0;
    if (multigrid_level_finest(&m->level[0], matrix, m->unit, error))
        return STATUS_FAILED;
    copy_rows(m, matrix);
    m->n_levels = 1;
    while (multigrid_level_coupled(&m->level[m->n_levels - 1])) {
        struct multigrid_level *fine = &m->level[m->n_levels - 1];
        if (multigrid_level_coarser(fine, fine + 1, error))
            return STATUS_FAILED;
        m->n_levels++;
    }
    return STATUS_OK;
}

/* ---- passes over memory; a pass that returns a sum returns that of its block ---- */

/* An iteration's state. `scale` brings residuals of any unit into the range of single precision. */
struct iteration {
    struct multigrid *m;
    double scale; /* 1 / |r|, of the iteration before */
    double alpha;
};

static double product(const struct multigrid *m, const double *v, size_t s)
{
    const uint32_t *neighbor = m->level[0].neighbor[s];
    double sum = m->diagonal[s] * v[s];
    for (int face = 0; face < LATTICE_FACES; face++)
        sum -= m->coupling[s][face] * v[neighbor[face]];
    return sum;
}

static double apply(size_t begin, size_t end, void *context)
{
    const struct multigrid *m = context;
    const double *p = m->direction;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++) {
        m->image[s] = product(m, p, s);
        sum += p[s] * m->image[s];
    }
    return sum;
}

double multigrid_apply(struct multigrid *m)
{
    return blocks_change(m->level[0].n, apply, m);
}

/* |b - A x|^2 of the guess x, if m->residual is b and m->image is A x. */
static double guessed(size_t begin, size_t end, const void *context)
{
    const struct iteration *it = context;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++) {
        double r = it->m->residual[s] - it->m->image[s];
        sum += r * r;
    }
    return sum;
}

/* x += alpha p, r -= alpha A p. Sets the right side of the cycle; returns |r|^2. */
static double advance(size_t begin, size_t end, void *context)
{
    const struct iteration *it = context;
    struct multigrid *m = it->m;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++) {
        m->x[s] += it->alpha * m->direction[s];
        double r = m->residual[s] -= it->alpha * m->image[s];
        m->level[0].b[s] = (float)(r * it->scale);
        sum += r * r;
    }
    return sum;
}

/* r . z */
static double agreement(size_t begin, size_t end, const void *context)
{
    const struct iteration *it = context;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++)
        sum += it->m->residual[s] * (double)it->m->level[0].x[s];
    return sum;
}

static double largest_of(size_t begin, size_t end, const void *context)
{
    const struct iteration *it = context;
    double largest = 0.0;
    for (size_t s = begin; s < end; s++)
        largest = larger(largest, fabs(it->m->residual[s]));
    return largest;
}

/* p = z + beta p. The cycle's result has to be scaled to z, since its right side is scale r and its
 * matrix A / unit. */
static void turn(const struct iteration *it, double beta)
{
    const struct multigrid *m = it->m;
    const double back = 1.0 / (it->scale * m->unit);
    const size_t n = m->level[0].n;
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t s = 0; s < n; s++)
        m->direction[s] = back * (double)m->level[0].x[s] + beta * m->direction[s];
}

/* ---- the iteration ---- */

/* Sets r = b without the means of closed sets, p = the guess and x = 0. Returns |r|. */
static double load(struct multigrid *m, const double *b, const double *x,
                   struct multigrid_report *report)
{
    const struct multigrid_level *finest = &m->level[0];
    const struct closed_sets *closed = &m->closed;
    const size_t n = finest->n;
    closed_sets_mean(&m->closed, n, b);
    for (size_t k = 0; k < closed->n; k++)
        report->left_out = (struct multigrid_range){fmin(report->left_out.least, closed->mean[k]),
                                                    fmax(report->left_out.most, closed->mean[k])};
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t i = 0; i < n; i++) {
        size_t s = finest->slot[i];
        bool solvable = closed->n == 0 || closed->set_of[i] == LATTICE_NONE;
        m->residual[s] = solvable ? b[i] : b[i] - closed->mean[closed->set_of[i]];
        m->direction[s] = x[i];
        m->image[s] = m->x[s] = 0.0;
    }
    m->direction[n] = 0.0;
    return sqrt(blocks_sum(n, guessed, &(struct iteration){.m = m}));
}

/* Writes the solution to x, by index, with mean 0 over closed sets. */
static void unload(struct multigrid *m, double *x)
{
    const struct multigrid_level *finest = &m->level[0];
    const struct closed_sets *closed = &m->closed;
    const size_t n = finest->n;
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t i = 0; i < n; i++)
        x[i] = m->x[finest->slot[i]];
    closed_sets_mean(&m->closed, n, x);
    for (size_t i = 0; i < n && closed->n > 0; i++)
        if (closed->set_of[i] != LATTICE_NONE)
            x[i] -= closed->mean[closed->set_of[i]];
}

/* Takes the guess, which is p, or x = 0 if its residual, b, is smaller. Returns |r|. A guess worse
 * than 0 is not only useless: its rounding errors would stay in the solution, out of the reach of a
 * tolerance relative to b. */
static double begin(struct iteration *it, double right_side)
{
    struct multigrid *m = it->m;
    const size_t n = m->level[0].n;
    multigrid_apply(m);
    it->scale = right_side > 0.0 ? 1.0 / right_side : 1.0;
    it->alpha = 1.0;
    if (!(blocks_sum(n, guessed, it) <= right_side * right_side)) {
        memset(m->direction, 0, n * sizeof *m->direction);
        memset(m->image, 0, n * sizeof *m->image);
    }
    return sqrt(blocks_change(n, advance, it));
}

/* The bound on |b - A x|. */
static double bound_of(const struct multigrid_goal *goal, const struct multigrid_report *report)
{
    return goal->tolerance * fmax(report->right_side, goal->scale);
}

static bool reached(const struct iteration *it, const struct multigrid_goal *goal,
                    struct multigrid_report *report)
{
    if (!(report->residual <= bound_of(goal, report)))
        return false;
    report->largest = blocks_max(it->m->level[0].n, largest_of, it);
    return report->largest <= goal->largest;
}

static enum status not_solved(const struct multigrid_report *report,
                              const struct multigrid_goal *goal, struct error *error)
{
    const double residual =
        report->right_side > 0.0 ? report->residual / report->right_side : report->residual;
    if (!isfinite(residual))
        return error_set(error, STATUS_FAILED,
                         "the multigrid solver met values that are not finite after %zu iterations",
                         report->iterations);
    if (report->residual <= bound_of(goal, report))
        return error_set(error, STATUS_FAILED,
                         "the multigrid solver left a residual of %.3g in a cell after %zu "
                         "iterations, %.3g was asked for",
                         report->largest, report->iterations, goal->largest);
    return error_set(error, STATUS_FAILED,
                     "the multigrid solver stopped at a relative residual of %.3g after %zu "
                     "iterations, %.3g was asked for",
                     residual, report->iterations, goal->tolerance);
}

static enum status iterate(struct iteration *it, const struct multigrid_goal *goal,
                           struct multigrid_report *report, struct error *error)
{
    const size_t n = it->m->level[0].n;
    double before = 0.0;
    while (!reached(it, goal, report)) {
        if (report->iterations == goal->max_iterations || !isfinite(report->residual))
            return not_solved(report, goal, error);
        multigrid_cycle(it->m);
        double now = blocks_sum(n, agreement, it) / (it->scale * it->m->unit);
        turn(it, report->iterations > 0 ? now / before : 0.0);
        double curvature = multigrid_apply(it->m);
        if (!(curvature > 0.0 && now > 0.0))
            return not_solved(report, goal, error);
        it->alpha = now / curvature;
        it->scale = 1.0 / report->residual;
        report->residual = sqrt(blocks_change(n, advance, it));
        report->iterations++;
        before = now;
    }
    return STATUS_OK;
}

enum status multigrid_solve(struct multigrid *m, const double *b, double *x,
                            const struct multigrid_goal *goal, struct multigrid_report *report,
                            struct error *error)
{
    *report = (struct multigrid_report){0};
    if (m->n_levels == 0 || m->level[0].n == 0)
        return STATUS_OK;
    struct iteration it = {.m = m};
    report->right_side = load(m, b, x, report);
    report->residual = begin(&it, report->right_side);
    enum status status = iterate(&it, goal, report, error);
    unload(m, x);
    return status;
}
