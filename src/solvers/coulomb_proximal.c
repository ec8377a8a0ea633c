/* Contacts with friction for any W. With the opening s = mu |w_t| added to the speed along the
 * normal, Coulomb's law says that -(w_n + s, w_t) is normal to the cone of impulses at lambda (de
 * Saxce and Feng, Math. Comput. Modelling 28, 1998). Contacts are made compliant about a center,
 * which is first zero and then the solution of the problem before: the proximal point method
 * (Rockafellar, "Monotone operators and the proximal point algorithm", SIAM J. Control Optim. 14,
 * 1976), whose problems have one solution each where contacts imply each other, too, as the four at
 * the corners of a box do. Newton's method solves each (coulomb_newton.c).
 *
 * Openings follow slips within a problem. Where Newton's method does not solve that, they are taken
 * from the problem before (Acary, Cadoux, Lemarechal and Malick, "A formulation of the linear
 * discrete Coulomb friction problem via convex optimization", ZAMM 91, 2011): then impulses
 * minimize
 *
 *     lambda . W lambda / 2 + q . lambda + s . N
 *
 * over the cones, about the center. At the minimum the first two terms, the energy that friction
 * adds, are negative: whatever s is, friction takes energy. sliding/newton.c does the same for
 * links of elastic bodies, with their motion as the unknown in place of impulses. */
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <string.h>

/* What the rounds have found so far. */
struct search {
    struct coulomb_cones *cones;
    double sliding;        /* coefficient of contacts that slip */
    bool slips;            /* whether those have it already */
    bool rubs;             /* whether there is friction */
    double solved, fine;   /* m/s: what counts as solved, and where contacts are known */
    double finest;         /* m/s: where there is no more to do */
    double known, follows; /* compliances of the next problem of either kind */
    double least;          /* compliance: the smallest with openings that follow */
    double off;            /* from the law, m/s */
    size_t wrong;          /* number of contacts that are not solved */
    size_t steps;          /* Newton's, in all problems */
    int pause;             /* rounds before openings may follow again */
    int next_pause;        /* ... if that fails once more */
};

/* Takes the opening of contact k from the present slip; one that slips has sliding friction from
 * now on, if h->slips. Returns how far the impulse is from the law, m/s: by how much a step down
 * the slope changes it. */
static double open(const struct search *h, size_t k)
{
    struct coulomb_contact *c = &h->cones->contact[k];
    const double *w = h->cones->speed + 3 * k, *z = h->cones->z + 3 * k;
    const double slip = hypot(w[1], w[2]);
    double to[3], off = 0.0;
    if (h->slips && !c->sticks && slip > h->fine)
        c->mu = h->sliding;
    c->opening = c->mu * slip;
    for (size_t d = 0; d < 3; d++)
        to[d] = z[d] - (w[d] + (d == 0 ? c->opening : 0.0)) / c->yields;
    c->place = friction_cone_nearest((struct friction_cone){c->mu, c->pressed}, to);
    c->sticks = c->place.part == CONE_INSIDE || c->place.part == CONE_FLOOR;
    for (size_t d = 0; d < 3; d++)
        off = fmax(off, c->yields * fabs(c->place.impulse[d] - z[d]));
    return off;
}

static void open_all(struct search *h)
{
    h->off = 0.0;
    h->wrong = 0;
    coulomb_cones_look(h->cones);
    for (size_t k = 0; k < h->cones->n; k++) {
        const double off = open(h, k);
        h->off = fmax(h->off, off);
        h->wrong += off > h->solved;
    }
}

/* ---- rounds ---- */

/* With openings that follow, if there is friction. If that fails, z is what it was. */
static enum status round_follows(struct search *h, double enough, bool *solved, struct error *error)
{
    enum { MOST_STEPS = 12, FEW_STEPS = 6 };
    static const double less = 0.1, more = 10.0;
    const struct coulomb_compliant problem = {h->follows, h->rubs, enough, MOST_STEPS};
    size_t steps;
    const enum status status = coulomb_newton(h->cones, &problem, &steps, solved, error);
    h->steps += steps;
    if (*solved) {
        h->follows = steps <= FEW_STEPS ? fmax(less * h->follows, h->least) : h->follows;
        return status;
    }
    memcpy(h->cones->z, h->cones->center, 3 * h->cones->n * sizeof *h->cones->z);
    h->follows = fmin(more * h->follows, 1.0);
    return status;
}

static enum status round_known(struct search *h, double enough, struct error *error)
{
    enum { MOST_STEPS = 20 };
    static const double least = 2e-3, less = 0.5;
    const struct coulomb_compliant problem = {h->known, false, enough, MOST_STEPS};
    size_t steps;
    bool solved;
    open_all(h);
    const enum status status = coulomb_newton(h->cones, &problem, &steps, &solved, error);
    h->steps += steps;
    h->known = fmax(less * h->known, least);
    h->pause--;
    return status;
}

/* One problem, whose solution is the center of the next. */
static enum status take_round(struct search *h, struct error *error)
{
    enum { ATTEMPTS = 3 };
    static const double part = 1e-3, little = 1e-2;
    const double enough = fmax(part * h->off, little * h->fine);
    bool solved = false;
    enum status status = STATUS_OK;
    for (int k = 0; k < ATTEMPTS && !solved && !status && h->pause <= 0; k++)
        status = round_follows(h, enough, &solved, error);
    if (!status && !solved) {
        if (h->pause <= 0) {
            h->pause = h->next_pause;
            h->next_pause *= 2;
        }
        status = round_known(h, enough, error);
    }
    open_all(h);
    memcpy(h->cones->center, h->cones->z, 3 * h->cones->n * sizeof *h->cones->z);
    return status;
}

