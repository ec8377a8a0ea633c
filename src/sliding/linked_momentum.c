/* Exact momentum of the step with links: a common translation of bodies that links tie to each
 * other deforms nothing and changes no J v, so that only masses appear in its Galerkin equation. */
#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "sliding/linked.h"

static enum status reserve(struct linked *l, size_t n, struct error *error)
{
    size_t from = l->tied_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&l->tied, from, to, sizeof *l->tied, "bodies", error) ||
        array_grow(&l->tied_sum, from, to, sizeof *l->tied_sum, "bodies", error) ||
        array_grow(&l->tied_mass, from, to, sizeof *l->tied_mass, "bodies", error))
        return STATUS_FAILED;
    l->tied_capacity = to;
    return STATUS_OK;
}

/* The body of an unknown; every foreign particle counts as a body. */
static uint32_t body_of(const struct linked *l, const struct particles *p, size_t unknown)
{
    return unknown < l->n_own ? p->body[l->first + unknown]
                              : (uint32_t)(l->n_bodies + unknown - l->n_own);
}

static double mass_of(const struct linked *l, const struct particles *p, size_t unknown)
{
    return unknown < l->n_own ? p->mass[l->first + unknown] : l->foreign_mass[unknown - l->n_own];
}

/* The body at an end of a link; NO_UNKNOWN if the end is a support. */
static uint32_t body_at(const struct linked *l, const struct particles *p, uint32_t end)
{
    if (end == LINK_WALL || l->unknown[end] == NO_UNKNOWN)
        return NO_UNKNOWN;
    return body_of(l, p, l->unknown[end]);
}

/* Joins bodies that loaded links tie to each other, sums their masses, and sets the mass to 0 where
 * one of their particles is not free. */
static void tie(struct linked *l, const struct particles *p)
{
    size_t n = l->n_bodies + l->n_foreign;
    for (uint32_t k = 0; k < n; k++)
        l->tied[k] = k;
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(l, p, l->links->end_i[c]), b = body_at(l, p, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] != 0.0 && a != NO_UNKNOWN && b != NO_UNKNOWN)
            l->tied[disjoint_root(l->tied, a)] = disjoint_root(l->tied, b);
    }
    for (uint32_t k = 0; k < n; k++) {
        l->tied[k] = disjoint_root(l->tied, k);
        l->tied_sum[k] = vec3(0.0, 0.0, 0.0);
        l->tied_mass[k] = 0.0;
    }
    for (size_t u = 0; u < l->n; u++)
        l->tied_mass[l->tied[body_of(l, p, u)]] += mass_of(l, p, u);
    for (size_t u = 0; u < l->n_own; u++)
        if (p->state[l->first + u])
            l->tied_mass[l->tied[body_of(l, p, u)]] = 0.0;
}

/* Sets the mass to 0 of bodies that a loaded link ties to a fixed particle or a wall. */
static void hold_supported(struct linked *l, const struct particles *p)
{
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(l, p, l->links->end_i[c]), b = body_at(l, p, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] == 0.0 || (a != NO_UNKNOWN && b != NO_UNKNOWN))
            continue;
        l->tied_mass[l->tied[a == NO_UNKNOWN ? b : a]] = 0.0;
    }
}

enum status linked_correct_momentum(struct linked *l, const struct particles *p,
                                    struct error *error)
{
    if (reserve(l, l->n_bodies + l->n_foreign, error))
        return STATUS_FAILED;
    tie(l, p);
    hold_supported(l, p);
    for (size_t u = 0; u < l->n; u++) {
        struct vec3 *sum = &l->tied_sum[l->tied[body_of(l, p, u)]];
        *sum = vec3_add(*sum, l->residual[u]);
    }
    for (size_t u = 0; u < l->n; u++) {
        uint32_t t = l->tied[body_of(l, p, u)];
        if (!(l->tied_mass[t] > 0.0))
            continue;
        struct vec3 shift = vec3_scale(1.0 / l->tied_mass[t], l->tied_sum[t]);
        l->x[u] = vec3_add(l->x[u], shift);
        l->residual[u] = vec3_axpy(l->residual[u], -mass_of(l, p, u), shift);
    }
    return STATUS_OK;
}
