#include "systems/corotated/corotated_near.h"

#include "base/memory.h"
#include "systems/corotated/corotated_parts.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER = UINT8_MAX };

enum status corotated_near_create(struct corotated *c, struct error *error)
{
    const size_t n = c->system.n, counts = c->n_solids * (NEAR_STEPS + 1);
    struct corotated_near *near = &c->near;
    if (array_create(&near->steps, n, sizeof *near->steps, "surroundings", error) ||
        array_create(&near->particle, n, sizeof *near->particle, "surroundings", error) ||
        array_create(&near->count, counts, sizeof *near->count, "surroundings", error))
        return STATUS_FAILED;
    if (array_create(&near->jump, n, sizeof *near->jump, "surroundings", error))
        return STATUS_FAILED;
    return array_create(&near->force, n, sizeof *near->force, "surroundings", error);
}

void corotated_near_free(struct corotated_near *near)
{
    free(near->steps);
    free(near->particle);
    free(near->count);
    free(near->jump);
    free(near->force);
}

static void mark_members(struct corotated *c)
{
    const struct groups *groups = c->groups;
    const size_t first = c->system.first, end = first + c->system.n;
    memset(c->near.steps, NEVER, c->system.n);
    for (size_t k = 0; k < groups_members(groups); k++)
        if (groups->member[k] >= first && groups->member[k] < end)
            c->near.steps[groups->member[k] - first] = 0;
}

/* Appends the neighbors of entries [begin, end) that are not in the list yet. Returns its new
 * length. */
static size_t spread(const struct rest *rest, uint8_t *steps, uint32_t *list, size_t begin,
                     size_t end)
{
    size_t length = end;
    for (size_t k = begin; k < end; k++) {
        const uint8_t next = (uint8_t)(steps[list[k]] + 1);
        for (size_t e = rest->start[list[k]]; e < rest->start[list[k] + 1]; e++) {
            const uint32_t j = rest->neighbor[e];
            if (steps[j] != NEVER)
                continue;
            steps[j] = next;
            list[length++] = j;
        }
    }
    return length;
}

static void list_body(struct corotated *c, size_t k)
{
    const struct solid *solid = &c->solid[k];
    uint8_t *steps = c->near.steps + solid->begin;
    uint32_t *list = c->near.particle + solid->begin;
    size_t *count = c->near.count + k * (NEAR_STEPS + 1), begin = 0, end = 0;
    for (uint32_t i = 0; i < solid->rest->n; i++)
        if (steps[i] == 0)
            list[end++] = i;
    count[0] = end;
    for (size_t s = 1; s <= NEAR_STEPS; s++) {
        count[s] = spread(solid->rest, steps, list, begin, end);
        begin = end;
        end = count[s];
    }
}

void corotated_near_find(struct corotated *c)
{
    mark_members(c);
    for (size_t k = 0; k < c->n_solids; k++)
        list_body(c, k);
}

const uint32_t *corotated_near_list(const struct corotated *c, size_t k)
{
    return c->near.particle + c->solid[k].begin;
}

size_t corotated_near_count(const struct corotated *c, size_t k, size_t steps)
{
    return c->near.count[k * (NEAR_STEPS + 1) + steps];
}

size_t corotated_near_total(const struct corotated *c, size_t steps)
{
    size_t total = 0;
    for (size_t k = 0; k < c->n_solids; k++)
        total += corotated_near_count(c, k, steps);
    return total;
}
