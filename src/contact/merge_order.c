#include "contact/merge_order.h"

#include "particles/random.h"

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

#define ORDER(word, value, function) [value] = function,

void arrange_pairs(enum order_of_merging order, struct pair_list *pairs, uint64_t seed,
                   uint64_t step)
{
    static void (*const arrange[])(struct pair_list *, uint64_t, uint64_t) = {MERGE_ORDERS(ORDER)};
    arrange[order](pairs, seed, step);
}
