/* Breaking of bonds, once at the end of each step. The bond between i and j breaks when its strain
 * exceeds min(s_i, s_j), with
 *
 *     s_i = s0_i - c s_min,i      s_min,i: the smallest strain among the bonds of i
 *
 * With c = 0.25, a particle under compression (s_min < 0) holds its bonds more firmly; one that is
 * in tension in all directions holds them less firmly (Silling and Askari, "A meshfree method based
 * on the peridynamic model of solid mechanics", Computers and Structures 83 (2005); Levine et al.
 * 2014). c is the `strengthening` of the material.
 *
 * Springs break at one strain, and only the one that is the most stretched of all springs at both
 * its ends: a tear is a line, and what it parts has time to unload. How particles are numbered does
 * not matter.
 */
#include "base/blocks.h"
#include "base/memory.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/bonds/bond_still.h"

#include <math.h>

/* The strains of the n bonds from e on (at most four); infinite of those that are broken. */
static inline lanes strains_of_four(const struct bond_network *net, lanes here, size_t e, size_t n)
{
    const lanes *x = net->evaluation.position;
    const uint32_t *neighbor = net->neighbor + e;
    lanes d[4] = {x[neighbor[0]] - here, x[neighbor[1]] - here, x[neighbor[2]] - here,
                  x[neighbor[3]] - here};
    lanes_transpose(d);
    lanes length = lanes_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    lanes strain = length / lanes_load(net->rest_length + e) - lanes_all(1.0);
    if (bond_all_of_four(net, e, n))
        return strain;
    return lanes_select(bond_whole_of_four(net, e, n), strain, lanes_all((double)INFINITY));
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The smallest strain at each particle, in the first lane. */
static bool least_strains_tile(struct bond_tile *tile, void *context)
{
    const struct bond_network *net = context;
    bond_tile_clear(tile, (double)INFINITY);
    for (size_t i = tile->begin; i < tile->end; i++) {
        const lanes here = net->evaluation.position[i];
        const size_t end = net->start[i + 1];
        lanes least = lanes_all((double)INFINITY);
        for (size_t e = net->start[i]; e < end; e += 4) {
            const size_t n = bond_count_of_four(e, end);
            const lanes strain = strains_of_four(net, here, e, n);
            least = lanes_min(strain, least);
            for (size_t k = 0; k < n; k++) {
                double *other = (double *)bond_tile_other(tile, e + k);
                *other = smaller(strain[k], *other);
            }
        }
        double *own = (double *)bond_tile_at(tile, i);
        *own = smaller(smaller(smaller(least[0], least[1]), smaller(least[2], least[3])), *own);
    }
    return true;
}

static void find_compression(struct bond_network *net)
{
    bond_tiles_run(&net->tiles, least_strains_tile, bond_combine_least, net);
    for (size_t k = 0; k < net->tiles.n; k++) {
        const struct bond_tile *tile = &net->tiles.tile[k];
        for (size_t i = tile->begin; i < tile->end; i++)
            net->compression[i] = bond_tile_sum(tile, i)[0];
    }
}

static double holds_up_to(const struct bond_network *net, size_t i)
{
    return net->critical_stretch[i] - net->strengthening[i] * net->compression[i];
}

/* No bond breaks at a smaller strain than this. A bond that breaks has s > s0_i - c s_min,i, and s
 * is at least s_min,i, so that (1 + c) s > s0_i. A margin allows for the rounding of strains. */
static double least_breaking(const struct bond_network *net)
{
    static const double rounding = 1e-14;
    return net->least_critical_stretch / (1.0 + net->most_strengthening) - rounding;
}

static double largest_stretch(size_t begin, size_t end, const void *context)
{
    const struct bond_network *net = context;
    double largest = -(double)INFINITY;
    for (size_t i = begin; i < end; i++)
        if (!isinf(net->critical_stretch[i]) && net->evaluation.largest_strain[i] > largest)
            largest = net->evaluation.largest_strain[i];
    return largest;
}

/* Breaks a bond that is stretched farther than the weaker of its ends holds it, of which one holds
 * it up to `own`. Returns twice the elastic energy that it releases. */
static double break_stretched(struct bond_network *net, size_t e, double strain, double own)
{
    if (!net->kind[e] || strain <= smaller(own, holds_up_to(net, net->neighbor[e])))
        return 0.0;
    double released = bond_stiffness(net, e) * net->rest_length[e] * strain * strain;
    net->kind[e] = 0;
    return released;
}

/* Breaks the bonds of rows [begin, end) that are stretched too far; returns the elastic energy that
 * they release. Most particles have no such bond: their largest strain is harmless. */
static double break_rows(size_t begin, size_t end, void *context)
{
    struct bond_network *net = context;
    const double harmless = least_breaking(net);
    double released = 0.0;
    for (size_t i = begin; i < end; i++) {
        if (isinf(net->critical_stretch[i]) || net->tears[i] ||
            net->evaluation.largest_strain[i] <= harmless)
            continue;
        const size_t next = net->start[i + 1];
        double own = holds_up_to(net, i), row = 0.0;
        for (size_t e = net->start[i]; e < next; e += 4) {
            const size_t n = bond_count_of_four(e, next);
            const lanes strain = strains_of_four(net, net->evaluation.position[i], e, n);
            for (size_t k = 0; k < n; k++)
                row += break_stretched(net, e + k, strain[k], own);
        }
        released += 0.5 * row;
    }
    return released;
}

static double strain_of(const struct bond_network *net, size_t i, size_t e)
{
    const lanes d = net->evaluation.position[net->neighbor[e]] - net->evaluation.position[i];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / net->rest_length[e] - 1.0;
}

/* The largest strain of the whole springs at each particle that may lose one. */
static void find_most_stretched(struct bond_network *net)
{
    for (size_t i = 0; i < net->system.n; i++)
        net->most_stretched[i] = 0.0;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; net->tears[i] && e < net->start[i + 1]; e++) {
            const size_t j = net->neighbor[e];
            const double strain = net->kind[e] ? strain_of(net, i, e) : 0.0;
            net->most_stretched[i] = fmax(net->most_stretched[i], strain);
            net->most_stretched[j] = fmax(net->most_stretched[j], strain);
        }
}

