/* Incomplete factors L D L^T of a symmetric positive semidefinite sparse matrix, where L has
 * entries only where the matrix has some (Meijerink and van der Vorst, Math. Comput. 31, 1977):
 * preconditioners that carry an impulse along a whole chain of rows in one application. The code is
 * serial. No choice depends on rounding, except that pivots are raised to INCOMPLETE_LEAST_PIVOT,
 * because the matrix may be singular. */
#ifndef SOLVERS_INCOMPLETE_FACTOR_H
#define SOLVERS_INCOMPLETE_FACTOR_H

#include "base/error.h"
#include "base/sparse_rows.h"

#define INCOMPLETE_LEAST_PIVOT 0.05

/* An empty factor is {0}; its arrays only grow. Release with incomplete_factor_free. */
struct incomplete_factor {
    size_t n;
    size_t *start;    /* where the rows of L begin, without their diagonal, which is 1 (n + 1) */
    uint32_t *column; /* ascending in each row (start[n]) */
    double *value;    /* (start[n]) */
    double *pivot;    /* D (n) */
    double *work;     /* scratch (n) */
    size_t start_capacity, column_capacity, value_capacity, pivot_capacity, work_capacity;
};

void incomplete_factor_free(struct incomplete_factor *f);

/* Factors `a`, whose diagonal is 1 and is not read. */
enum status incomplete_factor_of(struct incomplete_factor *f, const struct sparse_rows *a,
                                 struct error *error);

/* z = (L D L^T)^-1 r in the rows from `first` to before `end`, which no entry couples with others,
 * with only those rows and columns of L that are kept; z is zero in the others of these rows. The
 * arrays are of all rows (n). */
void incomplete_factor_solve(const struct incomplete_factor *f, size_t first, size_t end,
                             const uint8_t *kept, const double *r, double *z);

#endif
