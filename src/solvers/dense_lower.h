/* Dense lower triangular matrices by columns, in blocks that fit into caches: the fronts of a
 * sparse factor consist of such blocks. Entry (i, k) of a matrix with leading dimension ld is at
 * a[i + k ld]; what is above the diagonal is not read, and may be overwritten. Products run in
 * parallel, unless the caller is parallel already; the bits do not depend on the number of
 * threads. */
#ifndef SOLVERS_DENSE_LOWER_H
#define SOLVERS_DENSE_LOWER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Entry (i, k) is at[i row + k column]. */
struct dense {
    const double *at;
    size_t row, column;
};

/* C -= A B^T, C (m x n), A (m x k) and B (n x k). */
void dense_subtract(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                    struct dense b);

/* Like dense_subtract, but only for the entries on and below the diagonal of C (m x n, m >= n).
 * Entries above it are changed, too, if they share a block with others. */
void dense_subtract_lower(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                          struct dense b);

/* Replaces the first p columns of a matrix, `a` (m x p, m >= p), by those of its Cholesky factor.
 * False if a pivot is not positive. */
bool dense_factor(double *a, size_t ld, size_t m, size_t p);

/* Inverts the panel `a` = [T; B] (m x p) of a factor: `inverse` (p x p, leading dimension p)
 * becomes T^-1, and `below` ((m - p) x p, leading dimension m - p) becomes B T^-1. Both must be 0
 * before. */
void dense_invert(const double *a, size_t ld, size_t m, size_t p, double *inverse, double *below);

#endif
