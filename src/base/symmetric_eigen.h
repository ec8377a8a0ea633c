/* Eigenvalues and eigenvectors of small symmetric matrices, by GSL without an allocation. */
#ifndef BASE_SYMMETRIC_EIGEN_H
#define BASE_SYMMETRIC_EIGEN_H

#include <stddef.h>

enum { SYMMETRIC_EIGEN_MOST = 4 };

/* a: n x n, by rows, of which the lower triangle is read; it is overwritten. value: n, in no order.
 * vector: n x n, by rows; column k has length 1 and belongs to value[k]. n is 1 to
 * SYMMETRIC_EIGEN_MOST. */
void symmetric_eigen(size_t n, double *a, double *value, double *vector);

#endif
