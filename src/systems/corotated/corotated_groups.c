/* Meta-particles as corotated solids see them: a group is an unknown of the system if it has
 * members there, and its members in other systems contribute their mass and the outside forces on
 * them. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

static bool is_own(const struct corotated *c, uint32_t i)
{
    return i >= c->system.first && i < c->system.first + c->system.n;
}

/* Makes the entry of the first member in this system the only one that counts for group g, and adds
 * the mass of members in other systems to it. Fixed groups are no unknowns. */
static void choose_unknown(struct corotated *c, const struct particles *p, size_t g)
{
    const struct groups *groups = c->groups;
    size_t first = c->system.first, one = c->system.n;
    double foreign = 0.0;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        if (!is_own(c, i))
            foreign += p->mass[i];
        else if (one == c->system.n)
            one = i - first;
        else
            c->unknown[i - first] = 0;
    }
    if (one < c->system.n)
        c->inertia[one] += foreign;
}

void corotated_groups_begin(struct corotated *c, const struct particles *p)
{
    const double *mass = c->groups->mass + c->system.first;
    for (size_t i = 0; i < c->system.n; i++) {
        c->unknown[i] = !c->groups->fixed[c->system.first + i];
        c->inverse_mass[i] = c->unknown[i] ? 1.0 / mass[i] : 0.0;
    }
    memcpy(c->inertia, c->mass, c->system.n * sizeof *c->inertia);
    for (size_t g = 0; g < c->groups->n_groups; g++)
        choose_unknown(c, p, g);
}

static void hold(const struct corotated *c, struct vec3 *value)
{
    const uint8_t *fixed = c->groups->fixed + c->system.first;
    for (size_t i = 0; i < c->system.n; i++)
        if (fixed[i])
            value[i] = vec3(0.0, 0.0, 0.0);
}

/* Writes one value to all members of group g in this system. */
static void mirror(const struct corotated *c, size_t g, struct vec3 one, struct vec3 *value)
{
    const struct groups *groups = c->groups;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        if (is_own(c, groups->member[k]))
            value[groups->member[k] - c->system.first] = one;
}

void corotated_groups_gather(const struct corotated *c, struct vec3 *value)
{
    const struct groups *groups = c->groups;
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (is_own(c, groups->member[k]))
                sum = vec3_add(sum, value[groups->member[k] - c->system.first]);
        mirror(c, g, sum, value);
    }
    hold(c, value);
}

void corotated_groups_average(const struct corotated *c, struct vec3 *value)
{
    const struct groups *groups = c->groups;
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        double mass = 0.0;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (!is_own(c, i))
                continue;
            sum = vec3_axpy(sum, c->mass[i - c->system.first], value[i - c->system.first]);
            mass += c->mass[i - c->system.first];
        }
        if (mass > 0.0)
            mirror(c, g, vec3_scale(1.0 / mass, sum), value);
    }
    hold(c, value);
}

void corotated_groups_gather_numbers(const struct corotated *c, double *value)
{
    const struct groups *groups = c->groups;
    for (size_t g = 0; g < groups->n_groups; g++) {
        double sum = 0.0;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (is_own(c, groups->member[k]))
                sum += value[groups->member[k] - c->system.first];
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (is_own(c, groups->member[k]))
                value[groups->member[k] - c->system.first] = sum;
    }
}

/* Finds the velocity of group g, on which the outside forces on all of its members act. */
static void fall_in_group(struct corotated *c, const struct particles *p, size_t g,
                          const struct vec3 *before)
{
    const struct groups *groups = c->groups;
    uint32_t leader = groups->member[groups->start[g]], own = UINT32_MAX;
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        force = vec3_add(force, p->force[i]);
        own = own == UINT32_MAX && is_own(c, i) ? i : own;
    }
    if (own == UINT32_MAX || groups->fixed[leader])
        return;
    struct vec3 start = before[own - c->system.first];
    mirror(c, g, vec3_axpy(start, c->dt / groups->mass[leader], force), c->fallen);
}

void corotated_groups_fall(struct corotated *c, const struct particles *p,
                           const struct vec3 *before)
{
    const uint8_t *fixed = c->groups->fixed + c->system.first;
    const struct vec3 *force = p->force + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->fallen[i] = fixed[i] ? before[i] : vec3_axpy(before[i], c->dt / c->mass[i], force[i]);
    for (size_t g = 0; g < c->groups->n_groups; g++)
        fall_in_group(c, p, g, before);
}
