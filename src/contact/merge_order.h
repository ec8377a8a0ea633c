/* In which order approaching pairs are merged. The paper merges by particle index and states that
 * the order does not matter (Section 3); the others exist to test that. */
#ifndef CONTACT_MERGE_ORDER_H
#define CONTACT_MERGE_ORDER_H

#include "particles/pairs.h"

#include <stdint.h>

struct merge_order {
    const char *name; /* as in the configuration */
    /* Rearranges pairs that come ascending by (i, j). */
    void (*arrange)(struct pair_list *pairs, uint64_t seed, uint64_t step);
};

/* NULL if there is none of that name. */
const struct merge_order *merge_order_find(const char *name);

#endif
