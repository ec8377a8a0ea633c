/* Block Jacobi: every unknown's own 3 x 3 block, inverted. */
#include "systems/bond_network_parts.h"

#include <string.h>

static struct sym3 sym3_add(struct sym3 a, struct sym3 b)
{
    return (struct sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz,
                         a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

static struct sym3 block_of(const struct bond_block *b)
{
    return (struct sym3){b->gx * b->gx + b->t, b->gx * b->gy, b->gx * b->gz,
                         b->gy * b->gy + b->t, b->gy * b->gz, b->gz * b->gz + b->t};
}

/* A particle's share of its group's diagonal block: bonds inside the group cancel. */
static struct sym3 diagonal_of_member(const struct bond_network *net, size_t i)
{
    const uint32_t *leader = net->groups->leader + net->system.first;
    struct sym3 sum = {0};
    for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
        if (leader[net->neighbor[e]] != leader[i])
            sum = sym3_add(sum, block_of(&net->block[e]));
    return sum;
}

static struct sym3 inverse_with_mass(struct sym3 block, double mass)
{
    block.xx += mass;
    block.yy += mass;
    block.zz += mass;
    return sym3_inverse(block);
}

void bond_network_invert_blocks(struct bond_network *net)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct sym3 sum = {0};
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            sum = sym3_add(sum, block_of(&net->block[e]));
        net->inverse_alone[i] = inverse_with_mass(sum, net->mass[i]);
    }
}

/* Block Jacobi: the inverse of each unknown's own 3 x 3 block. Those of particles alone are the
 * same in all stages; only groups need their own. */
void bond_network_invert_groups(struct bond_network *net)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    memcpy(net->preconditioner, net->inverse_alone, net->system.n * sizeof *net->preconditioner);
    for (size_t i = 0; i < net->system.n; i++)
        if (groups->fixed[first + i])
            net->preconditioner[i] = (struct sym3){0};
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[groups->start[g]];
        if (groups->fixed[leader])
            continue;
        struct sym3 sum = {0};
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (groups->member[k] >= first && groups->member[k] < end)
                sum = sym3_add(sum, diagonal_of_member(net, groups->member[k] - first));
        struct sym3 inverse = inverse_with_mass(sum, groups->mass[leader]);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (groups->member[k] >= first && groups->member[k] < end)
                net->preconditioner[groups->member[k] - first] = inverse;
    }
}

void bond_network_precondition(void *network, size_t begin, size_t end, const struct vec3 *r,
                               struct vec3 *z)
{
    const struct bond_network *net = network;
    for (size_t i = begin; i < end; i++)
        z[i] = sym3_mul(net->preconditioner[i], r[i]);
}
