#include "solvers/complementarity.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void complementarity_free(struct complementarity *c)
{
    sparse_factor_free(&c->factor);
    projected_gradients_free(&c->gradients);
    free(c->place);
    free(c->part);
    free(c->change);
    *c = (struct complementarity){0};
}

static enum status reserve(struct complementarity *c, size_t n_all, size_t n, struct error *error)
{
    if (array_reserve(&c->place, &c->place_capacity, n_all, sizeof *c->place, "contacts", error) ||
        array_reserve(&c->part, &c->part_capacity, n, sizeof *c->part, "contacts", error) ||
        array_reserve(&c->change, &c->change_capacity, n, sizeof *c->change, "contacts", error))
        return STATUS_FAILED;
    for (; c->placed < n_all; c->placed++)
        c->place[c->placed] = SPARSE_NOWHERE;
    return STATUS_OK;
}

double complementarity_refine(struct complementarity *c, const struct sparse_rows *w,
                              const double *q, double *lambda)
{
    double largest = 0.0;
    for (size_t k = 0; k < c->factor.n; k++) {
        double rest = sparse_rows_times(w, c->part[k], lambda) + q[c->part[k]];
        c->change[k] = -rest;
        largest = fmax(largest, fabs(rest));
    }
    sparse_factor_solve(&c->factor, c->change);
    for (size_t k = 0; k < c->factor.n; k++)
        lambda[c->part[k]] += c->change[k];
    return largest;
}

/* Refines until the residual is about 1e-16 of its first value. Directions with small eigenvalues
 * of W take more rounds. */
static void refine_fully(struct complementarity *c, const struct sparse_rows *w, const double *q,
                         double *lambda)
{
    enum { MOST = 8 };
    static const double done = 1e-15, slow = 0.5;
    double first = complementarity_refine(c, w, q, lambda), before = first;
    for (int round = 1; round < MOST; round++) {
        double rest = complementarity_refine(c, w, q, lambda);
        if (rest <= done * first || rest > slow * before)
            break;
        before = rest;
    }
}

