/* Contacts with friction as a sequence of convex problems. With the opening s = mu |w_t| added to
 * the speed along the normal, Coulomb's law says that -(w_n + s, w_t) is normal to the cone of
 * impulses at lambda (de Saxce and Feng, Math. Comput. Modelling 28, 1998). For a given s, this is
 * the minimum of
 *
 *     lambda . W lambda / 2 + q . lambda + s . N
 *
 * over the cones, which exists for singular W as well; the next s follows from it (Acary, Cadoux,
 * Lemarechal and Malick, "A formulation of the linear discrete Coulomb friction problem via convex
 * optimization", ZAMM 91, 2011). Sweeps minimize over one contact after the other while the others
 * stay. At the minimum the first two terms, the energy that friction adds, are at most
 * -s . N - lambda . W lambda / 2: whatever s is, friction takes energy.
 *
 * A given s may come to its end by ever smaller changes. So in every other round s follows the slip
 * of each contact while that is solved, which minimizes nothing and need not lead anywhere, but
 * takes fewer rounds where it does. */
#include "base/memory.h"
#include "solvers/coulomb.h"
#include "solvers/friction_cone.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct descent {
    const struct coulomb_problem *p;
    struct coulomb_contact *contact; /* (p->n) */
    double *lambda;
    double solved, fine; /* distances from the law, in units of w: what counts as solved, and where
                            there is no more to do */
    bool follows;        /* whether openings follow each change, instead of staying */
};

/* ---- one contact ---- */

/* W of the rows of one contact. */
static void find_block(const struct sparse_rows *w, struct coulomb_contact *c)
{
    memset(c->block, 0, sizeof c->block);
    for (size_t d = 0; d < 3; d++) {
        const size_t row = c->row + d;
        c->block[d][d] = w->diagonal[row];
        for (size_t e = w->start[row]; e < w->start[row + 1]; e++)
            if (w->column[e] - c->row < 3)
                c->block[d][w->column[e] - c->row] += w->value[e];
    }
}

/* A bound of the largest eigenvalue. */
static double bound_of(double block[3][3])
{
    double most = 0.0;
    for (size_t d = 0; d < 3; d++)
        most = fmax(most, fabs(block[d][0]) + fabs(block[d][1]) + fabs(block[d][2]));
    return most;
}

/* The nearest allowed impulse after a step down the slope w. */
static struct cone_place step_from(const struct descent *s, const struct coulomb_contact *c,
                                   const double impulse[3], const double w[3])
{
    const double to[3] = {impulse[0] - (w[0] + c->opening) / c->most, impulse[1] - w[1] / c->most,
                          impulse[2] - w[2] / c->most};
    return friction_cone_nearest((struct friction_cone){c->mu, s->p->pressed[c->row / 3]}, to);
}

static double difference(const double a[3], const double b[3])
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

static void speeds(const struct descent *s, const struct coulomb_contact *c, double w[3])
{
    for (size_t d = 0; d < 3; d++)
        w[d] = sparse_rows_times(s->p->w, c->row + d, s->lambda) + s->p->q[c->row + d];
}

/* Minimizes over the impulse of one contact, by projected steps; returns the first of them in units
 * of w. */
static double minimize(const struct descent *s, struct coulomb_contact *c)
{
    enum { MOST = 10 };
    static const double enough = 1e-2;
    double w[3], *impulse = s->lambda + c->row, first = 0.0;
    speeds(s, c, w);
    for (int k = 0; k < MOST; k++) {
        if (s->follows)
            c->opening = c->mu * hypot(w[1], w[2]);
        const struct cone_place to = step_from(s, c, impulse, w);
        const double change = c->most * difference(to.impulse, impulse);
        for (size_t d = 0; d < 3; d++)
            for (size_t e = 0; e < 3; e++)
                w[d] += c->block[d][e] * (to.impulse[e] - impulse[e]);
        memcpy(impulse, to.impulse, sizeof to.impulse);
        first = k == 0 ? change : first;
        if (change <= enough * first)
            break;
    }
    return first;
}

/* ---- all of them ---- */

/* Continues along the conjugate direction, for which the change by a sweep plays the part of the
 * gradient. With share 0 the directions start anew. */
static void go_on(const struct descent *s, double share)
{
    for (size_t k = 0; k < s->p->n; k++) {
        struct coulomb_contact *c = &s->contact[k];
        double *impulse = s->lambda + c->row;
        for (size_t d = 0; d < 3; d++) {
            const double change = impulse[d] - c->past[d];
            impulse[d] += share * c->along[d];
            c->along[d] = share * c->along[d] + change;
        }
    }
}

static void remember(const struct descent *s)
{
    for (size_t k = 0; k < s->p->n; k++)
        memcpy(s->contact[k].past, s->lambda + s->contact[k].row, sizeof s->contact[k].past);
}

/* Squared norm of the change by a sweep. */
static double went(const struct descent *s)
{
    double sum = 0.0;
    for (size_t k = 0; k < s->p->n; k++) {
        const struct coulomb_contact *c = &s->contact[k];
        for (size_t d = 0; d < 3; d++) {
            const double change = s->lambda[c->row + d] - c->past[d];
            sum += c->most * change * change;
        }
    }
    return sum;
}

