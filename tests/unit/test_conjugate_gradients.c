/* The general solver: dense systems against Cholesky, and what it refuses. */
#include "cg_solves.h"
#include "failing_memory.h"

#include <gsl/gsl_linalg.h>

/* ---- dense systems ---- */

/* A dense matrix over n entries of some width; rows and columns of held entries are zero. */
struct dense {
    struct linear_operator A;
    gsl_matrix *matrix;
    uint8_t *mask;
};

static void apply_dense(void *context, const double *x, double *y)
{
    const struct dense *d = context;
    for (size_t i = 0; i < d->A.n * d->A.width; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < d->A.n * d->A.width; j++)
            y[i] += gsl_matrix_get(d->matrix, i, j) * x[j];
    }
}

static void jacobi(void *context, const double *r, double *z)
{
    const struct dense *d = context;
    for (size_t i = 0; i < d->A.n * d->A.width; i++) {
        double diagonal = gsl_matrix_get(d->matrix, i, i);
        z[i] = diagonal > 0.0 ? r[i] / diagonal : 0.0;
    }
}

/* B^T B + I, scaled by three orders of magnitude from the first to the last unknown; every fifth
 * entry is held. */
static void dense_create(struct dense *d, size_t n, size_t width, uint64_t seed)
{
    size_t size = n * width;
    *d = (struct dense){.matrix = gsl_matrix_alloc(size, size), .mask = calloc(n, 1)};
    for (size_t i = 0; i < n; i++)
        d->mask[i] = i % 5 != 4;
    gsl_matrix *root = gsl_matrix_alloc(size, size);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            gsl_matrix_set(root, i, j, draw(seed, i * size + j));
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, root, root, 0.0, d->matrix);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            double scale = pow(10.0, -1.5 * (double)(i + j) / (double)size);
            double entry = scale * (gsl_matrix_get(d->matrix, i, j) + (i == j));
            bool held = !d->mask[i / width] || !d->mask[j / width];
            gsl_matrix_set(d->matrix, i, j, held ? 0.0 : entry);
        }
    gsl_matrix_free(root);
    d->A = (struct linear_operator){.n = n,
                                    .width = width,
                                    .context = d,
                                    .apply = apply_dense,
                                    .precondition = jacobi,
                                    .mask = d->mask};
}

static void dense_free(struct dense *d)
{
    gsl_matrix_free(d->matrix);
    free(d->mask);
}

/* By Cholesky's factorization, with ones on the diagonal of what is held. */
static void dense_solve(const struct dense *d, const double *b, double *x)
{
    size_t size = d->A.n * d->A.width;
    gsl_matrix *factor = gsl_matrix_alloc(size, size);
    gsl_matrix_memcpy(factor, d->matrix);
    for (size_t i = 0; i < size; i++)
        if (!d->mask[i / d->A.width])
            gsl_matrix_set(factor, i, i, 1.0);
    gsl_vector_const_view right = gsl_vector_const_view_array(b, size);
    gsl_vector_view solution = gsl_vector_view_array(x, size);
    gsl_linalg_cholesky_decomp1(factor);
    gsl_linalg_cholesky_solve(factor, &right.vector, &solution.vector);
    gsl_matrix_free(factor);
}

enum { LARGEST = 120 };

static void right_side(const struct dense *d, uint64_t seed, double *b)
{
    for (size_t k = 0; k < d->A.n * d->A.width; k++)
        b[k] = d->mask[k / d->A.width] ? draw(seed + 1000, k) : 0.0;
}

TEST(the_solution_is_that_of_a_dense_factorization)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t width = seed % 2 ? 3 : 1, n = 1 + seed;
        struct dense d;
        double b[LARGEST], x[LARGEST] = {0}, expected[LARGEST];
        struct cg_report report;
        struct error error = {0};
        dense_create(&d, n, width, seed);
        right_side(&d, seed, b);
        dense_solve(&d, b, expected);
        if (seed % 4 < 2)
            d.A.precondition = NULL;
        for (size_t k = 0; k < n * width; k++) /* a guess that is wrong */
            x[k] = d.mask[k / width] ? 1e-3 * draw(seed + 2000, k) : 0.0;
        check_equal(solve(&d.A, b, x, 1e-12, 10000, &report, &error), STATUS_OK, "status");
        check(report.residual <= 1e-12);
        for (size_t k = 0; k < n * width; k++) {
            check_close(x[k], expected[k], 1e-8 * (1.0 + fabs(expected[k])), "solution");
            check(d.mask[k / width] || x[k] == 0.0);
        }
        dense_free(&d);
    }
}

