/* Expands values on a grid in standing waves. The modes are orthonormal in each direction, so that
 * the squares of the values and those of the coefficients have the same sum. */
#ifndef ANALYSIS_MODES_H
#define ANALYSIS_MODES_H

#include "base/error.h"

#include <stddef.h>

/* The waves of a row of n points, row by row (n x n). */
struct modes {
    size_t n;
    size_t first; /* half-waves of row 0; each next row has one more */
    double *wave; /* owned */
};

/* sqrt(2 / (n+1)) sin(pi k (i+1) / (n+1)), k = 1 ... n: zero one point before the first and one
 * after the last (discrete sine transform of type I). These are the modes of points between two
 * that are held. */
enum status modes_sine(struct modes *modes, size_t n, struct error *error);

/* sqrt(2 / n) cos(pi k (i + 1/2) / n), k = 0 ... n-1, and sqrt(1 / n) for k = 0: slope zero half a
 * point beyond the ends (type II). These are the modes of points none of which is held. */
enum status modes_cosine(struct modes *modes, size_t n, struct error *error);

void modes_free(struct modes *modes);

/* coefficient[l * x->n + k] = sum over rows r and columns c of value[r * x->n + c] times wave k of
 * x at c times wave l of y at r. All three hold x->n * y->n numbers and do not overlap. */
void modes_expand(const struct modes *x, const struct modes *y, const double *value,
                  double *scratch, double *coefficient);

#endif
