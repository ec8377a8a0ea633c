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
    free(c->slope);
    free(c->direction);
    free(c->step);
    *c = (struct complementarity){0};
}

static enum status reserve(struct complementarity *c, size_t n_all, size_t n, struct error *error)
{
    if (array_reserve(&c->place, &c->place_capacity, n_all, sizeof *c->place, "contacts", error) ||
        array_reserve(&c->part, &c->part_capacity, n, sizeof *c->part, "contacts", error) ||
        array_reserve(&c->change, &c->change_capacity, n, sizeof *c->change, "contacts", error) ||
        array_reserve(&c->slope, &c->slope_capacity, n, sizeof *c->slope, "contacts", error) ||
        array_reserve(&c->direction, &c->direction_capacity, n, sizeof *c->direction, "contacts",
                      error) ||
        array_reserve(&c->step, &c->step_capacity, n_all, sizeof *c->step, "contacts", error))
        return STATUS_FAILED;
    for (; c->placed < n_all; c->placed++) {
        c->place[c->placed] = SPARSE_NOWHERE;
        c->step[c->placed] = 0.0;
    }
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

/* A problem at work. */
struct problem {
    const struct sparse_rows *w;
    size_t n;
    const uint32_t *row;
    const double *q;
    uint8_t *is_free;
    double *lambda;
    size_t most_rounds;
    double asked;             /* speeds that do not matter to whoever asks */
    double small;             /* lambda times its diagonal that may go to zero at once */
    double nearly;            /* what Newton's method leaves of w of free rows */
    double least, least_free; /* what counts as zero of w, and of lambda times its diagonal */
};

/* lambda such that W lambda + q = 0 of the free rows, and 0 elsewhere. */
static enum status equate(struct complementarity *c, const struct problem *p, struct error *error)
{
    enum status status = complementarity_factor(c, p->w, p->n, p->row, p->is_free, error);
    for (size_t k = 0; k < p->n; k++)
        p->lambda[p->row[k]] = 0.0;
    if (!status && c->factor.n > 0)
        refine_fully(c, p->w, p->q, p->lambda);
    return status;
}

/* Rounding errors are in proportion to the largest of q and of what impulses add to it. In the
 * directions that W does not feel, lambda has those of 1e-16 over COMPLEMENTARITY_MORE. */
static void set_tolerances(struct problem *p)
{
    static const double of_w = 1e-13, of_lambda = 1e-7, nearly = 1e-12, small = 1e-3;
    double largest = 0.0;
    for (size_t k = 0; k < p->n; k++) {
        uint32_t row = p->row[k];
        largest = fmax(largest, fmax(fabs(p->q[row]), fabs(p->lambda[row]) * p->w->diagonal[row]));
    }
    p->small = small * largest;
    p->nearly = fmax(p->asked, nearly * largest);
    p->least = fmax(p->asked, of_w * largest);
    p->least_free = fmax(p->asked, of_lambda * largest);
}

static bool is_wrong(const struct problem *p, uint32_t row)
{
    if (p->is_free[row])
        return p->lambda[row] * p->w->diagonal[row] < -p->least_free;
    return sparse_rows_times(p->w, row, p->lambda) + p->q[row] < -p->least;
}

/* Marks who changes sides, by a second bit; returns their number. */
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

/* Who is marked, and takes the marks away. */
static void change_sides(const struct problem *p)
{
    for (size_t k = 0; k < p->n; k++) {
        uint8_t *side = &p->is_free[p->row[k]];
        *side = (uint8_t)((*side & 1) ^ (*side >> 1));
    }
}

/* ---- block principal pivoting ---- */

/* Ends when nothing is wrong, or after the number of what is wrong has not fallen for some rounds.
 */
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

/* ---- Newton's method on the half space ---- */

/* Fills c->slope = W lambda + q; returns how far from the solution the worst row is, in units of q,
 * and in *unsolved how many are not there. */
static double find_slope(struct complementarity *c, struct problem *p, size_t *unsolved)
{
    set_tolerances(p);
    double worst = 0.0;
    *unsolved = 0;
    for (size_t k = 0; k < p->n; k++) {
        uint32_t row = p->row[k];
        double slope = sparse_rows_times(p->w, row, p->lambda) + p->q[row];
        double left = fabs(fmin(slope, p->lambda[row] * p->w->diagonal[row]));
        c->slope[k] = slope;
        worst = fmax(worst, left);
        *unsolved += left > p->nearly;
    }
    return worst;
}

/* Who may change: whoever has an impulse, and who would get one. A small impulse that would fall is
 * not free but goes to zero, or else it would end every step (Bertsekas). */
static void choose_free(struct complementarity *c, const struct problem *p, double small)
{
    for (size_t k = 0; k < p->n; k++) {
        uint32_t row = p->row[k];
        bool bound = p->lambda[row] * p->w->diagonal[row] <= small && c->slope[k] > 0.0;
        p->is_free[row] = !bound;
    }
}

/* max(0, lambda + share * direction) - lambda into c->step, by row; its product with the slope. */
static double project_step(struct complementarity *c, const struct problem *p, double share)
{
    double product = 0.0;
    for (size_t k = 0; k < p->n; k++) {
        uint32_t row = p->row[k];
        double to = fmax(0.0, p->lambda[row] + share * c->direction[k]);
        c->step[row] = to - p->lambda[row];
        product += c->step[row] * c->slope[k];
    }
    return product;
}

/* By how much the step changes lambda . W lambda / 2 + q . lambda. */
static double descent(const struct complementarity *c, const struct problem *p, double product)
{
    double sum = 0.0;
    for (size_t k = 0; k < p->n; k++)
        sum += c->step[p->row[k]] * sparse_rows_times(p->w, p->row[k], c->step);
    return product + 0.5 * sum;
}

/* The longest of the steps 1, 1/2, 1/4 ... along the projected direction that descends enough. */
static void take_step(struct complementarity *c, const struct problem *p)
{
    static const double enough = 1e-4, shortest = 1e-6;
    for (double share = 1.0; share > shortest; share *= 0.5) {
        double product = project_step(c, p, share);
        if (descent(c, p, product) <= enough * product)
            break;
    }
    for (size_t k = 0; k < p->n; k++)
        p->lambda[p->row[k]] += c->step[p->row[k]];
}

/* Solves row by row, for the impulse of each with those of all others as they are (projected Gauss
 * and Seidel). That never ascends, and gets on where Newton's steps are cut short again and again;
 * but it spreads impulses over redundant rows, which makes these steps short. */
static void sweep(const struct problem *p)
{
    enum { SWEEPS = 10 };
    for (int k = 0; k < SWEEPS; k++)
        for (size_t at = 0; at < p->n; at++) {
            uint32_t row = p->row[at];
            double slope = sparse_rows_times(p->w, row, p->lambda) + p->q[row];
            p->lambda[row] = fmax(0.0, p->lambda[row] - slope / p->w->diagonal[row]);
        }
}

/* Least lambda . W lambda / 2 + q . lambda over lambda >= 0, which always descends. */
static enum status descend(struct complementarity *c, struct problem *p,
                           struct complementarity_report *report, struct error *error)
{
    enum { STUCK = 60 /* rounds; 20 are usual */ };
    for (size_t k = 0; k < p->n; k++)
        p->lambda[p->row[k]] = fmax(0.0, p->lambda[p->row[k]]);
    for (;;) {
        size_t unsolved, m = 0;
        if (report->rounds > STUCK)
            sweep(p);
        double worst = find_slope(c, p, &unsolved);
        if (unsolved == 0 || report->rounds >= p->most_rounds)
            break;
        choose_free(c, p, fmin(worst, p->small));
        enum status status = complementarity_factor(c, p->w, p->n, p->row, p->is_free, error);
        if (status)
            return status;
        for (size_t k = 0; k < p->n; k++)
            if (p->is_free[p->row[k]])
                c->change[m++] = -c->slope[k];
        sparse_factor_solve(&c->factor, c->change);
        m = 0;
        for (size_t k = 0; k < p->n; k++)
            c->direction[k] = p->is_free[p->row[k]] ? c->change[m++] : -p->lambda[p->row[k]];
        take_step(c, p);
        report->rounds++;
    }
    for (size_t k = 0; k < p->n; k++)
        p->is_free[p->row[k]] = p->lambda[p->row[k]] > 0.0;
    return STATUS_OK;
}

/* From nearly the solution to it. lambda stays where it is in directions that W does not feel. */
static enum status polish(struct complementarity *c, struct problem *p,
                          struct complementarity_report *report, struct error *error)
{
    enum status status = complementarity_factor(c, p->w, p->n, p->row, p->is_free, error);
    if (status)
        return status;
    if (c->factor.n > 0)
        refine_fully(c, p->w, p->q, p->lambda);
    report->wrong = 0;
    set_tolerances(p);
    for (size_t k = 0; k < p->n; k++)
        report->wrong += is_wrong(p, p->row[k]);
    return STATUS_OK;
}

enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  size_t most_rounds, uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error)
{
    struct problem p = {.w = w,
                        .n = n,
                        .row = row,
                        .q = q,
                        .is_free = is_free,
                        .lambda = lambda,
                        .most_rounds = most_rounds,
                        .asked = least};
    *report = (struct complementarity_report){0};
    enum status status = pivot(c, &p, report, error);
    if (status || report->wrong == 0)
        return status;
    status = descend(c, &p, report, error);
    return status ? status : polish(c, &p, report, error);
}
