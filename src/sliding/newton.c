/* Newton's method for the step with links, where stages do not settle: x and impulses z with
 *
 *     A x = b + J^T z,  z in the cone of Coulomb's law, and the law between z and w = J x - goal.
 *
 * With mu |u| added to the speed along the normal, u the slip, the law says that -w is normal to
 * the cone at z (de Saxce and Feng, Math. Comput. Modelling 28, 1998). Two modifications make
 * Newton's method converge from anywhere.
 *
 * Links are compliant, about a center c: z = P(c - (w + opening) / R), with P the nearest place in
 * the cone and R a fraction of the compliance of the link's two particles. The problem has a
 * solution that is unique in z as well, and no singular matrix. The next problem has z as its
 * center, and its solution is nearer to that of rigid links: the proximal point method
 * (Rockafellar, "Monotone operators and the proximal point algorithm", SIAM J. Control Optim. 14,
 * 1976).
 *
 * The opening mu |u| is first taken from the problem before (Acary, Cadoux, Lemarechal and Malick,
 * "A formulation of the linear discrete Coulomb friction problem via convex optimization", ZAMM 91,
 * 2011). Then x minimizes a convex function, and Newton's steps with a line search always lead
 * there. Near the solution the opening follows x, which is no minimum any more, but converges where
 * the other creeps: there it makes the matrix unsymmetric, and a step that does not reduce the
 * residual ends the attempt.
 *
 * Problems are solved in newton_problem.c, their linear systems in newton_matrix.c and, where
 * rigid bodies are at links, newton_motion.c. */
#include "base/memory.h"
#include "sliding/linked_parts.h"

#include <stdlib.h>
#include <string.h>

void newton_free(struct newton *m)
{
    free(m->center);
    free(m->before);
    free(m->way);
    free(m->opening);
    free(m->mu);
    free(m->lead);
    free(m->stiffness);
    free(m->image);
    free(m->step);
    free(m->step_image);
    free(m->past);
    for (size_t k = 0; k < 7; k++)
        free(m->room[k]);
    free(m->node);
    free(m->unknown);
    free(m->at_node);
    free(m->alone);
    free(m->matrix.start);
    free(m->matrix.column);
    free(m->matrix.value);
    free(m->matrix.diagonal);
    block_factor_free(&m->factor);
    free(m->apart);
    free(m->given);
    *m = (struct newton){0};
}

static enum status reserve_rows(struct newton *m, size_t n, struct error *error)
{
    size_t from = m->row_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&m->center, from, to, sizeof *m->center, "links", error) ||
        array_grow(&m->before, from, to, sizeof *m->before, "links", error) ||
        array_grow(&m->way, from, to, sizeof *m->way, "links", error) ||
        array_grow(&m->opening, from, to, sizeof *m->opening, "links", error) ||
        array_grow(&m->mu, from, to, sizeof *m->mu, "links", error) ||
        array_grow(&m->lead, from, to, sizeof *m->lead, "links", error) ||
        array_grow(&m->stiffness, from, to, sizeof *m->stiffness, "links", error))
        return STATUS_FAILED;
    m->row_capacity = to;
    return STATUS_OK;
}

static enum status reserve_unknowns(struct newton *m, size_t n, struct error *error)
{
    size_t from = m->capacity, to = array_room(from, n), size = sizeof *m->image;
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&m->image, from, to, size, "links", error) ||
        array_grow(&m->step, from, to, size, "links", error) ||
        array_grow(&m->step_image, from, to, size, "links", error) ||
        array_grow(&m->past, from, to, size, "links", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < 7; k++)
        if (array_grow(&m->room[k], from, to, size, "links", error))
            return STATUS_FAILED;
    m->capacity = to;
    return STATUS_OK;
}

/* ---- from problem to problem ---- */

/* What the rounds have found so far. */
struct search {
    struct newton_problem problem;
    double known, follows; /* compliances of the next problem of either kind */
    double near;           /* an `off` from which few rounds are left, m/s */
    double off, past_off;  /* from the law, after the last round and the one before, m/s */
    size_t steps;          /* Newton's, in all problems */
    bool followed;         /* in the last round */
    int pause;             /* rounds before the opening may follow again */
    int next_pause;        /* ... if it fails once more */
};

enum { FEW_STEPS = 4 };

static bool round_known(struct search *h)
{
    enum { MOST_STEPS = 20 };
    static const double least_with_friction = 2e-3, least = 1e-6;
    struct newton_problem *p = &h->problem;
    bool rubs = p->s->links->rows_each > 1;
    p->opening = OPENING_KNOWN;
    p->compliance = h->known;
    bool solved = newton_approach(p, MOST_STEPS);
    h->steps += p->steps;
    h->pause--;
    if (rubs)
        h->known = fmax(0.5 * h->known, least_with_friction);
    else if (p->steps <= FEW_STEPS)
        h->known = fmax(0.2 * h->known, least);
    return solved;
}

