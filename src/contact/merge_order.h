/* The order in which approaching pairs are merged. The paper merges by particle index and states
 * that the order does not matter (Section 3); the other orders exist to test that. */
#ifndef CONTACT_MERGE_ORDER_H
#define CONTACT_MERGE_ORDER_H

#include "config/scene.h"
#include "particles/pairs.h"

#include <stdint.h>

/* Rearranges pairs, which are ascending by (i, j) on input. */
void arrange_pairs(enum order_of_merging order, struct pair_list *pairs, uint64_t seed,
                   uint64_t step);

#endif
