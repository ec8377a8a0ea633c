#include "constraints/contact_pairs.h"

#include "base/memory.h"
#include "constraints/contact_chunk.h"
#include "constraints/contacts_parts.h"
#include "constraints/pair_rows.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

/* The first particle from which on there is no more than the k-th part of the work left, where a
 * pair is as much as a particle. */
static size_t begin_of_range(size_t n, const struct pair_list *pairs, size_t k, size_t ranges)
{
    const size_t before = (n + pairs->n) * k / ranges;
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (middle + pairs_below(pairs, middle) < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_early(const struct contact_range *range, struct pair pair)
{
    return pair.j >= range->begin && pair.j < range->end;
}

static void count_early(struct contact_range *range, const struct pair_list *pairs)
{
    range->first = pairs_below(pairs, range->begin);
    range->last = pairs_below(pairs, range->end);
    range->n_early = 0;
    for (size_t k = 0; k < range->first; k++)
        range->n_early += is_early(range, pairs->pair[k]);
}

static void list_early(struct contact_range *range, const struct pair_list *pairs)
{
    size_t n = 0;
    for (size_t k = 0; n < range->n_early; k++)
        if (is_early(range, pairs->pair[k]))
            range->early[n++] = pairs->pair[k];
}

static enum status make_room(struct contact_pairs *pairs, size_t n, struct error *error)
{
    if (pairs->end && pairs->n == n)
        return STATUS_OK;
    contact_pairs_free(pairs);
    pairs->n = n;
    pairs->n_ranges = n > FEW_PARTICLES ? (size_t)omp_get_max_threads() : 1;
    if (array_create_large(&pairs->end, &pairs->memory[0], n, sizeof *pairs->end, "contacts",
                           error) ||
        array_create_large(&pairs->sum, &pairs->memory[1], n, sizeof *pairs->sum, "contacts",
                           error) ||
        array_create(&pairs->range, pairs->n_ranges, sizeof *pairs->range, "contacts", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status contact_pairs_make(struct contact_pairs *pairs, size_t n, const struct pair_list *list,
                               struct error *error)
{
    if (make_room(pairs, n, error))
        return STATUS_FAILED;
    pairs->list = list;
#pragma omp parallel for schedule(static, 1) if (pairs->n_ranges > 1)
    for (size_t k = 0; k < pairs->n_ranges; k++) {
        struct contact_range *range = &pairs->range[k];
        range->begin = begin_of_range(n, list, k, pairs->n_ranges);
        range->end = k + 1 < pairs->n_ranges ? begin_of_range(n, list, k + 1, pairs->n_ranges) : n;
        count_early(range, list);
    }
    for (size_t k = 0; k < pairs->n_ranges; k++) {
        struct contact_range *range = &pairs->range[k];
        if (array_reserve(&range->early, &range->capacity, range->n_early, sizeof *range->early,
                          "contacts", error))
            return STATUS_FAILED;
        list_early(range, list);
    }
    return STATUS_OK;
}

void contact_pairs_free(struct contact_pairs *pairs)
{
    for (size_t k = 0; pairs->range && k < pairs->n_ranges; k++)
        free(pairs->range[k].early);
    free(pairs->range);
    free(pairs->memory[0]);
    free(pairs->memory[1]);
    *pairs = (struct contact_pairs){0};
}

void contact_pairs_fill(struct contact_pairs *pairs, const struct candidates *candidates,
                        const double *radius, const double *number)
{
    pairs->field = candidates->field;
#pragma omp parallel for schedule(static) if (pairs->n > FEW_PARTICLES)
    for (size_t i = 0; i < pairs->n; i++) {
        const struct vec3 at = candidates->at[i], way = way_since_start(candidates, i);
        const double w = candidates->scaled[i];
        pairs->end[i] = (struct contact_end){at.x,  at.y,  at.z,  radius[i],
                                             way.x, way.y, way.z, number ? number[i] * w : w};
    }
}

/* ---- an iteration ---- */

static inline void add(struct contact_sum *sum, const struct contact_sum *asked)
{
    const lanes old = lanes_load(&sum->x), more = lanes_load(&asked->x);
    const lanes shift = LANES_PICK(old + more, lanes_max(old, more), 0, 1, 2, 7);
    const lanes rubbed = lanes_load(&sum->rub_x) + lanes_load(&asked->rub_x);
    lanes_store(&sum->x, shift);
    lanes_store(&sum->rub_x, rubbed);
}

/* Larger ends first, since no particle is a larger end once it has been a smaller one; and so sums
 * of smaller ends, to which several pairs add one after the other, need not wait for each other. */
static void add_chunk(struct contact_pairs *pairs, const struct contact_range *range,
                      const struct contact_chunk *chunk)
{
    for (size_t k = 0; k < chunk->n; k++)
        if (chunk->pair[k].j < range->end)
            add(&pairs->sum[chunk->pair[k].j], &chunk->high[k]);
    for (size_t k = 0; k < chunk->n; k++)
        if (chunk->pair[k].i >= range->begin)
            add(&pairs->sum[chunk->pair[k].i], &chunk->low[k]);
}

/* Adds what n pairs ask of their ends in the range. */
static void add_pairs(struct contact_pairs *pairs, const struct candidates *candidates,
                      const struct contact_terms *terms, const struct contact_range *range,
                      const struct pair *pair, size_t n)
{
    struct contact_chunk chunk;
    for (size_t first = 0; first < n; first += CHUNK_PAIRS) {
        contact_chunk_take(&chunk, pairs, pair + first, n - first);
        contact_chunk_ask(&chunk, pairs, candidates, terms);
        add_chunk(pairs, range, &chunk);
    }
}

/* Puts the sum of a particle where it belongs, and makes it zero. */
static void put(struct contact_pairs *pairs, const struct contact_terms *t, size_t i,
                double *number, struct corrections *corrections)
{
    const struct contact_sum sum = pairs->sum[i];
    const bool ends = t->average && !t->unfinished[i] && sum.contacts > 0.0;
    const double factor = ends ? 1.0 / sum.contacts : 1.0;
    corrections->shift[i] = vec3_scale(factor, vec3(sum.x, sum.y, sum.z));
    corrections->rubbed[i] = vec3_scale(factor, vec3(sum.rub_x, sum.rub_y, sum.rub_z));
    corrections->violation[i] = sum.violation;
    if (number)
        number[i] = sum.contacts;
    pairs->sum[i] = (struct contact_sum){0};
}

/* A sum is complete when the pairs are added of which it has the smaller end, and is put away while
 * it is in the cache. */
static void sum_range(struct contact_pairs *pairs, const struct candidates *candidates,
                      const struct contact_terms *terms, const struct contact_range *range,
                      double *number, struct corrections *corrections)
{
    enum { AT_ONCE = 128 };
    const struct pair *pair = pairs->list->pair;
    size_t first = range->first, last;
    add_pairs(pairs, candidates, terms, range, range->early, range->n_early);
    for (size_t begin = range->begin; begin < range->end; begin += AT_ONCE) {
        const size_t end = range->end - begin < AT_ONCE ? range->end : begin + AT_ONCE;
        for (last = first; last < range->last && pair[last].i < end;)
            last++;
        add_pairs(pairs, candidates, terms, range, pair + first, last - first);
        for (size_t i = begin; i < end; i++)
            put(pairs, terms, i, number, corrections);
        first = last;
    }
}

void contact_pairs_sum(struct contact_pairs *pairs, const struct candidates *candidates,
                       const struct contact_terms *terms, double *number,
                       struct corrections *corrections)
{
#pragma omp parallel for schedule(static, 1) if (pairs->n_ranges > 1)
    for (size_t k = 0; k < pairs->n_ranges; k++)
        sum_range(pairs, candidates, terms, &pairs->range[k], number, corrections);
}

static void count_pairs(const struct contact_pairs *pairs, const struct contact_range *range,
                        const struct pair *pair, size_t n, double *number)
{
    struct contact_chunk chunk;
    for (size_t first = 0; first < n; first += CHUNK_PAIRS) {
        contact_chunk_take(&chunk, pairs, pair + first, n - first);
        for (size_t k = 0; k < chunk.n; k++) {
            const struct pair p = chunk.pair[k];
            const double acts = chunk.depth[k / CHUNK_LANES][k % CHUNK_LANES] > 0.0;
            if (p.i >= range->begin)
                number[p.i] += acts;
            if (p.j < range->end)
                number[p.j] += acts;
        }
    }
}

void contact_pairs_count(const struct contact_pairs *pairs, double *number)
{
#pragma omp parallel for schedule(static, 1) if (pairs->n_ranges > 1)
    for (size_t k = 0; k < pairs->n_ranges; k++) {
        const struct contact_range *range = &pairs->range[k];
        memset(number + range->begin, 0, (range->end - range->begin) * sizeof *number);
        count_pairs(pairs, range, range->early, range->n_early, number);
        count_pairs(pairs, range, pairs->list->pair + range->first, range->last - range->first,
                    number);
    }
}
