#include "contact/deferred_pairs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void deferred_pairs_free(struct deferred_pairs *pairs)
{
    free(pairs->pair);
    free(pairs->spare);
    *pairs = (struct deferred_pairs){0};
}

enum status deferred_pairs_restore(struct deferred_pairs *pairs, size_t n,
                                   const struct deferred_pair *pair, struct error *error)
{
    if (array_reserve(&pairs->pair, &pairs->capacity, n, sizeof *pairs->pair, "deferred pairs",
                      error))
        return STATUS_FAILED;
    if (n > 0)
        memcpy(pairs->pair, pair, n * sizeof *pair);
    pairs->n = n;
    return STATUS_OK;
}

static int compare(uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    return i != k ? (i > k) - (i < k) : (j > l) - (j < l);
}

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    return compare(a->i, a->j, b->i, b->j);
}

/* Pairs merged in the order of their indices are sorted already. */
static void sort(size_t n, struct pair *pair)
{
    for (size_t k = 1; k < n; k++)
        if (compare_pairs(&pair[k - 1], &pair[k]) > 0) {
            qsort(pair, n, sizeof *pair, compare_pairs);
            return;
        }
}

static void exchange(struct deferred_pairs *pairs)
{
    struct deferred_pairs old = *pairs;
    pairs->pair = old.spare;
    pairs->capacity = old.spare_capacity;
    pairs->spare = old.pair;
    pairs->spare_capacity = old.capacity;
}

enum status deferred_pairs_update(struct deferred_pairs *pairs, struct pair_list *deferred,
                                  struct deferral_report *report, struct error *error)
{
    size_t n = deferred->n;
    struct pair *pair = deferred->pair;
    *report = (struct deferral_report){0};
    if (array_reserve(&pairs->spare, &pairs->spare_capacity, n, sizeof *pairs->spare,
                      "deferred pairs", error))
        return STATUS_FAILED;
    sort(n, pair);
    size_t old = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = pair[k].i, j = pair[k].j, steps = 1;
        while (old < pairs->n && compare(pairs->pair[old].i, pairs->pair[old].j, i, j) < 0)
            old++;
        if (old < pairs->n && compare(pairs->pair[old].i, pairs->pair[old].j, i, j) == 0) {
            steps += pairs->pair[old].steps;
            report->again++;
        }
        pairs->spare[k] = (struct deferred_pair){i, j, steps};
        if (steps > report->longest)
            report->longest = steps;
    }
    exchange(pairs);
    pairs->n = n;
    return STATUS_OK;
}
