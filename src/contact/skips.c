#include "contact/skips.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void skips_free(struct skips *skips)
{
    free(skips->pair);
    free(skips->spare);
    *skips = (struct skips){0};
}

enum status skips_restore(struct skips *skips, size_t n, const struct skipped_pair *pair,
                          struct error *error)
{
    if (array_reserve(&skips->pair, &skips->capacity, n, sizeof *skips->pair, "skipped pairs",
                      error))
        return STATUS_FAILED;
    if (n > 0)
        memcpy(skips->pair, pair, n * sizeof *pair);
    skips->n = n;
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

static void exchange(struct skips *skips)
{
    struct skips old = *skips;
    skips->pair = old.spare;
    skips->capacity = old.spare_capacity;
    skips->spare = old.pair;
    skips->spare_capacity = old.capacity;
}

enum status skips_update(struct skips *skips, struct pair_list *deferred,
                         struct skip_report *report, struct error *error)
{
    size_t n = deferred->n;
    struct pair *pair = deferred->pair;
    *report = (struct skip_report){0};
    if (array_reserve(&skips->spare, &skips->spare_capacity, n, sizeof *skips->spare,
                      "skipped pairs", error))
        return STATUS_FAILED;
    sort(n, pair);
    size_t old = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = pair[k].i, j = pair[k].j, steps = 1;
        while (old < skips->n && compare(skips->pair[old].i, skips->pair[old].j, i, j) < 0)
            old++;
        if (old < skips->n && compare(skips->pair[old].i, skips->pair[old].j, i, j) == 0) {
            steps += skips->pair[old].steps;
            report->again++;
        }
        skips->spare[k] = (struct skipped_pair){i, j, steps};
        if (steps > report->longest)
            report->longest = steps;
    }
    exchange(skips);
    skips->n = n;
    return STATUS_OK;
}
