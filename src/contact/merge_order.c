#include "contact/merge_order.h"

#include "particles/random.h"

#include <string.h>

static void by_index(struct pair_list *pairs, uint64_t seed, uint64_t step)
{
    (void)pairs;
    (void)seed;
    (void)step;
}

static void swap(struct pair_list *pairs, size_t a, size_t b)
{
    struct pair other = pairs->pair[a];
    pairs->pair[a] = pairs->pair[b];
    pairs->pair[b] = other;
}

static void reversed(struct pair_list *pairs, uint64_t seed, uint64_t step)
{
    (void)seed;
    (void)step;
    for (size_t k = 0; k < pairs->n / 2; k++)
        swap(pairs, k, pairs->n - 1 - k);
}

static void shuffled(struct pair_list *pairs, uint64_t seed, uint64_t step)
{
    for (size_t k = pairs->n; k > 1; k--)
        swap(pairs, k - 1, random_integer(seed, step, k, RANDOM_MERGE_ORDER, 0, k - 1));
}

const struct merge_order *merge_order_find(const char *name)
{
    static const struct merge_order orders[] = {
        {"index", by_index}, {"reverse", reversed}, {"shuffled", shuffled}};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        if (strcmp(orders[k].name, name) == 0)
            return &orders[k];
    return NULL;
}
