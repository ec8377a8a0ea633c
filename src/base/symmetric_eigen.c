#include "base/symmetric_eigen.h"

#include <gsl/gsl_eigen.h>

/* GSL's workspace is a struct of arrays, which lie on the stack here, so that no allocation can
 * fail. */
void symmetric_eigen(size_t n, double *a, double *value, double *vector)
{
    double diagonal[SYMMETRIC_EIGEN_MOST], beside[SYMMETRIC_EIGEN_MOST];
    double cosine[SYMMETRIC_EIGEN_MOST], sine[SYMMETRIC_EIGEN_MOST];
    gsl_eigen_symmv_workspace work = {n, diagonal, beside, cosine, sine};
    gsl_matrix_view matrix = gsl_matrix_view_array(a, n, n);
    gsl_matrix_view vectors = gsl_matrix_view_array(vector, n, n);
    gsl_vector_view values = gsl_vector_view_array(value, n);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, &work);
}
