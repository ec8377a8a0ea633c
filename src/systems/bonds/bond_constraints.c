/* Bonds as distances, and what keeps volumes. A bond of constant k (N per unit strain) and rest
 * length L gives way by L / k per unit of force. A broken one is kind 0, which the distances read
 * as not whole. Bonds are the ways along which tethers find what holds them, too. */
#include "base/memory.h"
#include "constraints/distances.h"
#include "constraints/tethers.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/bonds/bond_surface.h"

#include <math.h>
#include <stdlib.h>

static enum status find_compliance(const struct bond_network *net, double **compliance,
                                   struct error *error)
{
    if (array_create(compliance, net->n_bonds, sizeof **compliance, "distances", error))
        return STATUS_FAILED;
    for (size_t e = 0; e < net->n_bonds; e++)
        (*compliance)[e] = net->kind[e] ? net->rest_length[e] / bond_stiffness(net, e) : 0.0;
    return STATUS_OK;
}

/* A piece that has come off is held by nothing, so that no tether goes through what can break. */
static enum tether_role role_of(const struct bond_network *net, const struct particles *p, size_t i)
{
    if (i >= net->system.n || (net->critical_stretch && isfinite(net->critical_stretch[i])))
        return TETHER_NONE;
    return p->state[i] == PARTICLE_FREE ? TETHER_FREE : TETHER_HOLDS;
}

static enum status add_tethers(const struct bond_network *net, const struct particles *particles,
                               const struct pair_list *pairs, struct constraint_set *set,
                               struct error *error)
{
    uint8_t *role;
    if (array_create(&role, particles->n, sizeof *role, "tethers", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < particles->n; i++)
        role[i] = (uint8_t)role_of(net, particles, i);
    const struct tether_setting setting = {.n = particles->n,
                                           .slack = set->slack,
                                           .edges = pairs,
                                           .length = net->rest_length,
                                           .role = role};
    enum status status = tethers_add(set, &setting, error);
    free(role);
    return status;
}

enum status bond_network_constrain(struct system *system, const struct particles *particles,
                                   struct constraint_set *set, struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    struct distance_list list = {.length = net->rest_length, .whole = net->kind};
    struct pair_list *pairs = &list.pairs;
    double *compliance = NULL;
    net->rigid = !set->compliant;
    if (bond_inflated_constrain(net, particles, set, error))
        return STATUS_FAILED;
    if (net->n_bonds == 0)
        return STATUS_OK;
    if (array_reserve(&pairs->pair, &pairs->capacity, net->n_bonds, sizeof *pairs->pair,
                      "distances", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < system->n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            pairs->pair[pairs->n++] = (struct pair){(uint32_t)(system->first + i),
                                                    (uint32_t)(system->first + net->neighbor[e])};
    if ((set->tethered && add_tethers(net, particles, pairs, set, error)) ||
        (set->compliant && find_compliance(net, &compliance, error))) {
        pair_list_free(pairs);
        return STATUS_FAILED;
    }
    list.compliance = compliance;
    return distances_add(set, particles->n, &list, error);
}
