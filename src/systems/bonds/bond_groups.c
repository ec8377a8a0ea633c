/* Meta-particles in the bond network. Only members in the network have unknowns; members in other
 * systems contribute their mass and the outside forces on them. */
#include "base/blocks.h"
#include "systems/bonds/bond_implicit.h"

#include <string.h>

static void zero_where_held(const struct bond_implicit *step, struct vec3 *value)
{
    const uint8_t *fixed = step->groups->fixed + step->net.system.first;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        if (fixed[i])
            value[i] = vec3(0.0, 0.0, 0.0);
}

void bond_groups_gather(const struct bond_implicit *step, struct vec3 *value)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end)
                sum = vec3_add(sum, value[i - first]);
        }
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end)
                value[i - first] = groups->fixed[i] ? vec3(0.0, 0.0, 0.0) : sum;
        }
    }
    bond_walls_project(&step->net.walls, value);
}

/* The first member of group g in this system, whose entry counts for the group; n if it has no
 * member here. */
static size_t speaker(const struct bond_implicit *step, size_t g)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        if (groups->member[k] >= first && groups->member[k] < end)
            return groups->member[k] - first;
    return step->net.system.n;
}

/* One entry counts for each group. Fixed groups are not unknowns. */
void bond_groups_choose_unknowns(struct bond_implicit *step)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        step->weight[i] = !groups->fixed[first + i];
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(step, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end && i - first != one)
                step->weight[i - first] = 0;
        }
    }
}

/* Adds the mass of members in other systems to the entry that counts for the group. */
void bond_groups_add_foreign_mass(struct bond_implicit *step, const struct particles *p)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    memcpy(step->inertia, step->net.mass, step->net.system.n * sizeof *step->inertia);
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(step, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1] && one < step->net.system.n;
             k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                step->inertia[one] += p->mass[i];
        }
    }
}

/* Adds the impulses of outside forces on members in other systems to the entry that counts for the
 * group. */
static void add_foreign_impulses(const struct bond_implicit *step, const struct particles *p,
                                 double dt, struct vec3 *impulse)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(step, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1] && one < step->net.system.n;
             k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                impulse[one] = vec3_axpy(impulse[one], dt, p->force[i]);
        }
    }
}

void bond_groups_sum_impulses(const struct bond_implicit *step, const struct particles *p,
                              double dt, struct vec3 *impulse)
{
    add_foreign_impulses(step, p, dt, impulse);
    bond_groups_gather(step, impulse);
    zero_where_held(step, impulse);
}

/* The mean over the members in this system, weighted by mass. */
static struct vec3 mean_of(const struct bond_implicit *step, const uint32_t *member, size_t n,
                           const struct vec3 *value)
{
    size_t first = step->net.system.first, end = first + step->net.system.n;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (member[k] < first || member[k] >= end)
            continue;
        sum = vec3_axpy(sum, step->net.mass[member[k] - first], value[member[k] - first]);
        mass += step->net.mass[member[k] - first];
    }
    return vec3_scale(1.0 / mass, sum);
}

void bond_groups_average(const struct bond_implicit *step, struct vec3 *value)
{
    const struct groups *groups = step->groups;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        const uint32_t *member = groups->member + groups->start[g];
        size_t n = groups->start[g + 1] - groups->start[g];
        struct vec3 mean = mean_of(step, member, n, value);
        for (size_t k = 0; k < n; k++)
            if (member[k] >= first && member[k] < end)
                value[member[k] - first] = mean;
    }
    zero_where_held(step, value);
}

struct norm_context {
    const uint8_t *weight;
    const struct vec3 *value;
};

static double norm2_of_block(size_t begin, size_t end, const void *context)
{
    const struct norm_context *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += c->weight[i] * vec3_norm2(c->value[i]);
    return sum;
}

double bond_groups_norm(const struct bond_implicit *step, const struct vec3 *value)
{
    const struct norm_context context = {step->weight, value};
    return sqrt(blocks_sum(step->net.system.n, norm2_of_block, &context));
}
