/* Exact momentum of the step with links, the counterpart of bond_momentum.c: a common translation
 * of bodies that links tie to each other stretches no bond and changes no J v, so that only masses
 * appear in its Galerkin equation. */
#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "systems/bonds/bond_implicit.h"

static enum status reserve(struct bond_linked *l, size_t n, struct error *error)
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
static uint32_t body_of(const struct bond_implicit *step, size_t unknown)
{
    size_t own = step->net.system.n;
    return unknown < own ? step->body[unknown] : (uint32_t)(step->n_bodies + unknown - own);
}

/* The body at an end of a link; BOND_NO_UNKNOWN if the end is a support. */
static uint32_t body_at(const struct bond_implicit *step, uint32_t end)
{
    const struct bond_linked *l = &step->linked;
    if (end == LINK_WALL || l->unknown[end] == BOND_NO_UNKNOWN)
        return BOND_NO_UNKNOWN;
    return body_of(step, l->unknown[end]);
}

/* Joins bodies that loaded links tie to each other, sums their masses, and sets the mass to 0 where
 * one of their particles is not free. */
static void tie(struct bond_implicit *step, const struct particles *p)
{
    struct bond_linked *l = &step->linked;
    size_t n = step->n_bodies + l->n_foreign, own = step->net.system.n;
    for (uint32_t k = 0; k < n; k++)
        l->tied[k] = k;
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(step, l->links->end_i[c]), b = body_at(step, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] != 0.0 && a != BOND_NO_UNKNOWN && b != BOND_NO_UNKNOWN)
            l->tied[disjoint_root(l->tied, a)] = disjoint_root(l->tied, b);
    }
    for (uint32_t k = 0; k < n; k++) {
        l->tied[k] = disjoint_root(l->tied, k);
        l->tied_sum[k] = vec3(0.0, 0.0, 0.0);
        l->tied_mass[k] = 0.0;
    }
    for (size_t u = 0; u < l->n; u++)
        l->tied_mass[l->tied[body_of(step, u)]] +=
            u < own ? step->net.mass[u] : l->foreign_mass[u - own];
    for (size_t u = 0; u < own; u++)
        if (p->state[step->net.system.first + u])
            l->tied_mass[l->tied[step->body[u]]] = 0.0;
}

/* Sets the mass to 0 of bodies that a loaded link ties to a fixed particle or a wall. */
static void hold_supported(struct bond_implicit *step)
{
    struct bond_linked *l = &step->linked;
    for (size_t k = 0; k < l->n_scope; k++) {
        size_t c = links_of_row(l->links, l->scope[k]);
        uint32_t a = body_at(step, l->links->end_i[c]), b = body_at(step, l->links->end_j[c]);
        if (l->impulse[l->scope[k]] == 0.0 || (a != BOND_NO_UNKNOWN && b != BOND_NO_UNKNOWN))
            continue;
        l->tied_mass[l->tied[a == BOND_NO_UNKNOWN ? b : a]] = 0.0;
    }
}

enum status bond_linked_correct_momentum(struct bond_implicit *step, const struct particles *p,
                                         struct error *error)
{
    struct bond_linked *l = &step->linked;
    size_t own = step->net.system.n;
    if (reserve(l, step->n_bodies + l->n_foreign, error))
        return STATUS_FAILED;
    tie(step, p);
    hold_supported(step);
    for (size_t u = 0; u < l->n; u++) {
        struct vec3 *sum = &l->tied_sum[l->tied[body_of(step, u)]];
        *sum = vec3_add(*sum, l->residual[u]);
    }
    for (size_t u = 0; u < l->n; u++) {
        uint32_t t = l->tied[body_of(step, u)];
        if (!(l->tied_mass[t] > 0.0))
            continue;
        double mass = u < own ? step->net.mass[u] : l->foreign_mass[u - own];
        struct vec3 shift = vec3_scale(1.0 / l->tied_mass[t], l->tied_sum[t]);
        l->x[u] = vec3_add(l->x[u], shift);
        l->residual[u] = vec3_axpy(l->residual[u], -mass, shift);
    }
    return STATUS_OK;
}
