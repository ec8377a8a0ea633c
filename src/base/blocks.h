/* Sums whose bits do not depend on the number of threads: the range is cut into blocks of a fixed
 * length, each block is summed by one thread in index order, and the blocks are added in order.
 *
 *     static double kinetic_of(size_t begin, size_t end, const void *context)
 *     {
 *         const struct particles *p = context;
 *         double sum = 0.0;
 *         for (size_t i = begin; i < end; i++)
 *             sum += 0.5 * p->mass[i] * vec3_norm2(p->velocity[i]);
 *         return sum;
 *     }
 *     ... blocks_sum(p->n, kinetic_of, p) ...
 *
 * The same pattern by hand, for anything that is not a sum: loop over block numbers in parallel,
 * elements [block * BLOCK_LENGTH, block_end(block, n)) inside, combine in block order afterwards.
 */
#ifndef BASE_BLOCKS_H
#define BASE_BLOCKS_H

#include "base/vec3.h"

#include <stddef.h>

enum { BLOCK_LENGTH = 4096 };

/* Number of blocks of n elements. */
static inline size_t block_count(size_t n)
{
    return n / BLOCK_LENGTH + (n % BLOCK_LENGTH != 0);
}

/* One past the last element of a block. */
static inline size_t block_end(size_t block, size_t n)
{
    return n - block * BLOCK_LENGTH < BLOCK_LENGTH ? n : (block + 1) * BLOCK_LENGTH;
}

/* The sum over elements [begin, end), a function of the elements alone; called by several threads
 * at once. */
typedef double block_sum(size_t begin, size_t end, const void *context);
typedef struct vec3 block_sum_vec3(size_t begin, size_t end, const void *context);

/* The sum over elements [0, n); 0 for n = 0. Allocates nothing. A range of one block is summed by
 * the calling thread. */
double blocks_sum(size_t n, block_sum *sum, const void *context);
struct vec3 blocks_sum_vec3(size_t n, block_sum_vec3 *sum, const void *context);

/* Like blocks_sum, for a function that also changes its elements, but nothing that other blocks
 * read. */
typedef double block_change(size_t begin, size_t end, void *context);
double blocks_change(size_t n, block_change *change, void *context);

/* Several sums in one pass over memory: adds those over elements [begin, end) to sum (width), which
 * is zero before. */
typedef void block_sums(size_t begin, size_t end, const void *context, double *sum);
enum { BLOCK_SUMS_MAX = 16 };
/* width at most BLOCK_SUMS_MAX; the totals are those that blocks_sum would give, to the bit. */
void blocks_sums(size_t n, size_t width, block_sums *sums, const void *context, double *total);

/* The largest value over elements [0, n), where `max` gives the largest of a block; -infinity for n
 * = 0, and NaN if a block gives NaN. */
double blocks_max(size_t n, block_sum *max, const void *context);

/* memcpy by all threads. */
void blocks_copy(void *to, const void *from, size_t bytes);

#endif
