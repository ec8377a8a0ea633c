/* Exact momentum of the step with links (systems/tied_bodies.h): a common translation of bodies
 * that links tie to each other changes no J v, either. */
#include "sliding/linked.h"

/* Whether an unknown is the rate of a rigid body, which no translation changes. */
static bool is_rate(const struct linked *l, size_t unknown)
{
    return unknown >= linked_body(l, 0) && (unknown - linked_body(l, 0)) % 2 == 1;
}

/* The body of an unknown; every foreign particle, and every rigid body, counts as one. */
static uint32_t body_of(const struct linked *l, const struct particles *p, size_t unknown)
{
    return unknown < l->n_own ? p->body[l->first + unknown]
                              : (uint32_t)(l->n_bodies + unknown - l->n_own);
}

static double mass_of(const struct linked *l, const struct particles *p, size_t unknown)
{
    if (unknown >= linked_body(l, 0))
        return l->links->rigid.body[(unknown - linked_body(l, 0)) / 2].body->mass;
    return unknown < l->n_own ? p->mass[l->first + unknown] : l->foreign_mass[unknown - l->n_own];
}

/* The body at an end of a link; NO_UNKNOWN if the end is a support. */
static uint32_t body_at(const struct linked *l, const struct particles *p, uint32_t end)
{
    if (end == LINK_WALL || l->unknown[end] == NO_UNKNOWN)
        return NO_UNKNOWN;
    return body_of(l, p, l->unknown[end]);
}

/* Ties bodies to each other by loaded links, and sums their masses and residuals. */
static void tie(struct linked *l, const struct particles *p)
{
    tied_bodies_begin(&l->tied, l->n_bodies + l->n - l->n_own);
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(l, p, l->links->end_i[c]), b = body_at(l, p, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] != 0.0 && a != NO_UNKNOWN && b != NO_UNKNOWN)
            tied_bodies_join(&l->tied, a, b);
    }
    tied_bodies_close(&l->tied);
    for (size_t u = 0; u < l->n; u++)
        if (!is_rate(l, u))
            tied_bodies_add(&l->tied, body_of(l, p, u), mass_of(l, p, u), l->residual[u]);
}

/* Bodies are held whose particles are not all free, or that a loaded link ties to a fixed particle
 * or a wall. */
static void hold(struct linked *l, const struct particles *p)
{
    for (size_t u = 0; u < l->n_own; u++)
        if (p->state[l->first + u])
            tied_bodies_hold(&l->tied, body_of(l, p, u));
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(l, p, l->links->end_i[c]), b = body_at(l, p, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] == 0.0 || (a != NO_UNKNOWN && b != NO_UNKNOWN))
            continue;
        tied_bodies_hold(&l->tied, a == NO_UNKNOWN ? b : a);
    }
}

enum status linked_correct_momentum(struct linked *l, const struct particles *p,
                                    struct error *error)
{
    if (tied_bodies_reserve(&l->tied, l->n_bodies + l->n - l->n_own, error))
        return STATUS_FAILED;
    tie(l, p);
    hold(l, p);
    for (size_t u = 0; u < l->n; u++) {
        struct vec3 shift;
        if (is_rate(l, u))
            continue;
        if (!tied_bodies_shift(&l->tied, body_of(l, p, u), &shift))
            continue;
        l->x[u] = vec3_add(l->x[u], shift);
        l->residual[u] = vec3_axpy(l->residual[u], -mass_of(l, p, u), shift);
    }
    return STATUS_OK;
}
