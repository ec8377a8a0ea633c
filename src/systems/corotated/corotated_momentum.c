/* Makes the momentum of bodies that nothing holds exact, whatever the tolerance of the solver. */
#include "systems/corotated/corotated_parts.h"

static uint32_t find_component(uint32_t *component, uint32_t body)
{
    while (component[body] != body)
        body = component[body] = component[component[body]];
    return body;
}

/* Joins the bodies with members in a group. */
static void tie_group(struct corotated *c, size_t g)
{
    const struct groups *groups = c->groups;
    size_t first = c->system.first, end = first + c->system.n;
    uint32_t tied = UINT32_MAX;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        if (i < first || i >= end)
            continue;
        uint32_t root = find_component(c->component, c->body[i - first]);
        if (tied != UINT32_MAX)
            c->component[root] = find_component(c->component, tied);
        tied = root;
    }
}

/* A component that a support holds gets mass 0. */
static void weigh_components(struct corotated *c, const struct particles *p)
{
    const struct groups *groups = c->groups;
    size_t first = c->system.first;
    for (size_t i = 0; i < c->system.n; i++)
        if (c->unknown[i])
            c->component_mass[c->component[c->body[i]]] += groups->mass[first + i];
    for (size_t i = 0; i < c->system.n; i++)
        if (groups->fixed[first + i] || p->state[first + i])
            c->component_mass[c->component[c->body[i]]] = 0.0;
}

static void tie_bodies(struct corotated *c, const struct particles *p)
{
    for (uint32_t b = 0; b < c->n_bodies; b++) {
        c->component[b] = b;
        c->component_mass[b] = 0.0;
        c->component_sum[b] = vec3(0.0, 0.0, 0.0);
    }
    for (size_t g = 0; g < c->groups->n_groups; g++)
        tie_group(c, g);
    for (uint32_t b = 0; b < c->n_bodies; b++)
        c->component[b] = find_component(c->component, b);
    weigh_components(c, p);
}

/* The sum of residuals over a component that nothing holds is an error of momentum. A common
 * translation deforms nothing, so that only masses appear in the Galerkin equation of it: dv +=
 * (sum of residuals) / (sum of masses) removes the error. */
void corotated_correct_momentum(struct corotated *c, const struct particles *p,
                                struct vec3 *residual)
{
    tie_bodies(c, p);
    for (size_t i = 0; i < c->system.n; i++)
        if (c->unknown[i]) {
            struct vec3 *sum = &c->component_sum[c->component[c->body[i]]];
            *sum = vec3_add(*sum, residual[i]);
        }
    const double *mass = c->groups->mass + c->system.first;
    for (size_t i = 0; i < c->system.n; i++) {
        uint32_t tied = c->component[c->body[i]];
        if (!(c->component_mass[tied] > 0.0))
            continue;
        struct vec3 shift = vec3_scale(1.0 / c->component_mass[tied], c->component_sum[tied]);
        c->change[i] = vec3_add(c->change[i], shift);
        residual[i] = vec3_axpy(residual[i], -mass[i], shift);
    }
}
