/* The order in which approaching pairs are merged. The paper merges by particle index and states
 * that the order does not matter (Section 3); contact.order: shuffled exists to test that. */
#ifndef CONTACT_MERGE_ORDER_H
#define CONTACT_MERGE_ORDER_H

#include "particles/pairs.h"

#include <stdint.h>

/* Puts the pairs in an order drawn by the seed and the step. */
void shuffle_pairs(struct pair_list *pairs, uint64_t seed, uint64_t step);

#endif
