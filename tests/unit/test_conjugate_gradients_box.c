/* The general solver: Poisson's equation in a closed box, and long chains in several threads. */
#include "cg_solves.h"

#include <omp.h>

/* ---- Poisson's equation in a closed box: singular, b in its range ---- */

enum { EDGE = 16, CELLS = EDGE * EDGE * EDGE };

struct box {
    double pivot[CELLS]; /* 1 / the diagonal of the incomplete factor */
};

static size_t stride(int axis)
{
    return axis == 0 ? 1 : axis == 1 ? EDGE : EDGE * EDGE;
}

static bool has_lower(size_t cell, int axis)
{
    return cell / stride(axis) % EDGE > 0;
}

static bool has_upper(size_t cell, int axis)
{
    return cell / stride(axis) % EDGE < EDGE - 1;
}

static void apply_box(void *context, const double *x, double *y)
{
    (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        y[i] = 0.0;
        for (int a = 0; a < 3; a++) {
            if (has_lower(i, a))
                y[i] += x[i] - x[i - stride(a)];
            if (has_upper(i, a))
                y[i] += x[i] - x[i + stride(a)];
        }
    }
}

/* Incomplete Cholesky without fill: L has the entries of A below the diagonal, -1 each, over the
 * pivots (Bridson, "Fluid simulation for computer graphics", 2nd edition, Section 5.4). */
static void factorize(struct box *box)
{
    for (size_t i = 0; i < CELLS; i++) {
        double diagonal = 0.0;
        for (int a = 0; a < 3; a++) {
            diagonal += has_lower(i, a) + has_upper(i, a);
            if (has_lower(i, a))
                diagonal -= pow(box->pivot[i - stride(a)], 2.0);
        }
        box->pivot[i] = 1.0 / sqrt(diagonal);
    }
}

static void incomplete_cholesky(void *context, const double *r, double *z)
{
    const struct box *box = context;
    for (size_t i = 0; i < CELLS; i++) {
        double t = r[i];
        for (int a = 0; a < 3; a++)
            if (has_lower(i, a))
                t += box->pivot[i - stride(a)] * z[i - stride(a)];
        z[i] = t * box->pivot[i];
    }
    for (size_t i = CELLS; i-- > 0;) {
        double t = z[i];
        for (int a = 0; a < 3; a++)
            if (has_upper(i, a))
                t += box->pivot[i] * z[i + stride(a)];
        z[i] = t * box->pivot[i];
    }
}

static double mean_of(const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < CELLS; i++)
        sum += x[i];
    return sum / CELLS;
}

TEST(the_pressure_in_a_closed_box_with_incomplete_cholesky)
{
    static struct box box;
    static double expected[CELLS], b[CELLS], x[CELLS];
    size_t iterations[2];
    factorize(&box);
    for (size_t i = 0; i < CELLS; i++)
        expected[i] = draw(11, i);
    apply_box(NULL, expected, b);
    for (int preconditioned = 0; preconditioned < 2; preconditioned++) {
        struct cg_report report;
        struct error error = {0};
        const struct linear_operator A = {.n = CELLS,
                                          .width = 1,
                                          .context = &box,
                                          .apply = apply_box,
                                          .precondition =
                                              preconditioned ? incomplete_cholesky : NULL};
        memset(x, 0, sizeof x);
        check_equal(solve(&A, b, x, 1e-10, 1000, &report, &error), STATUS_OK, "status");
        double shift = mean_of(x) - mean_of(expected), worst = 0.0;
        for (size_t i = 0; i < CELLS; i++)
            worst = fmax(worst, fabs(x[i] - shift - expected[i]));
        check_close(worst, 0.0, 1e-6, "solution, but for a constant");
        iterations[preconditioned] = report.iterations;
    }
    printf("# %zu iterations, %zu with incomplete Cholesky\n", iterations[0], iterations[1]);
    check(2 * iterations[1] < iterations[0]);
}

/* A chain of springs on soft ground, over several blocks of sums. */
static void apply_chain(void *context, const double *x, double *y)
{
    size_t n = *(const size_t *)context;
    for (size_t i = 0; i < n; i++)
        y[i] = 2.1 * x[i] - (i > 0 ? x[i - 1] : 0.0) - (i + 1 < n ? x[i + 1] : 0.0);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    size_t n = 20000;
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), *first = calloc(n, sizeof *first);
    for (size_t k = 0; k < n; k++)
        b[k] = draw(12, k);
    const int threads[] = {1, 2, 3, 4, 7, 1};
    int before = omp_get_max_threads();
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        struct cg_report report;
        struct error error = {0};
        const struct linear_operator A = {.n = n, .width = 1, .context = &n, .apply = apply_chain};
        omp_set_num_threads(threads[t]);
        memset(x, 0, n * sizeof *x);
        check_equal(solve(&A, b, x, 1e-9, 1000, &report, &error), STATUS_OK, "status");
        check(report.iterations > 10);
        if (t == 0)
            memcpy(first, x, n * sizeof *x);
        check(memcmp(first, x, n * sizeof *x) == 0);
    }
    omp_set_num_threads(before);
    free(b);
    free(x);
    free(first);
}