/* The same of springs. Both ends belong to one body, as what can break has no ties. */
static double tear_rows(struct bond_network *net)
{
    double released = 0.0;
    find_most_stretched(net);
    for (size_t i = 0; i < net->system.n; i++) {
        if (!net->tears[i] || !(net->evaluation.largest_strain[i] > net->critical_stretch[i]))
            continue;
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const double strain = strain_of(net, i, e);
            if (!net->kind[e] || !(strain > net->critical_stretch[i]) ||
                strain < fmax(net->most_stretched[i], net->most_stretched[net->neighbor[e]]))
                continue;
            released += 0.5 * bond_stiffness(net, e) * net->rest_length[e] * strain * strain;
            net->kind[e] = 0;
        }
    }
    return released;
}

static size_t count_broken(const struct bond_network *net)
{
    size_t broken = 0;
    for (size_t e = 0; e < net->n_bonds; e++)
        broken += !net->kind[e];
    return broken;
}

enum status bond_network_finish(struct system *system, const struct particles *p,
                                struct term_value term[MOST_TERMS], struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    (void)error;
    term[BOND_BROKEN_COUNT].value = (double)net->n_broken;
    if (!net->critical_stretch)
        return STATUS_OK;
    bond_evaluate_at(net, p->position + system->first);
    if (blocks_max(system->n, largest_stretch, net) <= least_breaking(net))
        return STATUS_OK;
    find_compression(net);
    double released = blocks_change(system->n, break_rows, net) + tear_rows(net);
    term[BOND_RELEASED].value = net->rigid ? 0.0 : released;
    size_t broken = count_broken(net);
    if (broken != net->n_broken)
        system->changes++;
    net->n_broken = broken;
    term[BOND_BROKEN_COUNT].value = (double)broken;
    return STATUS_OK;
}

enum status bond_network_broken(const struct system *system, size_t *n, uint64_t **list,
                                struct error *error)
{
    const struct bond_network *net = (const struct bond_network *)system;
    *n = 0;
    if (array_create(list, net->n_broken, sizeof **list, "broken bonds", error))
        return STATUS_FAILED;
    for (size_t e = 0; e < net->n_bonds; e++)
        if (!net->kind[e])
            (*list)[(*n)++] = bond_number_of(net, e);
    return STATUS_OK;
}

enum status bond_network_break(struct system *system, size_t n, const uint64_t *list,
                               struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    for (size_t k = 0; k < n; k++) {
        const size_t e = bond_of_number(net, list[k]);
        if (e == net->n_bonds)
            return error_set(error, STATUS_INVALID,
                             "broken bond %llu is none of the %zu bonds of bodies that may move",
                             (unsigned long long)list[k], net->n_bonds);
        net->kind[e] = 0;
    }
    net->n_broken = count_broken(net);
    system->changes++;
    return STATUS_OK;
}

void bond_network_damage(const struct system *system, float *damage)
{
    const struct bond_network *net = (const struct bond_network *)system;
    for (size_t i = 0; i < system->n; i++)
        damage[i] = 0.0F;
    for (size_t i = 0; i < system->n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            float lost = net->kind[e] ? 0.0F : 1.0F;
            damage[i] += lost;
            damage[net->neighbor[e]] += lost;
        }
    for (size_t i = 0; i < system->n; i++)
        damage[i] = net->n_at[i] ? damage[i] / (float)net->n_at[i] : 0.0F;
}
