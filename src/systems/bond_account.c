/* Where the energy and the momentum of a step went, each from its own definition, so that the
 * ledger can be checked and not only balanced. */
#include "base/blocks.h"
#include "systems/bond_network_parts.h"

struct account_context {
    const struct bond_network *net;
    const struct vec3 *a, *b;
};

static double dot_of_block(size_t begin, size_t end, const void *context)
{
    const struct account_context *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += vec3_dot(c->a[i], c->b[i]);
    return sum;
}

static double dot(const struct bond_network *net, const struct vec3 *a, const struct vec3 *b)
{
    const struct account_context context = {net, a, b};
    return blocks_sum(net->system.n, dot_of_block, &context);
}

/* Unknowns only: the residual of a group stands at each of its members. */
static double residual_of_block(size_t begin, size_t end, const void *context)
{
    const struct account_context *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        if (c->net->weight[i])
            sum += vec3_dot(c->a[i], c->b[i]);
    return sum;
}

void bond_network_account(struct system *system, const struct particles *p,
                          const struct groups *groups, double dt, const struct motion *motion,
                          struct work_report *report)
{
    struct bond_network *net = (struct bond_network *)system;
    net->groups = groups;
    const struct vec3 *mean = motion->mean + system->first;
    struct vec3 *elastic = net->work.z, *damping = net->work.image;
    bond_network_impulses(net, p, dt, motion->before + system->first,
                          motion->own_after + system->first, motion->own_mean + system->first,
                          elastic, damping);
    const struct account_context residual = {net, net->work.residual, mean};
    *report = (struct work_report){
        .damping = -dot(net, mean, damping),
        .linear_elastic = dot(net, mean, elastic),
        .residual = -blocks_sum(system->n, residual_of_block, &residual),
    };
    for (size_t i = 0; i < system->n; i++)
        if (groups->fixed[system->first + i])
            report->on_supports = vec3_add(report->on_supports, vec3_add(elastic[i], damping[i]));
}
