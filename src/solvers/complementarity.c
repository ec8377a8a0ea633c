#include "solvers/complementarity.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void complementarity_free(struct complementarity *c)
{
    sparse_factor_free(&c->factor);
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

/* The largest of W lambda + q over the free rows, without its sign; lambda has changed by that much
 * times W^-1. */
static double refine(struct complementarity *c, const struct sparse_rows *w, const double *q,
                     double *lambda)
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

/* Rounding leaves about 1e-16 of the largest q; a direction that W hardly feels takes more rounds.
 */
static void refine_fully(struct complementarity *c, const struct sparse_rows *w, const double *q,
                         double *lambda)
{
    enum { MOST = 8 };
    static const double done = 1e-15, slow = 0.5;
    double first = refine(c, w, q, lambda), before = first;
    for (int round = 1; round < MOST; round++) {
        double rest = refine(c, w, q, lambda);
        if (rest <= done * first || rest > slow * before)
            break;
        before = rest;
    }
}

enum status complementarity_factor(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                   const uint32_t *row, const uint8_t *is_free,
                                   struct error *error)
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

/* lambda such that W lambda + q = 0 of the free rows, and 0 elsewhere. */
static enum status equate(struct complementarity *c, const struct sparse_rows *w, size_t n,
                          const uint32_t *row, const double *q, const uint8_t *is_free,
                          double *lambda, struct error *error)
{
    enum status status = complementarity_factor(c, w, n, row, is_free, error);
    for (size_t k = 0; k < n; k++)
        lambda[row[k]] = 0.0;
    if (!status && c->factor.n > 0)
        refine_fully(c, w, q, lambda);
    return status;
}

/* A problem at work. */
struct pivoting {
    const struct sparse_rows *w;
    size_t n;
    const uint32_t *row;
    const double *q;
    uint8_t *is_free;
    const double *lambda;
    double least, least_free; /* what counts as zero of w, and of lambda times its diagonal */
};

static bool is_wrong(const struct pivoting *p, uint32_t row)
{
    if (p->is_free[row])
        return p->lambda[row] * p->w->diagonal[row] < -p->least_free;
    return sparse_rows_times(p->w, row, p->lambda) + p->q[row] < -p->least;
}

/* Marks who changes sides, by a second bit; returns their number. */
static size_t mark_wrong(const struct pivoting *p, size_t *last)
{
    size_t wrong = 0;
    for (size_t k = 0; k < p->n; k++)
        if (is_wrong(p, p->row[k])) {
            *last = k;
            wrong++;
            p->is_free[p->row[k]] |= 2;
        }
    return wrong;
}

enum changing { NOBODY, ONE, ALL };

/* Takes the marks away. */
static void change_sides(const struct pivoting *p, enum changing who, size_t one)
{
    for (size_t k = 0; k < p->n; k++) {
        uint8_t *side = &p->is_free[p->row[k]];
        bool changes = (*side & 2) && (who == ALL || (who == ONE && k == one));
        *side = (uint8_t)((*side & 1) ^ changes);
    }
}

/* Rounding errors are in proportion to the largest q. In the directions that W does not feel,
 * lambda has those of 1e-16 over COMPLEMENTARITY_MORE. */
static void set_tolerances(struct pivoting *p, double least)
{
    static const double of_w = 1e-13, of_lambda = 1e-7;
    double largest = 0.0;
    for (size_t k = 0; k < p->n; k++)
        largest = fmax(largest, fabs(p->q[p->row[k]]));
    p->least = fmax(least, of_w * largest);
    p->least_free = fmax(least, of_lambda * largest);
}

enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error)
{
    enum { PATIENCE = 4, MOST_ROUNDS = 400 };
    struct pivoting p = {w, n, row, q, is_free, lambda, 0.0, 0.0};
    size_t fewest = n + 1, last = 0;
    int patience = PATIENCE;
    *report = (struct complementarity_report){0};
    set_tolerances(&p, least);
    for (;;) {
        enum status status = equate(c, w, n, row, q, is_free, lambda, error);
        if (status)
            return status;
        report->wrong = mark_wrong(&p, &last);
        report->rounds++;
        if (report->wrong == 0 || report->rounds == MOST_ROUNDS)
            break;
        patience = report->wrong < fewest ? PATIENCE : patience - (patience > 0);
        fewest = report->wrong < fewest ? report->wrong : fewest;
        change_sides(&p, patience > 0 ? ALL : ONE, last);
    }
    change_sides(&p, NOBODY, 0);
    return STATUS_OK;
}
