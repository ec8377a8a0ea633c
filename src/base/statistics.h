/* Order statistics. */
#ifndef BASE_STATISTICS_H
#define BASE_STATISTICS_H

#include <stddef.h>

/* The 99.9th percentile by nearest rank: the smallest value that at least 99.9 % of the n values do
 * not exceed, hence always one of the values; the largest of fewer than 1000, the second largest of
 * 1000 ... 1999. NaN if any value is NaN, and for n = 0. Exact, O(n), no allocation; the values are
 * left in another order. */
double percentile_999(size_t n, double *value);

/* The value of the given rank, 1 (smallest) ... n, under the same conditions. */
double value_of_rank(size_t n, double *value, size_t rank);

#endif
