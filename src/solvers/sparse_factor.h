/* Factors L D L^T of a part of a symmetric positive definite sparse matrix, by the up-looking
 * method of Davis ("Algorithm 849: a concise sparse Cholesky factorization package", ACM TOMS 31,
 * 2005). The code is serial, and no choice depends on values, so that equal matrices have equal
 * factors to the bit. */
#ifndef SOLVERS_SPARSE_FACTOR_H
#define SOLVERS_SPARSE_FACTOR_H

#include "base/error.h"
#include "base/lanes.h"
#include "base/sparse_rows.h"

/* The place of a row that is not in the part. */
#define SPARSE_NOWHERE UINT32_MAX

/* An empty factor is {0}; its arrays only grow. Release with sparse_factor_free. */
struct sparse_factor {
    size_t n;          /* rows of the part */
    size_t *start;     /* where the columns of L begin (n + 1) */
    uint32_t *row;     /* row of each entry of L (start[n]) */
    double *value;     /* (start[n]) */
    double *diagonal;  /* D (n) */
    uint32_t *parent;  /* parents in the elimination tree (n) */
    uint32_t *visited; /* scratch: the last row whose pattern reached this one (n) */
    uint32_t *pattern; /* scratch (n) */
    size_t *filled;    /* number of entries of each column so far (n) */
    double *work;      /* scratch (n) */
    size_t capacity, row_capacity, value_capacity;
    size_t start_capacity, diagonal_capacity, visited_capacity, pattern_capacity, filled_capacity,
        work_capacity;
};

void sparse_factor_free(struct sparse_factor *f);

/* Factors the rows and columns part[0..n-1] of `a`, eliminated in this order, with each diagonal
 * entry larger by the fraction `more`. place[part[k]] must be k, and SPARSE_NOWHERE for all other
 * rows (a->n). A pivot that is not positive is STATUS_FAILED. */
enum status sparse_factor_of(struct sparse_factor *f, const struct sparse_rows *a, size_t n,
                             const uint32_t *part, const uint32_t *place, double more,
                             struct error *error);

/* x = A^-1 x (n). */
void sparse_factor_solve(const struct sparse_factor *f, double *x);
/* The same for four right sides at once. */
void sparse_factor_solve_lanes(const struct sparse_factor *f, lanes *x);

#endif