/* The largest change of a sweep. */
static double sweep(const struct descent *s)
{
    double most = 0.0;
    for (size_t k = 0; k < s->p->n; k++)
        most = fmax(most, minimize(s, &s->contact[k]));
    return most;
}

/* Sweeps until changes are no larger than `enough`, or often enough; returns how often. */
static size_t descend(const struct descent *s, double enough)
{
    enum { MOST = 40 };
    double before = 0.0;
    for (size_t k = 1;; k++) {
        remember(s);
        if (sweep(s) <= enough || k == MOST)
            return k;
        const double now = went(s);
        go_on(s, now < before ? now / before : 0.0);
        before = now;
    }
}

/* Takes the openings from the present slips. A contact that slips has sliding friction from now
 * on. Returns how far lambda is from the law, in units of w. */
static double open(const struct descent *s, size_t *wrong)
{
    double most = 0.0;
    *wrong = 0;
    for (size_t k = 0; k < s->p->n; k++) {
        struct coulomb_contact *c = &s->contact[k];
        double w[3];
        speeds(s, c, w);
        const double slip = hypot(w[1], w[2]);
        if (!c->sticks && slip > s->fine)
            c->mu = s->p->sliding;
        c->opening = c->mu * slip;
        const struct cone_place to = step_from(s, c, s->lambda + c->row, w);
        const double off = c->most * difference(to.impulse, s->lambda + c->row);
        c->sticks = to.part == CONE_INSIDE || to.part == CONE_FLOOR;
        most = fmax(most, off);
        *wrong += off > s->solved;
    }
    return most;
}

/* lambda . W lambda / 2 and q . lambda. */
static void energies(const struct coulomb_problem *p, const double *lambda, double *own,
                     double *given)
{
    *own = *given = 0.0;
    for (size_t k = 0; k < 3 * p->n; k++) {
        const uint32_t row = p->row[k];
        *own += 0.5 * lambda[row] * sparse_rows_times(p->w, row, lambda);
        *given += lambda[row] * p->q[row];
    }
}

double coulomb_energy(const struct coulomb_problem *p, const double *lambda)
{
    double own, given;
    energies(p, lambda, &own, &given);
    return own + given;
}

/* Of all t lambda with t from 0 to 1, which are all allowed, takes the one of least energy, if
 * lambda would add any. */
static void keep_energy(const struct descent *s)
{
    double own, given;
    energies(s->p, s->lambda, &own, &given);
    if (own + given <= 0.0)
        return;
    const double t = given < 0.0 ? -0.5 * given / own : 0.0;
    for (size_t k = 0; k < 3 * s->p->n; k++)
        s->lambda[s->p->row[k]] *= t;
}

static enum status begin(struct descent *s, struct coulomb *c, struct error *error)
{
    static const double solved = 1e-4, fine = 1e-9; /* of the largest |q| */
    const struct coulomb_problem *p = s->p;
    double largest = 0.0;
    if (array_reserve(&c->contact, &c->contact_capacity, p->n, sizeof *c->contact, "contacts",
                      error))
        return STATUS_FAILED;
    s->contact = c->contact;
    for (size_t k = 0; k < p->n; k++) {
        struct coulomb_contact *at = &s->contact[k];
        *at = (struct coulomb_contact){.row = p->row[3 * k], .sticks = true, .mu = p->sticking};
        find_block(p->w, at);
        at->most = bound_of(at->block);
        for (size_t d = 0; d < 3; d++) {
            largest = fmax(largest, fabs(p->q[at->row + d]));
            s->lambda[at->row + d] = 0.0;
        }
    }
    s->solved = fmax(p->least, solved * largest);
    s->fine = fmax(p->least, fine * largest);
    return STATUS_OK;
}

enum status coulomb_descend(struct coulomb *c, const struct coulomb_problem *p, uint8_t *is_free,
                            double *lambda, struct complementarity_report *report,
                            struct error *error)
{
    enum { MOST_ROUNDS = 100, PATIENCE = 10 };
    static const double share = 0.1, falls = 0.5;
    struct descent s = {.p = p, .lambda = lambda};
    if (begin(&s, c, error))
        return STATUS_FAILED;
    double off = open(&s, &report->wrong), mark = off;
    for (int round = 0, patience = PATIENCE; round < MOST_ROUNDS && patience > 0; round++) {
        s.follows = round % 2 == 1;
        report->iterations += descend(&s, share * fmax(off, s.fine));
        off = open(&s, &report->wrong);
        if (off <= s.fine)
            break;
        const bool fell = off <= falls * mark;
        patience = fell ? PATIENCE : patience - 1;
        mark = fell ? off : mark;
    }
    keep_energy(&s);
    for (size_t k = 0; k < p->n; k++) {
        const uint32_t row = s.contact[k].row;
        is_free[row] = lambda[row] > 0.0;
        is_free[row + 1] = is_free[row + 2] = s.contact[k].sticks;
    }
    return STATUS_OK;
}
