/* Bonds break, after the step and only then: a bond whose strain exceeds min(s_i, s_j), where
 * s_i = s0_i - 0.25 (smallest strain at i): a particle under compression holds its bonds more
 * firmly, one in tension all around less (Silling and Askari 2005; Levine et al. 2014). */
#include "base/blocks.h"
#include "base/memory.h"
#include "systems/bond_network_parts.h"

#include <stdlib.h>

static const double compression_factor = 0.25;

static double strain_at(const struct bond_network *net, const struct vec3 *x, size_t i, size_t e)
{
    double length = vec3_norm(vec3_sub(x[net->neighbor[e]], x[i]));
    return length / net->rest_length[e] - 1.0;
}

static void smallest_strains(struct bond_network *net, const struct vec3 *x)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        double smallest = (double)INFINITY;
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (!net->whole[e])
                continue;
            double strain = strain_at(net, x, i, e);
            smallest = strain < smallest ? strain : smallest;
        }
        net->compression[i] = smallest;
    }
}

static double holds_up_to(const struct bond_network *net, size_t i)
{
    return net->strength[i] - compression_factor * net->compression[i];
}

/* The least that any particle with bonds holds; rounding of strains included. */
static double least_hold_in_block(size_t begin, size_t end, const void *context)
{
    static const double rounding = 1e-14;
    const struct bond_network *net = context;
    double least = (double)INFINITY;
    for (size_t i = begin; i < end; i++)
        if (isfinite(net->compression[i]) && holds_up_to(net, i) - rounding < least)
            least = holds_up_to(net, i) - rounding;
    return -least;
}

struct breaking {
    struct bond_network *net;
    const struct vec3 *position;
    double harmless; /* where the largest strain is known and not above this, nothing breaks */
};

/* Both ends compute the same strain and the same threshold, so each particle may cut its own copies
 * alone. Returns the elastic energy released by rows [begin, end). */
static double break_rows(size_t begin, size_t end, const void *context)
{
    const struct breaking *c = context;
    struct bond_network *net = c->net;
    double released = 0.0;
    for (size_t i = begin; i < end; i++) {
        if (isinf(net->strength[i]) || (net->stretch && net->stretch[i] <= c->harmless))
            continue;
        double own = holds_up_to(net, i), row = 0.0;
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (!net->whole[e])
                continue;
            double strain = strain_at(net, c->position, i, e);
            double other = holds_up_to(net, net->neighbor[e]);
            if (strain <= (own < other ? own : other))
                continue;
            net->whole[e] = 0;
            row += net->kinds[net->kind[e]].stiffness * net->rest_length[e] * strain * strain;
        }
        released += 0.25 * row;
    }
    return released;
}

static size_t count_broken(const struct bond_network *net)
{
    size_t entries = net->start[net->system.n], broken = 0;
    for (size_t e = 0; e < entries; e++)
        broken += !net->whole[e];
    return broken / 2;
}

enum status bond_network_finish(struct system *system, const struct particles *p, double *released,
                                struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    (void)error;
    struct vec3 *past = system->expected;
    system->expected = net->ahead;
    net->ahead = past;
    *released = 0.0;
    if (!net->strength)
        return STATUS_OK;
    const struct vec3 *x = p->position + system->first;
    struct breaking context = {.net = net, .position = x};
    if (net->stretch)
        context.harmless = -blocks_max(system->n, least_hold_in_block, net);
    else
        smallest_strains(net, x);
    *released = blocks_sum(system->n, break_rows, &context);
    size_t broken = count_broken(net);
    if (broken != net->n_broken)
        system->changes++;
    net->n_broken = broken;
    return STATUS_OK;
}

size_t bond_network_n_broken(const struct system *system)
{
    return ((const struct bond_network *)system)->n_broken;
}

enum status bond_network_broken(const struct system *system, size_t *n, uint64_t **list,
                                struct error *error)
{
    const struct bond_network *net = (const struct bond_network *)system;
    *n = 0;
    if (array_create(list, net->n_broken, sizeof **list, "broken bonds", error))
        return STATUS_FAILED;
    uint64_t bond = 0;
    for (size_t i = 0; i < system->n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (net->neighbor[e] < i)
                continue;
            if (!net->whole[e])
                (*list)[(*n)++] = bond;
            bond++;
        }
    return STATUS_OK;
}

/* Index of the entry at the other end. */
static size_t twin_of(const struct bond_network *net, size_t i, size_t e)
{
    uint32_t j = net->neighbor[e];
    size_t low = net->start[j], high = net->start[j + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (net->neighbor[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum status bond_network_break(struct system *system, size_t n, const uint64_t *list,
                               struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    uint64_t bond = 0;
    size_t next = 0;
    for (size_t i = 0; i < system->n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (net->neighbor[e] < i)
                continue;
            if (next < n && list[next] == bond) {
                net->whole[e] = net->whole[twin_of(net, i, e)] = 0;
                next++;
            }
            bond++;
        }
    net->n_broken = next;
    system->changes++;
    if (next < n)
        return error_set(error, STATUS_INVALID, "broken bond %llu is none of the %zu bonds",
                         (unsigned long long)list[next], net->n_bonds);
    return STATUS_OK;
}

void bond_network_damage(const struct system *system, float *damage)
{
    const struct bond_network *net = (const struct bond_network *)system;
    for (size_t i = 0; i < system->n; i++) {
        size_t lost = 0, all = net->start[i + 1] - net->start[i];
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            lost += !net->whole[e];
        damage[i] = all ? (float)lost / (float)all : 0.0F;
    }
}
