/* The build promises that a multiply and an add are rounded one after the other, and that sums are
 * added in the order written (docs/determinism.md): -ffp-contract=fast and -ffast-math give other
 * bits. */
#include "base/vec3.h"
#include "tap.h"

#include <float.h>

enum { N = 64 };

/* (1 + e)(1 - e) = 1 - e^2 rounds to 1; fused with - 1 it leaves - e^2. */
static const double e = 0x1p-30;

__attribute__((noinline)) static void add_products(size_t n, const double *x, const double *y,
                                                   double *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] += x[i] * y[i];
}

__attribute__((noinline)) static void add_scaled(size_t n, const double *x, const struct vec3 *y,
                                                 struct vec3 *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = vec3_axpy(z[i], x[i], y[i]);
}

__attribute__((noinline)) static double sum_of(size_t n, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

TEST(no_multiply_add_is_fused)
{
    double x[N], y[N], z[N];
    struct vec3 v[N], w[N];
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 + e;
        y[i] = 1.0 - e;
        z[i] = -1.0;
        v[i] = vec3(y[i], y[i], y[i]);
        w[i] = vec3(z[i], z[i], z[i]);
    }
    add_products(N, x, y, z);
    add_scaled(N, x, v, w);
    int fused = 0;
    for (int i = 0; i < N; i++)
        fused += z[i] < 0.0 || w[i].x < 0.0 || w[i].y < 0.0 || w[i].z < 0.0;
    check_equal(fused, 0, "entries with a fused multiply-add");
}

/* From the left, each half of a rounding unit is lost beside the 1; summed apart, they are not. */
TEST(no_sum_is_reassociated)
{
    double x[N] = {1.0};
    for (int i = 1; i < N; i++)
        x[i] = 0.5 * DBL_EPSILON;
    check_close(sum_of(N, x), 1.0, 0.0, "sum from the left");
}
