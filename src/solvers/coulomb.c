#include "solvers/coulomb.h"

#include "base/memory.h"
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void coulomb_free(struct coulomb *c)
{
    complementarity_free(&c->normals);
    free(c->direction);
    free(c->past);
    free(c->along);
    free(c->motion);
    coulomb_cones_free(&c->cones);
    *c = (struct coulomb){0};
}

/* ---- the equations of a guess ---- */

/* |T| of a slipping contact, which follows from its N. */
static double bound_of(const struct coulomb_iterate *s, uint32_t row)
{
    return s->p->sliding * (coulomb_plus(s->lambda[row]) + s->p->pressed[row / 3]);
}

/* Updates T of slipping contacts from N, along their present directions. Returns an estimate of the
 * largest change of W lambda. */
static double follow_normals(struct coulomb_iterate *s)
{
    double largest = 0.0;
    for (size_t k = 0; k < s->p->n; k++) {
        uint32_t row = s->p->row[3 * k];
        double bound = bound_of(s, row);
        for (uint32_t d = 1; d < 3 && !s->is_free[row + 1]; d++)
            largest =
                fmax(largest, coulomb_move(s, row + d, bound * s->c->direction[2 * k + d - 1]));
    }
    return largest;
}

/* The same, but along the directions opposite to the present slip. */
static double follow_slip(struct coulomb_iterate *s)
{
    double largest = 0.0;
    for (size_t k = 0; k < s->p->n; k++) {
        struct coulomb_cone cone = {.row = s->p->row[3 * k]};
        if (s->is_free[cone.row + 1])
            continue;
        coulomb_project_across(s, coulomb_plus(s->lambda[cone.row]), &cone);
        double bound = bound_of(s, cone.row);
        for (uint32_t d = 0; d < 2; d++) {
            s->c->direction[2 * k + d] = cone.direction[d];
            largest = fmax(largest, coulomb_move(s, cone.row + 1 + d, bound * cone.direction[d]));
        }
    }
    return largest;
}

static double refine(struct coulomb_iterate *s)
{
    return complementarity_refine(&s->c->normals, s->p->w, s->p->q, s->lambda);
}

/* Solves the equations of the guess for lambda. Free rows start from zero, so that where W is
 * singular the solution is nearly the one of least norm. */
static enum status equate(struct coulomb_iterate *s, struct error *error)
{
    enum { MOST = 40 };
    static const double done = 1e-15, slow = 0.9;
    const struct coulomb_problem *p = s->p;
    enum status status =
        complementarity_factor(&s->c->normals, p->w, 3 * p->n, p->row, s->is_free, error);
    if (status)
        return status;
    follow_normals(s);
    for (size_t k = 0; k < 3 * p->n; k++)
        if (s->is_free[p->row[k]] || k % 3 == 0)
            s->lambda[p->row[k]] = 0.0;
    double first = refine(s), before = (double)INFINITY;
    for (int round = 0; round < MOST; round++) {
        double left = follow_slip(s);
        left = fmax(left, refine(s));
        if (left <= done * first || left > slow * before)
            break;
        before = left;
    }
    return STATUS_OK;
}

static bool is_as_it_was(const struct coulomb_iterate *s, const struct coulomb_cone *cone)
{
    static const double as_good_as_solved = 10.0;
    if (cone->presses != s->is_free[cone->row] || cone->sticks != s->is_free[cone->row + 1])
        return false;
    for (uint32_t d = 1; d < 3 && !cone->sticks; d++) {
        double change = fabs(cone->to[d] - s->lambda[cone->row + d]) * cone->diagonal;
        if (change > as_good_as_solved * coulomb_least(s))
            return false;
    }
    return true;
}

/* Improves the guess; returns how many contacts were wrong. */
static size_t guess_again(struct coulomb_iterate *s)
{
    size_t wrong = 0;
    coulomb_set_largest(s);
    for (size_t k = 0; k < s->p->n; k++) {
        struct coulomb_cone cone = {.row = s->p->row[3 * k]};
        coulomb_project_normal(s, &cone);
        coulomb_project_across(s, cone.presses ? cone.to[0] : 0.0, &cone);
        wrong += !is_as_it_was(s, &cone);
        coulomb_keep(s, k, &cone);
    }
    return wrong;
}

/* ---- one contact after the other ---- */

/* If guessing did not converge, sweeps until no change matters, or until the limit. Returns how
 * many contacts are not solved. */
static size_t sweep_to_the_end(struct coulomb_iterate *s)
{
    static const double solved = 1e-9;
    size_t wrong = s->p->n;
    for (size_t k = 0; k < s->p->most_sweeps && wrong > 0; k++)
        wrong = coulomb_sweep(s, fmax(s->p->least, solved * s->largest)).wrong;
    return wrong;
}

/* Repeats guesses until one is right. Sweeps whenever the number of wrong contacts has not fallen
 * for some rounds. */
static enum status guess(struct coulomb_iterate *s, struct complementarity_report *report,
                         struct error *error)
{
    enum { PATIENCE = 3, SWEEPS = 20 };
    size_t fewest = s->p->n + 1;
    for (int patience = PATIENCE; report->rounds < s->p->most_rounds; patience--) {
        if (patience == 0) {
            for (int k = 0; k < SWEEPS; k++)
                coulomb_sweep(s, 0.0);
            patience = PATIENCE;
            fewest = s->p->n + 1;
        }
        enum status status = equate(s, error);
        if (status)
            return status;
        report->rounds++;
        report->wrong = guess_again(s);
        if (report->wrong == 0)
            break;
        if (report->wrong < fewest) {
            fewest = report->wrong;
            patience = PATIENCE + 1;
        }
    }
    return STATUS_OK;
}

double coulomb_energy(const struct coulomb_problem *p, const double *lambda)
{
    double sum = 0.0;
    for (size_t k = 0; k < 3 * p->n; k++) {
        const uint32_t row = p->row[k];
        sum += lambda[row] * (0.5 * sparse_rows_times(p->w, row, lambda) + p->q[row]);
    }
    return sum;
}

enum status coulomb_solve(struct coulomb *c, const struct coulomb_problem *p, uint8_t *is_free,
                          double *lambda, struct complementarity_report *report,
                          struct error *error)
{
    struct coulomb_iterate s = {.c = c, .p = p, .rows = 3, .is_free = is_free, .lambda = lambda};
    *report = (struct complementarity_report){0};
    if (array_reserve(&c->direction, &c->capacity, 2 * p->n, sizeof *c->direction, "contacts",
                      error))
        return STATUS_FAILED;
    for (size_t k = 0; k < 2 * p->n; k++)
        c->direction[k] = 0.0;
    for (size_t k = 0; k < 3 * p->n; k++)
        lambda[p->row[k]] = 0.0;
    enum status status = guess(&s, report, error);
    if (status || report->wrong == 0)
        return status;
    report->wrong = sweep_to_the_end(&s);
    if (report->wrong > 0 || coulomb_energy(p, lambda) > 0.0)
        status = coulomb_solve_proximal(c, p, is_free, lambda, report, error);
    return status;
}