static void jacobi_and_apply(void *context, const double *r, double *z, double *w)
{
    jacobi(context, r, z);
    apply_dense(context, z, w);
}

/* A product that comes with the preconditioner takes the place of the other. */
TEST(a_product_may_come_with_the_preconditioner)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct dense d;
        double b[LARGEST], x[2][LARGEST] = {{0}};
        struct cg_report report[2];
        struct error error = {0};
        dense_create(&d, 1 + 2 * seed, seed % 2 ? 3 : 1, seed);
        right_side(&d, seed, b);
        for (int together = 0; together < 2; together++) {
            d.A.precondition_and_apply = together ? jacobi_and_apply : NULL;
            check_equal(solve(&d.A, b, x[together], 1e-10, 10000, &report[together], &error),
                        STATUS_OK, error.message);
        }
        check(labs((long)report[0].iterations - (long)report[1].iterations) <= 1);
        for (size_t k = 0; k < d.A.n * d.A.width; k++)
            check_close(x[1][k], x[0][k], 1e-7 * (1.0 + fabs(x[0][k])), "solution");
        dense_free(&d);
    }
}

TEST(what_is_masked_does_not_count)
{
    struct dense d;
    double b[LARGEST], x[LARGEST] = {0}, expected[LARGEST];
    struct cg_report report;
    struct error error = {0};
    dense_create(&d, 30, 1, 3);
    right_side(&d, 3, b);
    dense_solve(&d, b, expected);
    for (size_t i = 0; i < 30; i++) /* no equation: it must not keep the solver from its end */
        b[i] = d.mask[i] ? b[i] : 1e6;
    struct cg_workspace work;
    check_equal(cg_workspace_create(&work, 30, 1, &error), STATUS_OK, "workspace");
    check_equal(cg_solve(&d.A, b, x, 1e-12, 1000, &work, &report, &error), STATUS_OK, "status");
    cg_workspace_free(&work);
    for (size_t i = 0; i < 30; i++)
        check_close(x[i], d.mask[i] ? expected[i] : 0.0, 1e-8 * (1.0 + fabs(expected[i])), "x");
    dense_free(&d);
}

/* I + u u^T + 3 v v^T, u and v orthogonal unit vectors: eigenvalues 1, 2 and 4. */
static void apply_three_eigenvalues(void *context, const double *x, double *y)
{
    size_t n = *(const size_t *)context;
    double u = 0.0, v = 0.0;
    for (size_t i = 0; i < n; i++) {
        u += x[i];
        v += i % 2 ? x[i] : -x[i];
    }
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + (u + 3.0 * (i % 2 ? v : -v)) / (double)n;
}

TEST(as_many_iterations_as_different_eigenvalues)
{
    size_t n = 100;
    double b[100], x[100] = {0};
    for (size_t i = 0; i < n; i++)
        b[i] = draw(4, i);
    const struct linear_operator A = {
        .n = n, .width = 1, .context = &n, .apply = apply_three_eigenvalues};
    struct cg_report report;
    struct error error = {0};
    check_equal(solve(&A, b, x, 1e-12, 10, &report, &error), STATUS_OK, "status");
    check_equal(report.iterations, 3, "iterations");
}

TEST(a_guess_that_solves_it_needs_no_iteration)
{
    struct dense d;
    double b[LARGEST], x[LARGEST], guess[LARGEST];
    struct cg_report report;
    struct error error = {0};
    dense_create(&d, 20, 3, 5);
    right_side(&d, 5, b);
    dense_solve(&d, b, x);
    memcpy(guess, x, sizeof x);
    check_equal(solve(&d.A, b, x, 1e-10, 100, &report, &error), STATUS_OK, "status");
    check_equal(report.iterations, 0, "iterations");
    check(memcmp(guess, x, 60 * sizeof *x) == 0);
    dense_free(&d);
}

/* Rounding errors of a huge guess would stay in the solution; for b = 0 there is no scale at all.
 */
