/* The momentum of bodies held by nothing, exact whatever the solver's tolerance. */
#include "systems/bonds/bond_network_parts.h"

static uint32_t find_component(uint32_t *component, uint32_t body)
{
    while (component[body] != body)
        body = component[body] = component[component[body]];
    return body;
}

/* Bodies that share a group move together; `component_mass` of a set held by a support is 0. */
static void tie_bodies(struct bond_network *net, const struct particles *p)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (uint32_t b = 0; b < net->n_bodies; b++)
        net->component[b] = b;
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t tied = UINT32_MAX;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                continue;
            uint32_t root = find_component(net->component, net->body[i - first]);
            if (tied != UINT32_MAX)
                net->component[root] = find_component(net->component, tied);
            tied = root;
        }
    }
    for (uint32_t b = 0; b < net->n_bodies; b++) {
        net->component[b] = find_component(net->component, b);
        net->component_mass[b] = 0.0;
        net->component_sum[b] = vec3(0.0, 0.0, 0.0);
    }
    for (size_t i = 0; i < net->system.n; i++)
        if (net->weight[i])
            net->component_mass[net->component[net->body[i]]] += groups->mass[first + i];
    for (size_t i = 0; i < net->system.n; i++)
        if (groups->fixed[first + i] || p->state[first + i])
            net->component_mass[net->component[net->body[i]]] = 0.0;
}

/* The solver leaves a residual, and its sum over a set of bodies held by nothing is momentum that
 * came from nowhere. A common translation of such a set stretches no bond, so the Galerkin equation
 * for it is exact: dv += (sum of residuals) / (sum of masses) takes the error away. */
void bond_network_correct_momentum(struct bond_network *net, const struct particles *p,
                                   struct vec3 *dv)
{
    tie_bodies(net, p);
    struct vec3 *r = net->work.residual;
    for (size_t i = 0; i < net->system.n; i++)
        if (net->weight[i]) {
            struct vec3 *sum = &net->component_sum[net->component[net->body[i]]];
            *sum = vec3_add(*sum, r[i]);
        }
    const double *mass = net->groups->mass + net->system.first;
    for (size_t i = 0; i < net->system.n; i++) {
        uint32_t c = net->component[net->body[i]];
        if (!(net->component_mass[c] > 0.0))
            continue;
        struct vec3 shift = vec3_scale(1.0 / net->component_mass[c], net->component_sum[c]);
        dv[i] = vec3_add(dv[i], shift);
        r[i] = vec3_axpy(r[i], -mass[i], shift);
    }
}
