/* A symmetric sparse matrix, row by row, as plain data: its builder owns the arrays, solvers only
 * read them. */
#ifndef BASE_SPARSE_ROWS_H
#define BASE_SPARSE_ROWS_H

#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

/* Entries beside the diagonal of row k: column[e] and value[e] for start[k] <= e < start[k + 1],
 * both (k, l) and (l, k), in any order. Entries of one column add up. */
struct sparse_rows {
    size_t n;
    size_t *start;    /* (n + 1) */
    uint32_t *column; /* (start[n]) */
    double *value;    /* (start[n]) */
    double *diagonal; /* (n) */
};

/* Row k times x, (n). */
static inline double sparse_rows_times(const struct sparse_rows *a, size_t k, const double *x)
{
    double sum = a->diagonal[k] * x[k];
    for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
        sum += a->value[e] * x[a->column[e]];
    return sum;
}

/* Row k times each component of x (n). */
static inline struct vec3 sparse_rows_times_vec3(const struct sparse_rows *a, size_t k,
                                                 const struct vec3 *x)
{
    struct vec3 sum = vec3_scale(a->diagonal[k], x[k]);
    for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
        sum = vec3_axpy(sum, a->value[e], x[a->column[e]]);
    return sum;
}

#endif
