/* Block Jacobi: the inverse of the 3 x 3 diagonal block of every unknown, in single precision,
 * which is enough for a preconditioner. */
#include "systems/bonds/bond_implicit.h"

#include <string.h>

static struct sym3 widen(struct sym3f a)
{
    return (struct sym3){(double)a.xx, (double)a.xy, (double)a.xz,
                         (double)a.yy, (double)a.yz, (double)a.zz};
}

static struct sym3 add_scaled(struct sym3 a, double s, struct sym3 b)
{
    return (struct sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                         a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

static struct sym3f inverse_with_mass(struct sym3 block, double mass)
{
    const struct sym3 unit = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    struct sym3 inverse = sym3_inverse(add_scaled(block, mass, unit));
    return (struct sym3f){(float)inverse.xx, (float)inverse.xy, (float)inverse.xz,
                          (float)inverse.yy, (float)inverse.yz, (float)inverse.zz};
}

/* The sum of the blocks of those bonds stored with i that lead to members of its own group. */
static struct sym3 inside_of_member(const struct bond_implicit *step, size_t i)
{
    const uint32_t *leader = step->groups->leader + step->net.system.first;
    struct sym3 sum = {0};
    for (size_t e = step->net.start[i]; e < step->net.start[i + 1]; e++) {
        const struct bond_block *b = &step->block[e];
        const double x = (double)b->gx, y = (double)b->gy, z = (double)b->gz, t = (double)b->t;
        if (leader[step->net.neighbor[e]] == leader[i])
            sum = add_scaled(sum, 1.0,
                             (struct sym3){x * x + t, x * y, x * z, y * y + t, y * z, z * z + t});
    }
    return sum;
}

/* Bonds inside the group do not act on it: their blocks are subtracted for both ends. Rounding to
 * single precision may leave a small negative remainder, which a millionth of the trace outweighs.
 */
static struct sym3 block_of_group(const struct bond_implicit *step, const uint32_t *member,
                                  size_t n)
{
    static const double floor = 1e-6;
    size_t first = step->net.system.first, end = first + step->net.system.n;
    const struct sym3 unit = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    struct sym3 sum = {0}, inside = {0};
    for (size_t k = 0; k < n; k++) {
        if (member[k] < first || member[k] >= end)
            continue;
        sum = add_scaled(sum, 1.0, widen(step->diagonal[member[k] - first]));
        inside = add_scaled(inside, 1.0, inside_of_member(step, member[k] - first));
    }
    double least = floor * (sum.xx + sum.yy + sum.zz);
    return add_scaled(add_scaled(sum, -2.0, inside), least, unit);
}

/* The block of a particle outside groups. `stiff`: from bond_stiff_blocks. */
static struct sym3 block_of_particle(const struct bond_implicit *step, const struct sym3 *stiff,
                                     size_t i)
{
    struct sym3 block = widen(step->diagonal[i]);
    return stiff ? add_scaled(block, 1.0, stiff[i]) : block;
}

void bond_precondition_build(struct bond_implicit *step)
{
    const struct groups *groups = step->groups;
    const struct sym3 *stiff = bond_stiff_blocks(step);
    size_t first = step->net.system.first, end = first + step->net.system.n;
    const uint8_t *fixed = groups->fixed + first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < step->net.system.n; i++)
        step->preconditioner[i] =
            fixed[i] ? (struct sym3f){0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}
                     : inverse_with_mass(block_of_particle(step, stiff, i), step->net.mass[i]);
    for (size_t g = 0; g < groups->n_groups; g++) {
        const uint32_t *member = groups->member + groups->start[g];
        size_t n = groups->start[g + 1] - groups->start[g];
        if (groups->fixed[member[0]])
            continue;
        struct sym3f inverse =
            inverse_with_mass(block_of_group(step, member, n), groups->mass[member[0]]);
        for (size_t k = 0; k < n; k++)
            if (member[k] >= first && member[k] < end)
                step->preconditioner[member[k] - first] = inverse;
    }
}

struct sym3 bond_precondition_block(const struct bond_implicit *step, size_t i)
{
    return widen(step->preconditioner[i]);
}

void bond_precondition(void *network, size_t begin, size_t end, const struct vec3 *r,
                       struct vec3 *z)
{
    const struct bond_implicit *step = network;
    for (size_t i = begin; i < end; i++)
        z[i] = sym3_mul(widen(step->preconditioner[i]), r[i]);
    bond_walls_project_range(&step->net.walls, begin, end, z);
}
