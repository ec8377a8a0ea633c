/* Makes the momentum of bodies that nothing holds exact, whatever the tolerance of the solver. */
#include "systems/bonds/bond_implicit.h"

static uint32_t find_component(uint32_t *component, uint32_t body)
{
    while (component[body] != body)
        body = component[body] = component[component[body]];
    return body;
}

/* Joins the bodies of two particles. */
static void tie(const struct bond_implicit *step, uint32_t i, uint32_t j)
{
    uint32_t root = find_component(step->component, step->body[i]);
    step->component[root] = find_component(step->component, step->body[j]);
}

/* Joins bodies that share a group, or a stiff force, into components. A component that a support or
 * a wall holds gets mass 0. */
static void tie_bodies(struct bond_implicit *step, const struct particles *p)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    for (uint32_t b = 0; b < step->n_bodies; b++)
        step->component[b] = b;
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t tied = UINT32_MAX;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                continue;
            uint32_t root = find_component(step->component, step->body[i - first]);
            if (tied != UINT32_MAX)
                step->component[root] = find_component(step->component, tied);
            tied = root;
        }
    }
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++)
        tie(step, step->stiff->pair[k].i, step->stiff->pair[k].j);
    for (uint32_t b = 0; b < step->n_bodies; b++) {
        step->component[b] = find_component(step->component, b);
        step->component_mass[b] = 0.0;
        step->component_sum[b] = vec3(0.0, 0.0, 0.0);
    }
    for (size_t i = 0; i < step->net.system.n; i++)
        if (step->weight[i])
            step->component_mass[step->component[step->body[i]]] += groups->mass[first + i];
    for (size_t i = 0; i < step->net.system.n; i++)
        if (groups->fixed[first + i] || p->state[first + i])
            step->component_mass[step->component[step->body[i]]] = 0.0;
    for (size_t k = 0; k < step->net.walls.n_held; k++)
        step->component_mass[step->component[step->body[step->net.walls.held[k]]]] = 0.0;
}

/* The solver leaves a residual. Its sum over a component that nothing holds is an error of
 * momentum. A common translation of the component stretches no bond, so that only masses appear in
 * the Galerkin equation of this translation: dv += (sum of residuals) / (sum of masses) removes the
 * error. */
void bond_correct_momentum(struct bond_implicit *step, const struct particles *p, struct vec3 *dv)
{
    tie_bodies(step, p);
    struct vec3 *r = step->work.residual;
    for (size_t i = 0; i < step->net.system.n; i++)
        if (step->weight[i]) {
            struct vec3 *sum = &step->component_sum[step->component[step->body[i]]];
            *sum = vec3_add(*sum, r[i]);
        }
    const double *mass = step->groups->mass + step->net.system.first;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++) {
        uint32_t c = step->component[step->body[i]];
        if (!(step->component_mass[c] > 0.0))
            continue;
        struct vec3 shift = vec3_scale(1.0 / step->component_mass[c], step->component_sum[c]);
        dv[i] = vec3_add(dv[i], shift);
        r[i] = vec3_axpy(r[i], -mass[i], shift);
    }
}
