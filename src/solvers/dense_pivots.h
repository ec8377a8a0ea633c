/* A few pivots of a dense lower triangular matrix, which are factored and inverted without further
 * blocks, in copies that fit into the first cache. Every entry takes its products one after the
 * other, in the order of columns. Part of dense_lower.c. */
#ifndef SOLVERS_DENSE_PIVOTS_H
#define SOLVERS_DENSE_PIVOTS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

enum { PIVOTS = 64 };

/* Entry (i, k) is at[i + k PIVOTS]. Of a triangle, what is above the diagonal means nothing. */
struct pivots {
    alignas(64) double at[PIVOTS * PIVOTS];
};

/* Copies the lower triangle of a (p x p, leading dimension ld; p at most PIVOTS). */
void pivots_take(struct pivots *t, const double *a, size_t ld, size_t p);

/* Replaces a matrix (p x p) by its Cholesky factor. False if a pivot is not positive. */
bool pivots_factor(struct pivots *t, size_t p);

/* inverse = T^-1 (p x p), with zeros above the diagonal. */
void pivots_invert(const struct pivots *t, size_t p, struct pivots *inverse);

#endif
