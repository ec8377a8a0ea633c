/* The order in which a frame stores its particles: neighbors in space are neighbors in the file,
 * which compresses better. */
#ifndef STORE_ORDER_H
#define STORE_ORDER_H

#include "base/error.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stdint.h>

/* *order (n, owned by the caller): the ids of the particles by body, then by cell, then by id. The
 * identity if a position is not finite. */
enum status order_by_cell(const struct particles *particles, uint32_t **order, struct error *error);

/* Whether `order` has every number below n exactly once. */
enum status order_check(const uint32_t *order, size_t n, bool *permutation, struct error *error);

/* packed[i] = spread[order[i]] and back, for entries of `size` bytes. */
void order_gather(const uint32_t *order, size_t n, size_t size, const void *spread, void *packed);
void order_scatter(const uint32_t *order, size_t n, size_t size, const void *packed, void *spread);

#endif