/* A round reduces errors along an eigenvector of W, over that of a contact, to compliance /
 * (compliance + eigenvalue). Where a heavy body rests on a light one eigenvalues are as small as
 * the ratio of their masses, and only contacts that are stiffer still come near; 1e-10 leaves six
 * digits. */
static enum status search_once(struct search *h, struct error *error)
{
    enum { MOST_ROUNDS = 60, PATIENCE = 10 };
    static const double falls = 0.5, stiffer = 0.1, stiffest = 1e-10;
    open_all(h);
    if (h->off <= h->finest)
        return STATUS_OK;
    double mark = h->off;
    for (int round = 0, patience = PATIENCE; round < MOST_ROUNDS && patience > 0; round++) {
        const enum status status = take_round(h, error);
        if (status)
            return status;
        if (h->off <= h->fine)
            break;
        const bool fell = h->off <= falls * mark;
        patience = fell ? PATIENCE : patience - 1;
        mark = fell ? h->off : mark;
        if (!fell && h->follows <= h->least)
            h->least = fmax(stiffer * h->least, stiffest);
    }
    return STATUS_OK;
}

/* One problem; returns whether its solution is nearer to the law, else z is what it was. */
static enum status come_nearer(struct search *h, double compliance, bool *nearer,
                               struct error *error)
{
    enum { MOST_STEPS = 6 };
    const struct coulomb_compliant problem = {compliance, h->rubs, h->finest, MOST_STEPS};
    const double before = h->off;
    const size_t bytes = 3 * h->cones->n * sizeof *h->cones->z;
    size_t steps;
    bool solved;
    if (coulomb_newton(h->cones, &problem, &steps, &solved, error))
        return STATUS_FAILED;
    h->steps += steps;
    open_all(h);
    *nearer = h->off < before;
    memcpy(*nearer ? h->cones->center : h->cones->z, *nearer ? h->cones->z : h->cones->center,
           bytes);
    if (!*nearer)
        open_all(h);
    return STATUS_OK;
}

/* Once it is known which contacts press, stick and slip, each problem is hardly more than one
 * linear system. Errors of rounding are in proportion to 1 / compliance; stiff contacts come first,
 * because they leave less of the directions in which W is small, and compliant ones then remove
 * what rounding has left in others. */
static enum status finish(struct search *h, struct error *error)
{
    static const double compliance[] = {1e-5, 1e-4, 1e-3, 1e-2};
    bool nearer;
    for (size_t k = 0; k < sizeof compliance / sizeof *compliance; k++)
        if (h->off <= h->fine && h->off > h->finest &&
            come_nearer(h, compliance[k], &nearer, error))
            return STATUS_FAILED;
    return STATUS_OK;
}

/* What can stick does: only where a contact slips in a solution with static friction everywhere is
 * its friction that of sliding. On the way there, any contact may slip. */
static enum status search(struct search *h, double sticking, struct error *error)
{
    if (search_once(h, error))
        return STATUS_FAILED;
    if (sticking > h->sliding) {
        h->slips = true;
        if (search_once(h, error))
            return STATUS_FAILED;
    }
    return finish(h, error);
}

/* ---- energy ---- */

/* Of all t z with t from 0 to 1, which are all allowed, takes the one of least energy, if z would
 * add any. */
static void keep_energy(struct coulomb_cones *s)
{
    double own = 0.0, given = 0.0;
    coulomb_cones_multiply(s, s->z, s->speed);
    for (size_t k = 0; k < 3 * s->n; k++) {
        own += 0.5 * s->z[k] * s->speed[k];
        given += s->z[k] * s->q[k];
    }
    if (own + given <= 0.0)
        return;
    const double t = given < 0.0 ? -0.5 * given / own : 0.0;
    for (size_t k = 0; k < 3 * s->n; k++)
        s->z[k] *= t;
}

static void set_scale(struct search *h, double least)
{
    static const double solved = 1e-4, fine = 1e-8, finest = 1e-13; /* of the largest |q| */
    double largest = 0.0;
    for (size_t k = 0; k < 3 * h->cones->n; k++)
        largest = fmax(largest, fabs(h->cones->q[k]));
    h->solved = fmax(least, solved * largest);
    h->fine = fmax(least, fine * largest);
    h->finest = fmax(least, finest * largest);
}

enum status coulomb_solve_proximal(struct coulomb *c, const struct coulomb_problem *p,
                                   uint8_t *is_free, double *lambda,
                                   struct complementarity_report *report, struct error *error)
{
    static const double first = 1e-2, least = 1e-6;
    struct coulomb_cones *s = &c->cones;
    struct search h = {.cones = s,
                       .sliding = p->sliding,
                       .rubs = p->rows_each > 1 && p->sticking > 0.0,
                       .known = first,
                       .follows = first,
                       .least = least,
                       .next_pause = 1};
    if (coulomb_cones_take(s, p, error))
        return STATUS_FAILED;
    set_scale(&h, p->least);
    const enum status status = search(&h, h.rubs ? p->sticking : 0.0, error);
    keep_energy(s);
    report->rounds += h.steps;
    report->wrong = h.wrong;
    for (size_t k = 0; k < p->n; k++) {
        const uint32_t row = s->contact[k].row;
        memcpy(lambda + row, s->z + 3 * k, p->rows_each * sizeof *lambda);
        is_free[row] = lambda[row] > 0.0;
        for (size_t d = 1; d < p->rows_each; d++)
            is_free[row + d] = s->contact[k].sticks;
    }
    return status;
}
