#include "base/modes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static enum status modes_create(struct modes *modes, size_t n, size_t first, struct error *error)
{
    *modes = (struct modes){.n = n, .first = first};
    return array_create(&modes->wave, n * n, sizeof *modes->wave, "standing waves", error);
}

/* pi times a fraction, by its part within one period: large multiples cost no digits. */
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

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void modes_expand(const struct modes *x, const struct modes *y, const double *value,
                  double *scratch, double *coefficient)
{
    size_t nx = x->n, ny = y->n;
    for (size_t r = 0; r < ny; r++)
        for (size_t k = 0; k < nx; k++)
            scratch[r * nx + k] = dot(nx, &value[r * nx], &x->wave[k * nx]);
    memset(coefficient, 0, nx * ny * sizeof *coefficient);
    for (size_t l = 0; l < ny; l++)
        for (size_t r = 0; r < ny; r++) {
            double wave = y->wave[l * ny + r];
            for (size_t k = 0; k < nx; k++)
                coefficient[l * nx + k] += wave * scratch[r * nx + k];
        }
}
