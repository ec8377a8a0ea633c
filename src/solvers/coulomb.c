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
    coulomb_cones_free(&c->cones);
    *c = (struct coulomb){0};
}

/* A problem while it is being solved. */
struct problem {
    struct coulomb *c;
    const struct coulomb_problem *p;
    uint8_t *is_free;
    double *lambda;
    double largest; /* largest of |q| and |lambda| diagonal, to which rounding errors are in
                       proportion */
};

/* The next iterate of one contact, by Coulomb's law. */
struct cone {
    uint32_t row; /* row of its normal */
    bool presses, sticks;
    double to[3];        /* new values of lambda */
    double direction[2]; /* unit vector of T */
    double diagonal;     /* larger diagonal entry of W of the tangential rows */
};

static double plus(double x)
{
    return x > 0.0 ? x : 0.0;
}

static void set_largest(struct problem *s)
{
    s->largest = 0.0;
    for (size_t k = 0; k < 3 * s->p->n; k++) {
        uint32_t row = s->p->row[k];
        double given = fabs(s->lambda[row]) * s->p->w->diagonal[row];
        s->largest = fmax(s->largest, fmax(fabs(s->p->q[row]), given));
    }
}

/* Values of w up to this count as zero. */
static double least(const struct problem *s)
{
    static const double rounding = 1e-13;
    return fmax(s->p->least, rounding * s->largest);
}

/* Impulses times their diagonal entry count as zero up to this. They are less certain than w where
 * W is singular. */
static double least_given(const struct problem *s)
{
    static const double rounding = 1e-7;
    return fmax(s->p->least, rounding * s->largest);
}

/* ---- one contact ---- */

static double speed(const struct problem *s, uint32_t row)
{
    return sparse_rows_times(s->p->w, row, s->lambda) + s->p->q[row];
}

/* A contact that presses goes on pressing unless it would have to pull; one that does not starts to
 * press if its particles would approach. */
static void project_normal(const struct problem *s, struct cone *cone)
{
    double given = s->lambda[cone->row], diagonal = s->p->w->diagonal[cone->row];
    double approach = speed(s, cone->row);
    if (s->is_free[cone->row])
        cone->presses = given * diagonal >= -least_given(s);
    else
        cone->presses = approach < -least(s);
    cone->to[0] = plus(given - approach / diagonal);
}

/* Decides whether the contact sticks and, if it slips, in which direction. The normal impulse N
 * bounds T. */
static void project_across(const struct problem *s, double N, struct cone *cone)
{
    uint32_t row = cone->row;
    double pressed = s->p->pressed[row / 3], bound = N + pressed, to[2];
    bool sticks = s->is_free[row + 1], slips = !sticks && (s->is_free[row] || pressed > 0.0);
    cone->diagonal = fmax(s->p->w->diagonal[row + 1], s->p->w->diagonal[row + 2]);
    for (uint32_t d = 0; d < 2; d++)
        to[d] = s->lambda[row + 1 + d] - speed(s, row + 1 + d) / cone->diagonal;
    double slack = (sticks ? least_given(s) : -least(s)) / cone->diagonal;
    double length = sqrt(to[0] * to[0] + to[1] * to[1]),
           most = slips ? s->p->sliding : s->p->sticking;
    cone->sticks = bound > 0.0 && length <= most * bound + slack;
    double share = length > 0.0 ? 1.0 / length : 0.0;
    for (int d = 0; d < 2; d++) {
        cone->direction[d] = share * to[d];
        cone->to[d + 1] = cone->sticks ? to[d] : s->p->sliding * bound * cone->direction[d];
    }
}

static void keep(struct problem *s, size_t k, const struct cone *cone)
{
    s->is_free[cone->row] = cone->presses;
    s->is_free[cone->row + 1] = s->is_free[cone->row + 2] = cone->sticks;
    for (size_t d = 0; d < 2; d++)
        s->c->direction[2 * k + d] = cone->direction[d];
}

