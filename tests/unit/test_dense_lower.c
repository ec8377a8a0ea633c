/* Dense blocks of a factor, against the textbook's loops. */
#include "particles/random.h"
#include "solvers/dense_lower.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>

static double *random_matrix(size_t n, uint64_t stream)
{
    double *a = calloc(n + 1, sizeof *a);
    for (uint64_t k = 0; k < n; k++)
        a[k] = 2.0 * random_uniform(5, stream, k, RANDOM_TEST) - 1.0;
    return a;
}

/* B B^T + p on the diagonal (m x m). */
static double *definite(size_t m)
{
    double *b = random_matrix(m * m, 1), *a = calloc(m * m, sizeof *a);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            for (size_t k = 0; k < m; k++)
                a[i + j * m] += b[i + k * m] * b[j + k * m];
            a[i + j * m] += i == j ? (double)m : 0.0;
        }
    free(b);
    return a;
}

/* Shapes below, at and beyond the sizes of blocks; transposed operands; what is outside stays. */
TEST(products_of_all_shapes)
{
    const size_t shape[][3] = {{1, 1, 1},     {8, 4, 7},      {9, 5, 130},
                               {130, 67, 65}, {257, 129, 33}, {64, 64, 300}};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        const size_t m = shape[s][0], n = shape[s][1], k = shape[s][2], ld = m + 3;
        double *a = random_matrix(m * k, 2), *b = random_matrix(n * k, 3);
        double *c = random_matrix(ld * n, 4), *old = random_matrix(ld * n, 4);
        dense_subtract(c, ld, m, n, k, (struct dense){a, 1, m}, (struct dense){b, k, 1});
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < ld; i++) {
                double expected = old[i + j * ld];
                for (size_t e = 0; e < k && i < m; e++)
                    expected -= a[i + e * m] * b[j * k + e];
                check_close(c[i + j * ld], expected, i < m ? 1e-13 * (double)k : 0.0, "entry");
            }
        free(a);
        free(b);
        free(c);
        free(old);
    }
}

TEST(products_below_the_diagonal)
{
    const size_t m = 400, n = 300, k = 70;
    double *a = random_matrix(m * k, 2), *c = random_matrix(m * n, 4);
    double *whole = random_matrix(m * n, 4);
    const struct dense operand = {a, 1, m};
    dense_subtract_lower(c, m, m, n, k, operand, operand);
    dense_subtract(whole, m, m, n, k, operand, operand);
    for (size_t j = 0; j < n; j++)
        check(!memcmp(c + j + j * m, whole + j + j * m, (m - j) * sizeof *c));
    free(a);
    free(c);
    free(whole);
}

/* With rows below, which are L21 = A21 L11^-T; p = m is the whole factor. */
TEST(factors_are_those_of_gsl)
{
    const size_t size[][2] = {{1, 1}, {5, 2}, {64, 64}, {90, 65}, {200, 129}, {260, 260}};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
        const size_t m = size[s][0], p = size[s][1];
        double *a = definite(m);
        gsl_matrix *expected = gsl_matrix_alloc(m, m);
        for (size_t k = 0; k < m * m; k++)
            gsl_matrix_set(expected, k % m, k / m, a[k]);
        gsl_linalg_cholesky_decomp1(expected);
        check(dense_factor(a, m, m, p));
        for (size_t j = 0; j < p; j++)
            for (size_t i = j; i < m; i++)
                check_close(a[i + j * m], gsl_matrix_get(expected, i, j), 1e-12 * (double)m,
                            "entry");
        gsl_matrix_free(expected);
        free(a);
    }
}

/* T^-1 T = 1, and (B T^-1) T = B. */
TEST(panels_are_inverses)
{
    const size_t size[][2] = {{1, 1}, {5, 2}, {64, 64}, {90, 65}, {300, 200}};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
        const size_t m = size[s][0], p = size[s][1];
        double *a = definite(m), *inverse = calloc(p * p, sizeof *inverse);
        double *below = calloc((m - p) * p + 1, sizeof *below);
        check(dense_factor(a, m, m, p));
        dense_invert(a, m, m, p, inverse, below);
        for (size_t j = 0; j < p; j++)
            for (size_t i = 0; i < m; i++) {
                double sum = 0.0;
                for (size_t k = j; k < p; k++)
                    sum += (i < p ? inverse[i + k * p] : below[i - p + k * (m - p)]) * a[k + j * m];
                check_close(sum, i >= p ? a[i + j * m] : i == j ? 1.0 : 0.0, 1e-12, "product");
                check(i >= j || inverse[i + j * p] == 0.0);
            }
        free(a);
        free(inverse);
        free(below);
    }
}

TEST(pivots_that_are_not_positive_are_refused)
{
    for (size_t bad = 0; bad < 100; bad += 33) {
        double *a = definite(100);
        a[bad + bad * 100] = -1.0;
        check(!dense_factor(a, 100, 100, 100));
        a[bad + bad * 100] = (double)NAN;
        check(!dense_factor(a, 100, 100, 100));
        free(a);
    }
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    const size_t m = 500, p = 300;
    double *first = definite(m), *a = definite(m);
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    check(dense_factor(first, m, m, p));
    for (int threads = 2; threads < 5; threads++) {
        double *again = calloc(m * m, sizeof *again);
        memcpy(again, a, m * m * sizeof *a);
        omp_set_num_threads(threads);
        check(dense_factor(again, m, m, p));
        for (size_t j = 0; j < p; j++)
            check(!memcmp(again + j + j * m, first + j + j * m, (m - j) * sizeof *a));
        free(again);
    }
    omp_set_num_threads(before);
    free(first);
    free(a);
}