/* If this attempt fails, x is what it was. The preconditioner does not know how pieces turn, and is
 * of little use where links are so stiff that hardly anything else counts. */
static bool round_follows(struct search *h)
{
    enum { MOST_STEPS = 8 };
    static const double least_of_ends = 1e-6, least_of_pieces = 1e-4;
    const double least = h->problem.s->links->turning.n > 0 ? least_of_pieces : least_of_ends;
    struct newton_problem *p = &h->problem;
    p->opening = OPENING_FOLLOWS;
    p->compliance = h->follows;
    memcpy(p->m->past, p->l->x, p->l->n * sizeof *p->l->x);
    bool solved = newton_approach(p, MOST_STEPS);
    h->steps += p->steps;
    if (solved && p->steps <= FEW_STEPS)
        h->follows = fmax(0.2 * h->follows, least);
    if (solved)
        return true;
    memcpy(p->l->x, p->m->past, p->l->n * sizeof *p->l->x);
    h->follows *= 10.0;
    return false;
}

/* With a known opening rounds may get slower and slower, or never end. */
static bool may_follow(const struct search *h)
{
    static const double slow = 0.5;
    bool helps = h->followed || h->off < h->near || h->off > slow * h->past_off;
    return h->problem.s->links->rows_each > 1 && h->pause <= 0 && helps;
}

static void fill_speeds(struct linked_step *s)
{
    struct linked *l = s->l;
    linked_look(l, l->x);
    for (size_t k = 0; k < l->n_scope; k++)
        l->q[l->scope[k]] = linked_speed(l, l->scope[k], l->x) - l->goal[l->scope[k]];
}

/* The largest compliance that is worth an attempt. With a larger one than that of known openings
 * rounds get nowhere soon, but where these get nowhere either, it is the only way. */
static double most_compliance(const struct search *h)
{
    bool stuck = h->next_pause > 2;
    return stuck || h->off < h->near ? 1.0 : h->known;
}

/* One problem: with an opening that follows if that is possible, otherwise with a known one. */
static bool take_round(struct search *h)
{
    h->problem.exactly = h->off < h->near;
    while (may_follow(h)) {
        if (h->follows == 0.0)
            h->follows = h->known;
        h->followed = round_follows(h);
        if (h->followed)
            return true;
        if (h->follows < most_compliance(h))
            continue;
        h->follows = h->known;
        h->pause = h->next_pause;
        h->next_pause *= 2;
    }
    fill_speeds(h->problem.s);
    newton_open(h->problem.s);
    return round_known(h);
}

static enum status reserve(struct linked_step *s, struct error *error)
{
    struct newton *m = &s->l->newton;
    if (reserve_rows(m, s->links->rows_each * s->links->n, error))
        return STATUS_FAILED;
    return reserve_unknowns(m, s->l->n, error);
}

/* The largest speed that the residual would give to a link. */
static double residual_off(const struct linked *l)
{
    double largest = 0.0;
    for (size_t k = 0; k < l->n_scope; k++)
        largest = fmax(largest, fabs(linked_response(l, l->scope[k], l->residual)));
    return largest;
}

/* Whether x solves the linear system with the impulses of links. */
static bool is_solved(const struct newton_problem *p)
{
    return p->norm <= fmax(p->l->tolerance * p->scale, p->noise);
}

/* Where the law is not obeyed, x and the impulses at least solve the linear system, so that no
 * momentum is lost. */
static void give_up(struct search *h)
{
    h->problem.exactly = true;
    fill_speeds(h->problem.s);
    newton_open(h->problem.s);
    round_known(h);
    newton_off(h->problem.s, &h->problem.s->wrong);
}

enum status newton_solve(struct linked_step *s, bool *settled, struct error *error)
{
    enum { STEPS = 125 };
    const size_t most_steps = STEPS * s->response->most_stages;
    struct search h = {.problem = {.s = s, .l = s->l, .m = &s->l->newton},
                       .known = 1.0,
                       .near = 100.0 * s->speed_left,
                       .off = (double)INFINITY,
                       .past_off = (double)INFINITY,
                       .next_pause = 1};
    enum status status = reserve(s, error);
    if (!status)
        status = newton_plan(s, error);
    if (status)
        return status;
    newton_begin(s);
    *settled = false;
    for (size_t k = 0; k < most_steps && !*settled && h.steps < most_steps && !s->failed; k++) {
        bool solved = take_round(&h);
        h.past_off = h.off;
        h.off = fmax(newton_off(s, &s->wrong), residual_off(s->l));
        bool changed = newton_center(s);
        *settled = solved && s->wrong == 0 && !changed && is_solved(&h.problem);
    }
    if (!*settled)
        give_up(&h);
    s->response->residual = h.problem.scale > 0.0 ? h.problem.norm / h.problem.scale : 0.0;
    return s->failed ? STATUS_FAILED : STATUS_OK;
}
