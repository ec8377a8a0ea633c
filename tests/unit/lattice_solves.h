/* Solving for lattices with multigrid, for its tests. */
#ifndef TESTS_LATTICE_SOLVES_H
#define TESTS_LATTICE_SOLVES_H

#include "lattices.h"
#include "solvers/multigrid_parts.h"
#include "tap.h"

static double *zeros(size_t n)
{
    double *v = calloc(n + 1, sizeof *v);
    if (!v)
        exit(1);
    return v;
}

/* y = A x, from the rows of the caller. */
static void apply(const struct lattice_matrix *A, const double *x, double *y)
{
    for (size_t i = 0; i < A->n; i++)
        y[i] = A->cell[i].open * x[i];
    for (size_t i = 0; i < A->n; i++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t j = A->cell[i].neighbor[2 * axis + 1];
            if (j == LATTICE_NONE)
                continue;
            double flow = A->cell[i].coupling[axis] * (x[i] - x[j]);
            y[i] += flow;
            y[j] -= flow;
        }
}

static bool everywhere(const uint32_t at[3], uint32_t edge, uint64_t seed)
{
    (void)at, (void)edge, (void)seed;
    return true;
}

static const struct multigrid_goal EXACT = {1e-12, 0.0, INFINITY, 500};

/* A new solver for one matrix. */
static struct multigrid *prepared(const struct lattice_matrix *A)
{
    struct multigrid *m;
    struct error error = {0};
    check_equal(multigrid_create(&m, &error), STATUS_OK, "created");
    if (!check(multigrid_prepare(m, A, &error) == STATUS_OK))
        printf("#   %s\n", error.message);
    return m;
}

static struct multigrid_report solve(struct multigrid *m, const double *b, double *x,
                                     const struct multigrid_goal *goal)
{
    struct multigrid_report report;
    struct error error = {0};
    if (!check(multigrid_solve(m, b, x, goal, &report, &error) == STATUS_OK))
        printf("#   %s\n", error.message);
    return report;
}

#endif
