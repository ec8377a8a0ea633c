/* Makes the momentum of bodies that nothing holds exact, whatever the tolerance of the solver. */
#include "base/blocks.h"
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

static uint32_t component_of(const struct corotated *c, size_t k)
{
    return c->component[c->body[c->solid[k].begin]];
}

/* Whether a particle of body k is fixed, or moves with a fixed group. */
static bool is_held(const struct corotated *c, const struct particles *p, size_t k)
{
    const size_t begin = c->system.first + c->solid[k].begin, end = begin + c->solid[k].rest->n;
    for (size_t i = begin; i < end; i++)
        if (c->groups->fixed[i] || p->state[i])
            return true;
    return false;
}

static void tie_bodies(struct corotated *c, const struct particles *p)
{
    for (uint32_t b = 0; b < c->n_bodies; b++) {
        c->component[b] = b;
        c->component_mass[b] = 0.0;
        c->component_sum[b] = vec3(0.0, 0.0, 0.0);
        c->component_held[b] = 0;
    }
    for (size_t g = 0; g < c->groups->n_groups; g++)
        tie_group(c, g);
    for (uint32_t b = 0; b < c->n_bodies; b++)
        c->component[b] = find_component(c->component, b);
    for (size_t k = 0; k < c->n_solids; k++)
        c->component_held[component_of(c, k)] |= is_held(c, p, k);
}

enum moved { MOVED_MASS, MOVED_X, MOVED_Y, MOVED_Z, MOVED_SUMS };

struct moving {
    const struct corotated *c;
    size_t begin;
};

/* Sums of the mass of unknowns and of the momentum that elastic forces gave them. */
static void add_momentum(size_t begin, size_t end, const void *context, double *sum)
{
    const struct moving *m = context;
    const struct corotated *c = m->c;
    const double *mass = c->groups->mass + c->system.first;
    for (size_t i = m->begin + begin; i < m->begin + end; i++) {
        if (!c->unknown[i])
            continue;
        const struct vec3 gain = vec3_sub(c->fallen[i], c->unforced[i]);
        sum[MOVED_MASS] += mass[i];
        sum[MOVED_X] += mass[i] * gain.x;
        sum[MOVED_Y] += mass[i] * gain.y;
        sum[MOVED_Z] += mass[i] * gain.z;
    }
}

static void sum_over_body(struct corotated *c, size_t k)
{
    const struct moving moving = {c, c->solid[k].begin};
    const uint32_t tied = component_of(c, k);
    double sum[MOVED_SUMS];
    blocks_sums(c->solid[k].rest->n, MOVED_SUMS, add_momentum, &moving, sum);
    c->component_mass[tied] += sum[MOVED_MASS];
    c->component_sum[tied] =
        vec3_add(c->component_sum[tied], vec3(sum[MOVED_X], sum[MOVED_Y], sum[MOVED_Z]));
}

static void shift_body(struct corotated *c, size_t k)
{
    const uint32_t tied = component_of(c, k);
    const size_t begin = c->solid[k].begin, end = begin + c->solid[k].rest->n;
    const struct vec3 shift = vec3_scale(-1.0 / c->component_mass[tied], c->component_sum[tied]);
#pragma omp parallel for schedule(static) if (end - begin > COROTATED_MANY)
    for (size_t i = begin; i < end; i++)
        c->fallen[i] = vec3_add(c->fallen[i], shift);
}

/* Elastic forces add up to 0 over a component that nothing holds, so that the momentum that they
 * gave it is an error of the solver. A common translation deforms nothing: one by this momentum
 * over the mass, backwards, removes the error and leaves the forces as they are. */
void corotated_correct_momentum(struct corotated *c, const struct particles *p)
{
    tie_bodies(c, p);
    for (size_t k = 0; k < c->n_solids; k++)
        if (!c->component_held[component_of(c, k)])
            sum_over_body(c, k);
    for (size_t k = 0; k < c->n_solids; k++)
        if (!c->component_held[component_of(c, k)])
            shift_body(c, k);
}
