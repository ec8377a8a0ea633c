#include "contact/deferred_pairs.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void deferred_pairs_free(struct deferred_pairs *pairs)
{
    free(pairs->pair);
    free(pairs->spare);
    *pairs = (struct deferred_pairs){0};
}

_Static_assert(sizeof(struct deferred_pair) == 3 * sizeof(uint32_t), "stored as three numbers");

enum status deferred_pairs_list(const struct deferred_pairs *pairs, size_t *n, void **data,
                                struct error *error)
{
    *n = pairs->n;
    *data = NULL;
    if (pairs->n == 0)
        return STATUS_OK;
    if (array_create(data, pairs->n, sizeof *pairs->pair, "deferred pairs", error))
        return STATUS_FAILED;
    memcpy(*data, pairs->pair, pairs->n * sizeof *pairs->pair);
    return STATUS_OK;
}

static enum status check_list(size_t n, const struct deferred_pair *pair, size_t n_particles,
                              struct error *error)
{
    for (size_t k = 0; k < n; k++) {
        struct deferred_pair now = pair[k],
                             before = k > 0 ? pair[k - 1] : (struct deferred_pair){0};
        bool ascends = now.i > before.i || (now.i == before.i && now.j > before.j);
        if (now.i >= now.j || now.j >= n_particles || !ascends || now.steps == 0)
            return error_set(error, STATUS_INVALID,
                             "entry %zu of deferred is (%u, %u) for %u steps; there should be "
                             "ascending pairs of %zu particles, for a step at least",
                             k, now.i, now.j, now.steps, n_particles);
    }
    return STATUS_OK;
}

enum status deferred_pairs_restore(struct deferred_pairs *pairs, size_t n,
                                   const struct deferred_pair *pair, size_t n_particles,
                                   struct error *error)
{
    enum status status = check_list(n, pair, n_particles, error);
    if (status)
        return status;
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
