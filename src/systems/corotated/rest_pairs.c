#include "systems/corotated/rest_pairs.h"

#include "base/memory.h"

#include <stdlib.h>

static size_t count_above(const struct rest *rest, size_t i)
{
    size_t n = 0;
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        n += rest->neighbor[e] > i;
    return n;
}

static void list_above(struct rest_pairs *pairs, const struct rest *rest, size_t first, size_t i)
{
    size_t to = pairs->start[first - pairs->bonded.begin + i];
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        if (rest->neighbor[e] > i) {
            pairs->whole[to] = 1;
            pairs->neighbor[to++] = (uint32_t)first + rest->neighbor[e];
        }
}

static enum status count_all(struct rest_pairs *pairs, size_t n_bodies,
                             const struct rest *const *body, struct error *error)
{
    size_t n = 0, at = 0;
    for (size_t k = 0; k < n_bodies; k++)
        n += body[k]->n;
    if (array_create(&pairs->start, n + 1, sizeof *pairs->start, "neighbors", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n_bodies; k++)
        for (size_t i = 0; i < body[k]->n; i++, at++)
            pairs->start[at + 1] = pairs->start[at] + count_above(body[k], i);
    pairs->bonded.end = pairs->bonded.begin + (uint32_t)n;
    return STATUS_OK;
}

enum status rest_pairs_create(struct rest_pairs *pairs, size_t n_bodies,
                              const struct rest *const *body, size_t first, struct error *error)
{
    *pairs = (struct rest_pairs){.bonded = {.begin = (uint32_t)first}};
    if (count_all(pairs, n_bodies, body, error))
        return STATUS_FAILED;
    const size_t all = pairs->start[pairs->bonded.end - pairs->bonded.begin];
    if (array_create(&pairs->neighbor, all, sizeof *pairs->neighbor, "neighbors", error) ||
        array_create(&pairs->whole, all, sizeof *pairs->whole, "neighbors", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n_bodies; first += body[k]->n, k++)
        for (size_t i = 0; i < body[k]->n; i++)
            list_above(pairs, body[k], first, i);
    pairs->bonded.start = pairs->start;
    pairs->bonded.neighbor = pairs->neighbor;
    pairs->bonded.whole = pairs->whole;
    return STATUS_OK;
}

void rest_pairs_free(struct rest_pairs *pairs)
{
    free(pairs->start);
    free(pairs->neighbor);
    free(pairs->whole);
    *pairs = (struct rest_pairs){0};
}
