#include "analysis/modes.h"

#include "base/memory.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static enum status modes_create(struct modes *modes, size_t n, size_t first, struct error *error)
{
    *modes = (struct modes){.n = n, .first = first};
    return array_create(&modes->wave, n * n, sizeof *modes->wave, "standing waves", error);
}

/* pi times a fraction, reduced to one period first, so that large multiples lose no digits. */
static double angle(size_t numerator, size_t denominator)
{
    return pi * (double)(numerator % (2 * denominator)) / (double)denominator;
}

enum status modes_sine(struct modes *modes, size_t n, struct error *error)
{
    if (modes_create(modes, n, 1, error))
        return STATUS_FAILED;
    double size = sqrt(2.0 / (double)(n + 1));
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            modes->wave[k * n + i] = size * sin(angle((k + 1) * (i + 1), n + 1));
    return STATUS_OK;
}

enum status modes_cosine(struct modes *modes, size_t n, struct error *error)
{
    if (modes_create(modes, n, 0, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        double size = sqrt((k > 0 ? 2.0 : 1.0) / (double)n);
        for (size_t i = 0; i < n; i++)
            modes->wave[k * n + i] = size * cos(angle(k * (2 * i + 1), 2 * n));
    }
    return STATUS_OK;
}

void modes_free(struct modes *modes)
{
    free(modes->wave);
    *modes = (struct modes){0};
}

/* In matrices: C = Y V X^T, where V holds the values in y->n rows. */
void modes_expand(const struct modes *x, const struct modes *y, const double *value,
                  double *scratch, double *coefficient)
{
    size_t nx = x->n, ny = y->n;
    if (nx == 0 || ny == 0)
        return;
    gsl_matrix_const_view v = gsl_matrix_const_view_array(value, ny, nx);
    gsl_matrix_const_view waves_x = gsl_matrix_const_view_array(x->wave, nx, nx);
    gsl_matrix_const_view waves_y = gsl_matrix_const_view_array(y->wave, ny, ny);
    gsl_matrix_view along_x = gsl_matrix_view_array(scratch, ny, nx);
    gsl_matrix_view along_both = gsl_matrix_view_array(coefficient, ny, nx);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1.0, &v.matrix, &waves_x.matrix, 0.0, &along_x.matrix);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &waves_y.matrix, &along_x.matrix, 0.0,
                   &along_both.matrix);
}