TEST(a_guess_far_too_large_is_no_harm)
{
    for (int no_force = 0; no_force < 2; no_force++) {
        struct dense d;
        double b[LARGEST], x[LARGEST], expected[LARGEST];
        struct cg_report report;
        struct error error = {0};
        dense_create(&d, 20, 1, 6);
        right_side(&d, 6, b);
        for (size_t i = 0; i < 20; i++) {
            b[i] *= !no_force;
            x[i] = d.mask[i] ? 1e12 * draw(7, i) : 0.0;
        }
        dense_solve(&d, b, expected);
        check_equal(solve(&d.A, b, x, 1e-12, 1000, &report, &error), STATUS_OK, "status");
        for (size_t i = 0; i < 20; i++)
            check_close(x[i], expected[i], 1e-8 * !no_force * (1.0 + fabs(expected[i])), "x");
        check(!no_force || (report.iterations == 0 && report.residual == 0.0));
        dense_free(&d);
    }
}

/* ---- three right sides ---- */

/* The scalar matrix of `context`, for each of three components. */
static void apply_to_each(void *context, const double *x, double *y)
{
    const struct dense *d = context;
    for (size_t i = 0; i < d->A.n; i++)
        for (size_t c = 0; c < 3; c++) {
            y[3 * i + c] = 0.0;
            for (size_t j = 0; j < d->A.n; j++)
                y[3 * i + c] += gsl_matrix_get(d->matrix, i, j) * x[3 * j + c];
        }
}

TEST(three_right_sides_that_share_a_matrix)
{
    enum { N = 25 };
    struct dense d;
    double b[3 * N], x[3 * N] = {0};
    struct cg_report report;
    struct error error = {0};
    dense_create(&d, N, 1, 8);
    for (size_t k = 0; k < 3 * N; k++)
        b[k] = d.mask[k / 3] ? draw(9, k) : 0.0;
    const struct linear_operator A = {
        .n = N, .width = 3, .context = &d, .apply = apply_to_each, .mask = d.mask};
    check_equal(solve(&A, b, x, 1e-12, 1000, &report, &error), STATUS_OK, "status");
    for (size_t c = 0; c < 3; c++) {
        double own[N], expected[N];
        for (size_t i = 0; i < N; i++)
            own[i] = b[3 * i + c];
        dense_solve(&d, own, expected);
        for (size_t i = 0; i < N; i++)
            check_close(x[3 * i + c], expected[i], 1e-8 * (1.0 + fabs(expected[i])), "x");
    }
    dense_free(&d);
}

/* ---- failures ---- */

TEST(too_few_iterations_fail_loudly)
{
    struct dense d;
    double b[LARGEST], x[LARGEST] = {0};
    struct cg_report report;
    struct error error = {0};
    dense_create(&d, 50, 1, 13);
    right_side(&d, 13, b);
    check_equal(solve(&d.A, b, x, 1e-12, 3, &report, &error), STATUS_FAILED, "status");
    check_contains(error.message, "after 3 iterations");
    b[0] = (double)NAN;
    memset(x, 0, sizeof x);
    check_equal(solve(&d.A, b, x, 1e-12, 1000, &report, &error), STATUS_FAILED, "status for NaN");
    check_contains(error.message, "not finite after 0 iterations");
    dense_free(&d);
}

static void apply_negative(void *context, const double *x, double *y)
{
    size_t n = *(const size_t *)context;
    for (size_t i = 0; i < n; i++)
        y[i] = i == 7 ? -x[i] : x[i];
}

static void apply_identity(void *context, const double *x, double *y)
{
    size_t n = *(const size_t *)context;
    memcpy(y, x, n * sizeof *y);
}

TEST(what_is_not_positive_definite_fails_loudly)
{
    size_t n = 10;
    double b[10] = {0}, x[10];
    b[7] = 1.0;
    const struct linear_operator indefinite[] = {
        {.n = n, .width = 1, .context = &n, .apply = apply_negative},
        {.n = n,
         .width = 1,
         .context = &n,
         .apply = apply_identity,
         .precondition = apply_negative}};
    for (int k = 0; k < 2; k++) {
        struct cg_report report;
        struct error error = {0};
        memset(x, 0, sizeof x);
        check_equal(solve(&indefinite[k], b, x, 1e-12, 100, &report, &error), STATUS_FAILED,
                    "status");
        check_contains(error.message, "not positive definite after 0 iterations");
    }
}

TEST(the_workspace_survives_every_failed_allocation)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct cg_workspace work;
        memory.status = cg_workspace_create(&work, 3000, 3, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(work.residual == NULL && work.image == NULL);
        else
            cg_workspace_free(&work);
    }
    check_equal(memory.n, 5, "allocations");
}
