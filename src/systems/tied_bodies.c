#include "systems/tied_bodies.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <stdlib.h>

enum status tied_bodies_reserve(struct tied_bodies *tied, size_t n, struct error *error)
{
    const size_t from = tied->capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&tied->set, from, to, sizeof *tied->set, "bodies", error) ||
        array_grow(&tied->missing, from, to, sizeof *tied->missing, "bodies", error) ||
        array_grow(&tied->mass, from, to, sizeof *tied->mass, "bodies", error) ||
        array_grow(&tied->held, from, to, sizeof *tied->held, "bodies", error))
        return STATUS_FAILED;
    tied->capacity = to;
    return STATUS_OK;
}

void tied_bodies_begin(struct tied_bodies *tied, size_t n)
{
    tied->n = n;
    for (uint32_t k = 0; k < n; k++) {
        tied->set[k] = k;
        tied->missing[k] = vec3(0.0, 0.0, 0.0);
        tied->mass[k] = 0.0;
        tied->held[k] = false;
    }
}

void tied_bodies_free(struct tied_bodies *tied)
{
    free(tied->set);
    free(tied->missing);
    free(tied->mass);
    free(tied->held);
    *tied = (struct tied_bodies){0};
}

void tied_bodies_join(struct tied_bodies *tied, uint32_t body, uint32_t other)
{
    disjoint_join(tied->set, body, other);
}

void tied_bodies_join_groups(struct tied_bodies *tied, const struct groups *groups, size_t first,
                             size_t n, const uint32_t *body)
{
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t last = UINT32_MAX;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            const uint32_t i = groups->member[k];
            if (i < first || i >= first + n)
                continue;
            if (last != UINT32_MAX)
                disjoint_join(tied->set, last, body[i - first]);
            last = body[i - first];
        }
    }
}

void tied_bodies_close(struct tied_bodies *tied)
{
    for (uint32_t k = 0; k < tied->n; k++)
        tied->set[k] = disjoint_root(tied->set, k);
}

void tied_bodies_hold(struct tied_bodies *tied, uint32_t body)
{
    tied->held[tied->set[body]] = true;
}

void tied_bodies_add(struct tied_bodies *tied, uint32_t body, double mass, struct vec3 residual)
{
    const uint32_t set = tied->set[body];
    tied->mass[set] += mass;
    tied->missing[set] = vec3_add(tied->missing[set], residual);
}

bool tied_bodies_shift(const struct tied_bodies *tied, uint32_t body, struct vec3 *shift)
{
    const uint32_t set = tied->set[body];
    if (tied->held[set] || !(tied->mass[set] > 0.0))
        return false;
    *shift = vec3_scale(1.0 / tied->mass[set], tied->missing[set]);
    return true;
}