enum status complementarity_factor(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                   const uint32_t *row, const uint8_t *is_free, struct error *error)
{
    size_t m = 0;
    if (reserve(c, w->n, n, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++)
        if (is_free[row[k]]) {
            c->place[row[k]] = (uint32_t)m;
            c->part[m++] = row[k];
        }
    enum status status =
        sparse_factor_of(&c->factor, w, m, c->part, c->place, COMPLEMENTARITY_MORE, error);
    for (size_t k = 0; k < m; k++)
        c->place[c->part[k]] = SPARSE_NOWHERE;
    return status;
}

/* A problem while it is being solved. */
struct problem {
    const struct sparse_rows *w;
    size_t n;
    const uint32_t *row;
    const double *q;
    uint8_t *is_free;
    double *lambda;
    double asked;             /* the caller's `least` */
    double least, least_free; /* w, and lambda times its diagonal, count as zero up to these */
};

/* Finds lambda such that W lambda + q = 0 in the free rows and lambda = 0 elsewhere. */
static enum status equate(struct complementarity *c, const struct problem *p, struct error *error)
{
    enum status status = complementarity_factor(c, p->w, p->n, p->row, p->is_free, error);
    for (size_t k = 0; k < p->n; k++)
        p->lambda[p->row[k]] = 0.0;
    if (!status && c->factor.n > 0)
        refine_fully(c, p->w, p->q, p->lambda);
    return status;
}

/* Rounding errors are in proportion to the largest of |q| and |lambda| times its diagonal. In the
 * null space of W the relative error of lambda is 1e-16 over COMPLEMENTARITY_MORE. */
static void set_tolerances(struct problem *p)
{
    static const double of_w = 1e-13, of_lambda = 1e-7;
    double largest = 0.0;
    for (size_t k = 0; k < p->n; k++) {
        uint32_t row = p->row[k];
        largest = fmax(largest, fmax(fabs(p->q[row]), fabs(p->lambda[row]) * p->w->diagonal[row]));
    }
    p->least = fmax(p->asked, of_w * largest);
    p->least_free = fmax(p->asked, of_lambda * largest);
}

static bool is_wrong(const struct problem *p, uint32_t row)
{
    if (p->is_free[row])
        return p->lambda[row] * p->w->diagonal[row] < -p->least_free;
    return sparse_rows_times(p->w, row, p->lambda) + p->q[row] < -p->least;
}

/* Marks the rows of a wrong sign by a second bit; returns their number. */
static size_t mark_wrong(struct problem *p)
{
    set_tolerances(p);
    size_t wrong = 0;
    for (size_t k = 0; k < p->n; k++)
        if (is_wrong(p, p->row[k])) {
            wrong++;
            p->is_free[p->row[k]] |= 2;
        }
    return wrong;
}

/* Lets the marked rows change sides, and removes the marks. */
static void change_sides(const struct problem *p)
{
    for (size_t k = 0; k < p->n; k++) {
        uint8_t *side = &p->is_free[p->row[k]];
        *side = (uint8_t)((*side & 1) ^ (*side >> 1));
    }
}

/* ---- block principal pivoting ---- */

/* Ends when no row is wrong, or when the number of wrong rows has not fallen for some rounds. */
static enum status pivot(struct complementarity *c, struct problem *p,
                         struct complementarity_report *report, struct error *error)
{
    enum { PATIENCE = 2 };
    size_t fewest = p->n + 1;
    for (int patience = PATIENCE; patience > 0; patience--) {
        enum status status = equate(c, p, error);
        if (status)
            return status;
        report->rounds++;
        report->wrong = mark_wrong(p);
        change_sides(p);
        if (report->wrong == 0)
            break;
        if (report->wrong < fewest) {
            fewest = report->wrong;
            patience = PATIENCE + 1;
        }
    }
    return STATUS_OK;
}

/* ---- projected gradients ---- */

struct complementarity_report complementarity_approach(struct complementarity *c, size_t part,
                                                       const double *q, double tolerance,
                                                       uint8_t *is_free, double *lambda)
{
    enum { MOST_ITERATIONS = 10000 };
    const struct projected_gradients *g = &c->gradients;
    struct projected_gradients_report descent =
        projected_gradients_solve(&c->gradients, part, q, tolerance, MOST_ITERATIONS, lambda);
    for (size_t k = g->part[part].first; k < g->part[part].end; k++)
        is_free[g->row[k]] = lambda[g->row[k]] > 0.0;
    return (struct complementarity_report){.iterations = descent.iterations,
                                           .wrong = descent.worst > tolerance};
}

/* The tolerance for w, in units of q, which cannot be smaller than what rounding leaves. */
static double tolerance_of(const struct problem *p)
{
    static const double rounding = 1e-12;
    double largest = 0.0;
    for (size_t k = 0; k < p->n; k++)
        largest = fmax(largest, fabs(p->q[p->row[k]]));
    return fmax(p->asked, rounding * largest);
}

enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error)
{
    struct problem p = {
        .w = w, .n = n, .row = row, .q = q, .is_free = is_free, .lambda = lambda, .asked = least};
    *report = (struct complementarity_report){0};
    if (n <= COMPLEMENTARITY_FEW) {
        enum status status = pivot(c, &p, report, error);
        if (status || report->wrong == 0)
            return status;
    }
    for (size_t k = 0; k < n; k++)
        lambda[row[k]] = 0.0;
    size_t rounds = report->rounds;
    const size_t start[] = {0, n};
    enum status status = projected_gradients_take(&c->gradients, w, 1, start, row, error);
    if (status)
        return status;
    *report = complementarity_approach(c, 0, q, tolerance_of(&p), is_free, lambda);
    report->rounds = rounds;
    return STATUS_OK;
}
