/* Pairs of particles by particle: each pair stands in the rows of both its ends, so that every
 * particle can add up its own constraints. */
#ifndef CONSTRAINTS_PAIR_ROWS_H
#define CONSTRAINTS_PAIR_ROWS_H

#include "base/error.h"
#include "particles/pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero at first; release with pair_rows_free. */
struct pair_rows {
    size_t n;        /* particles */
    size_t *start;   /* the entries of particle i are [start[i], start[i + 1]) (n + 1) */
    uint32_t *other; /* the other end, ascending for each particle (capacity) */
    uint32_t *pair;  /* which pair of the list it is (capacity) */
    size_t capacity;
    size_t *next; /* scratch (n) */
};

/* Makes the rows of n particles from pairs that ascend by (i, j). Keeps its memory from call to
 * call; fails only if memory runs out or if there are more than UINT32_MAX pairs. */
enum status pair_rows_make(struct pair_rows *rows, size_t n, const struct pair_list *pairs,
                           struct error *error);
void pair_rows_free(struct pair_rows *rows);

/* How many of these pairs, which ascend by (i, j), have smaller ends below i. */
size_t pairs_below(const struct pair_list *pairs, size_t i);

#endif