/* Sets an impulse to its new value; returns the change times the diagonal entry. */
static double move(struct problem *s, uint32_t row, double to)
{
    double change = fabs(to - s->lambda[row]) * s->p->w->diagonal[row];
    s->lambda[row] = to;
    return change;
}

/* ---- the equations of a guess ---- */

/* |T| of a slipping contact, which follows from its N. */
static double bound_of(const struct problem *s, uint32_t row)
{
    return s->p->sliding * (plus(s->lambda[row]) + s->p->pressed[row / 3]);
}

/* Updates T of slipping contacts from N, along their present directions. Returns an estimate of the
 * largest change of W lambda. */
static double follow_normals(struct problem *s)
{
    double largest = 0.0;
    for (size_t k = 0; k < s->p->n; k++) {
        uint32_t row = s->p->row[3 * k];
        double bound = bound_of(s, row);
        for (uint32_t d = 1; d < 3 && !s->is_free[row + 1]; d++)
            largest = fmax(largest, move(s, row + d, bound * s->c->direction[2 * k + d - 1]));
    }
    return largest;
}

/* The same, but along the directions opposite to the present slip. */
static double follow_slip(struct problem *s)
{
    double largest = 0.0;
    for (size_t k = 0; k < s->p->n; k++) {
        struct cone cone = {.row = s->p->row[3 * k]};
        if (s->is_free[cone.row + 1])
            continue;
        project_across(s, plus(s->lambda[cone.row]), &cone);
        double bound = bound_of(s, cone.row);
        for (uint32_t d = 0; d < 2; d++) {
            s->c->direction[2 * k + d] = cone.direction[d];
            largest = fmax(largest, move(s, cone.row + 1 + d, bound * cone.direction[d]));
        }
    }
    return largest;
}

static double refine(struct problem *s)
{
    return complementarity_refine(&s->c->normals, s->p->w, s->p->q, s->lambda);
}

/* Solves the equations of the guess for lambda. Free rows start from zero, so that where W is
 * singular the solution is nearly the one of least norm. */
static enum status equate(struct problem *s, struct error *error)
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

static bool is_as_it_was(const struct problem *s, const struct cone *cone)
{
    static const double as_good_as_solved = 10.0;
    if (cone->presses != s->is_free[cone->row] || cone->sticks != s->is_free[cone->row + 1])
        return false;
    for (uint32_t d = 1; d < 3 && !cone->sticks; d++) {
        double change = fabs(cone->to[d] - s->lambda[cone->row + d]) * cone->diagonal;
        if (change > as_good_as_solved * least(s))
            return false;
    }
    return true;
}

/* Improves the guess; returns how many contacts were wrong. */
static size_t guess_again(struct problem *s)
{
    size_t wrong = 0;
    set_largest(s);
    for (size_t k = 0; k < s->p->n; k++) {
        struct cone cone = {.row = s->p->row[3 * k]};
        project_normal(s, &cone);
        project_across(s, cone.presses ? cone.to[0] : 0.0, &cone);
        wrong += !is_as_it_was(s, &cone);
        keep(s, k, &cone);
    }
    return wrong;
}

/* ---- one contact after the other ---- */

/* By how much a sweep changed W lambda, in units of q: the most, and the number of contacts at
 * which it was more than was allowed. */
struct change {
    double most;
    size_t wrong;
};

/* Solves for the impulses of each contact in turn while all others stay as they are. */
static struct change sweep(struct problem *s, double allowed)
{
    struct change all = {0.0, 0};
    for (size_t k = 0; k < s->p->n; k++) {
        struct cone cone = {.row = s->p->row[3 * k]};
        project_normal(s, &cone);
        cone.presses = cone.to[0] > 0.0;
        double change = move(s, cone.row, cone.to[0]);
        project_across(s, cone.to[0], &cone);
        for (uint32_t d = 1; d < 3; d++)
            change = fmax(change, move(s, cone.row + d, cone.to[d]));
        all.most = fmax(all.most, change);
        all.wrong += change > allowed;
        keep(s, k, &cone);
    }
    return all;
}

