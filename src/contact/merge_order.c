#include "contact/merge_order.h"

#include "particles/random.h"

void shuffle_pairs(struct pair_list *pairs, uint64_t seed, uint64_t step)
{
    for (size_t k = pairs->n; k > 1; k--) {
        size_t at = random_integer(seed, step, k, RANDOM_MERGE_ORDER, 0, k - 1);
        struct pair other = pairs->pair[k - 1];
        pairs->pair[k - 1] = pairs->pair[at];
        pairs->pair[at] = other;
    }
}