/* If guessing did not converge, sweeps until no change matters, or until the limit. Returns how
 * many contacts are not solved. */
static size_t sweep_to_the_end(struct problem *s)
{
    static const double solved = 1e-9;
    size_t wrong = s->p->n;
    for (size_t k = 0; k < s->p->most_sweeps && wrong > 0; k++)
        wrong = sweep(s, fmax(s->p->least, solved * s->largest)).wrong;
    return wrong;
}

/* Repeats guesses until one is right. Sweeps whenever the number of wrong contacts has not fallen
 * for some rounds. */
static enum status guess(struct problem *s, struct complementarity_report *report,
                         struct error *error)
{
    enum { PATIENCE = 3, SWEEPS = 20 };
    size_t fewest = s->p->n + 1;
    for (int patience = PATIENCE; report->rounds < s->p->most_rounds; patience--) {
        if (patience == 0) {
            for (int k = 0; k < SWEEPS; k++)
                sweep(s, 0.0);
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

/* ---- sweeps alone ---- */

static void remember(const struct problem *s)
{
    for (size_t k = 0; k < 3 * s->p->n; k++)
        s->c->past[k] = s->lambda[s->p->row[k]];
}

/* Squared norm of the change by a sweep, in units of energy. */
static double went(const struct problem *s)
{
    double sum = 0.0;
    for (size_t k = 0; k < 3 * s->p->n; k++) {
        uint32_t row = s->p->row[k];
        double change = s->lambda[row] - s->c->past[k];
        sum += s->p->w->diagonal[row] * change * change;
    }
    return sum;
}

/* Continues along the conjugate direction; the change by a sweep plays the part of the gradient.
 * With share 0 the directions start anew. */
static void go_on(const struct problem *s, double share)
{
    for (size_t k = 0; k < 3 * s->p->n; k++) {
        double *lambda = &s->lambda[s->p->row[k]], *along = &s->c->along[k];
        double change = *lambda - s->c->past[k];
        *lambda += share * *along;
        *along = share * *along + change;
    }
}

static enum status reserve_sweeps(struct coulomb *c, size_t n, struct error *error)
{
    if (array_reserve(&c->direction, &c->capacity, 2 * n, sizeof *c->direction, "contacts",
                      error) ||
        array_reserve(&c->past, &c->past_capacity, 3 * n, sizeof *c->past, "contacts", error) ||
        array_reserve(&c->along, &c->along_capacity, 3 * n, sizeof *c->along, "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < 3 * n; k++)
        c->along[k] = 0.0;
    return STATUS_OK;
}

enum status coulomb_approach(struct coulomb *c, const struct coulomb_problem *p,
                             const struct coulomb_tolerance *tolerance, uint8_t *is_free,
                             double *lambda, struct complementarity_report *report,
                             struct error *error)
{
    enum { SOME_WAY = 40 };
    struct problem s = {.c = c, .p = p, .is_free = is_free, .lambda = lambda};
    double before = (double)INFINITY;
    size_t most = tolerance->most_sweeps;
    *report = (struct complementarity_report){.wrong = p->n};
    if (reserve_sweeps(c, p->n, error))
        return STATUS_FAILED;
    set_largest(&s);
    while (report->iterations < most) {
        remember(&s);
        struct change change = sweep(&s, tolerance->solved);
        if (report->wrong > 0 && change.wrong == 0)
            most = report->iterations + SOME_WAY < most ? report->iterations + SOME_WAY : most;
        report->wrong = change.wrong;
        report->iterations++;
        if (change.most <= tolerance->fine || report->iterations == most)
            break;
        double now = went(&s);
        go_on(&s, now < before ? now / before : 0.0);
        before = now;
    }
    return STATUS_OK;
}

enum status coulomb_solve(struct coulomb *c, const struct coulomb_problem *p, uint8_t *is_free,
                          double *lambda, struct complementarity_report *report,
                          struct error *error)
{
    struct problem s = {.c = c, .p = p, .is_free = is_free, .lambda = lambda};
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
