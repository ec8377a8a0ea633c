/* Compares the prefactored solver with dense Cholesky, right side by right side, and tests its
 * errors. */
#include "failing_memory.h"
#include "particles/random.h"
#include "solvers/prefactored.h"
#include "sparse_blocks.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>
#include <sys/resource.h>

static double draw(uint64_t stream, uint64_t index)
{
    return 2.0 * random_uniform(3, stream, index, RANDOM_TEST) - 1.0;
}

static struct vec3 *right_sides(size_t n)
{
    struct vec3 *b = calloc(n + 1, sizeof *b);
    for (size_t k = 0; k < n; k++)
        b[k] = vec3(draw(1, k), 100.0 * draw(2, k), 1e-3 * draw(3, k));
    return b;
}

/* Creates a plan and a factor, or returns the failure of either. */
static enum status factor_create(struct prefactored_plan **plan, struct prefactored **factor,
                                 const struct sparse_rows *a, struct error *error)
{
    *factor = NULL;
    enum status status = prefactored_plan_create(plan, a, error);
    return status ? status : prefactored_create(factor, *plan, a, error);
}

static void factor_free(struct prefactored_plan *plan, struct prefactored *factor)
{
    prefactored_free(factor);
    prefactored_plan_free(plan);
}

static double part(struct vec3 v, int c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

/* |x - A^-1 b| / |A^-1 b|, the largest of the three right sides, by dense Cholesky. */
static double difference_from_dense(const struct sparse_rows *a, const struct vec3 *b,
                                    const struct vec3 *x)
{
    gsl_matrix *dense = sparse_block_dense(a);
    gsl_vector *own = gsl_vector_alloc(a->n);
    double worst = 0.0;
    check_equal(gsl_linalg_cholesky_decomp1(dense), 0, "dense factor");
    for (int c = 0; c < 3; c++) {
        double off = 0.0, size = 0.0;
        for (size_t k = 0; k < a->n; k++)
            gsl_vector_set(own, k, part(b[k], c));
        gsl_linalg_cholesky_svx(dense, own);
        for (size_t k = 0; k < a->n; k++) {
            off += pow(part(x[k], c) - gsl_vector_get(own, k), 2.0);
            size += pow(gsl_vector_get(own, k), 2.0);
        }
        worst = worse(worst, sqrt(off / size));
    }
    gsl_vector_free(own);
    gsl_matrix_free(dense);
    return worst;
}

static double residual(const struct sparse_rows *a, const struct vec3 *b, const struct vec3 *x)
{
    double left = 0.0, whole = 0.0;
    for (size_t k = 0; k < a->n; k++) {
        left += vec3_norm2(vec3_sub(b[k], sparse_rows_times_vec3(a, k, x)));
        whole += vec3_norm2(b[k]);
    }
    return sqrt(left / whole);
}

/* With stiff couplings the error of single precision is larger by the condition. */
TEST(solutions_are_those_of_dense_cholesky)
{
    const size_t edge[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 3, 3}, {9, 7, 5}, {16, 6, 6}, {60, 3, 3}};
    for (size_t s = 0; s < sizeof edge / sizeof *edge; s++) {
        struct sparse_rows a = sparse_block(edge[s], 2, 1.0, s);
        struct vec3 *b = right_sides(a.n), *x = right_sides(a.n);
        struct prefactored_plan *plan;
        struct prefactored *factor;
        struct error error = {0};
        check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
        prefactored_solve(factor, b, x);
        check_close(difference_from_dense(&a, b, x), 0.0, 1e-5, "in single precision");
        factor_free(plan, factor);
        sparse_block_free(&a);
        free(b);
        free(x);
    }
}

/* As for a body of a thousand particles; the claim of the header. */
TEST(the_residual_of_one_solution)
{
    double most = 0.0;
    for (int stiff = 0; stiff < 2; stiff++) {
        struct sparse_rows a = sparse_block((size_t[]){14, 12, 10}, 2, stiff ? 100.0 : 1.0, 7);
        struct vec3 *b = right_sides(a.n), *x = right_sides(a.n);
        struct prefactored_plan *plan;
        struct prefactored *factor;
        struct error error = {0};
        check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
        prefactored_solve(factor, b, x);
        double left = residual(&a, b, x);
        most = worse(most, left);
        check_close(left, 0.0, 1e-6, "residual");
        prefactored_solve(factor, b, b);
        check(!memcmp(x, b, a.n * sizeof *x));
        factor_free(plan, factor);
        sparse_block_free(&a);
        free(b);
        free(x);
    }
    measured("C78.residual", most);
}

/* Right sides from smooth to rough, and one of a single entry. */
static void choose_right_side(size_t n, int kind, struct vec3 *b)
{
    for (size_t k = 0; k < n; k++) {
        const double wave = cos(0.003 * pow(5.0, kind) * (double)k);
        b[k] = kind == 5   ? vec3(draw(1, k), draw(2, k), draw(3, k))
               : kind == 6 ? vec3(k == n / 2, k == n / 3, 0.0)
                           : vec3(wave, 1.0 + 0.1 * wave, -wave);
    }
}

TEST(a_factor_is_as_accurate_as_it_says)
{
    for (double stiff = 1.0; stiff < 1e5; stiff *= 10.0) {
        struct sparse_rows a = sparse_block((size_t[]){14, 12, 10}, 2, stiff, 7);
        struct vec3 *b = right_sides(a.n), *x = right_sides(a.n);
        struct prefactored_plan *plan;
        struct prefactored *factor;
        struct error error = {0};
        double most = 0.0;
        check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
        const double accuracy = prefactored_accuracy(factor, &a);
        for (int kind = 0; kind <= 6; kind++) {
            choose_right_side(a.n, kind, b);
            prefactored_solve(factor, b, x);
            most = worse(most, residual(&a, b, x));
        }
        printf("# stiffness %g: %.1e is left, at most %.1e was said\n", stiff, most, accuracy);
        check(most <= accuracy && accuracy < 10.0 * most);
        factor_free(plan, factor);
        sparse_block_free(&a);
        free(b);
        free(x);
    }
}

/* Steps of several lengths share a plan. */
TEST(one_plan_serves_matrices_of_one_pattern)
{
    struct sparse_rows a = sparse_block((size_t[]){8, 7, 6}, 2, 1.0, 1);
    struct sparse_rows other = sparse_block((size_t[]){8, 7, 6}, 2, 0.25, 1);
    struct vec3 *b = right_sides(a.n), *x = right_sides(a.n);
    struct prefactored_plan *plan;
    struct prefactored *factor, *second;
    struct error error = {0};
    check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
    check_equal(prefactored_create(&second, plan, &other, &error), STATUS_OK, error.message);
    prefactored_solve(second, b, x);
    check_close(residual(&other, b, x), 0.0, 1e-6, "residual of the second");
    prefactored_solve(factor, b, x);
    check_close(residual(&a, b, x), 0.0, 1e-6, "residual of the first");
    prefactored_free(second);
    factor_free(plan, factor);
    sparse_block_free(&a);
    sparse_block_free(&other);
    free(b);
    free(x);
}

/* Rows that are coupled to none, and parts that are not coupled to each other. */
TEST(parts_and_single_rows)
{
    struct sparse_rows a = sparse_block((size_t[]){12, 5, 5}, 2, 1.0, 2);
    sparse_block_cut(&a, 130, 170);
    struct vec3 *b = right_sides(a.n), *x = right_sides(a.n);
    struct prefactored_plan *plan;
    struct prefactored *factor;
    struct error error = {0};
    check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
    prefactored_solve(factor, b, x);
    check_close(difference_from_dense(&a, b, x), 0.0, 1e-5, "solution");
    factor_free(plan, factor);
    sparse_block_free(&a);
    free(b);
    free(x);
}

TEST(no_force_no_motion)
{
    struct sparse_rows a = sparse_block((size_t[]){5, 5, 5}, 2, 1.0, 3);
    struct vec3 *b = calloc(a.n, sizeof *b), *x = right_sides(a.n);
    struct prefactored_plan *plan;
    struct prefactored *factor;
    struct error error = {0};
    check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
    prefactored_solve(factor, b, x);
    for (size_t k = 0; k < a.n; k++)
        check(x[k].x == 0.0 && x[k].y == 0.0 && x[k].z == 0.0);
    factor_free(plan, factor);
    sparse_block_free(&a);
    free(b);
    free(x);
}

TEST(what_cannot_be_factored_fails_loudly)
{
    struct sparse_rows a = sparse_block((size_t[]){6, 6, 6}, 2, 1.0, 4);
    struct prefactored_plan *plan;
    struct prefactored *factor, *second;
    struct error error = {0};
    check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
    a.diagonal[100] = -1.0;
    check_equal(prefactored_create(&second, plan, &a, &error), STATUS_FAILED, "indefinite");
    check_contains(error.message, "not positive definite");
    check(second == NULL);
    a.diagonal[100] = (double)NAN;
    check_equal(prefactored_create(&second, plan, &a, &error), STATUS_FAILED, "not a number");
    check_contains(error.message, "not positive definite");
    factor_free(plan, factor);
    sparse_block_free(&a);
}

/* Of a chain, and of rows that are all coupled: known without any ordering. */
TEST(the_size_of_a_factor_is_known_before)
{
    for (int dense = 0; dense < 2; dense++) {
        const size_t n = dense ? 27 : 40;
        struct sparse_rows a =
            sparse_block(dense ? (size_t[]){3, 3, 3} : (size_t[]){40, 1, 1}, dense ? 2 : 1, 1.0, 1);
        struct prefactored_plan *plan;
        struct error error = {0};
        check_equal(prefactored_plan_create(&plan, &a, &error), STATUS_OK, error.message);
        const struct prefactored_need need = prefactored_need_of(plan);
        const double all = 0.5 * (double)(n * (n + 1));
        check(need.entries >= (dense ? all : 2.0 * (double)n - 1.0) && need.entries <= all);
        check(need.panel_bytes >= sizeof(float) * need.entries);
        check(need.panel_bytes < need.bytes && need.bytes < need.peak_bytes);
        prefactored_plan_free(plan);
        sparse_block_free(&a);
    }
}

TEST(a_factor_that_does_not_fit_is_refused_before)
{
    struct sparse_rows a = sparse_block((size_t[]){14, 13, 12}, 2, 1.0, 1);
    struct prefactored_plan *plan;
    struct prefactored *factor;
    struct rlimit limit, low;
    struct error error = {0};
    check_equal(prefactored_plan_create(&plan, &a, &error), STATUS_OK, error.message);
    check(prefactored_need_of(plan).peak_bytes > 2e6);
    check_equal(getrlimit(RLIMIT_AS, &limit), 0, "getrlimit");
    low = limit;
    low.rlim_cur = 1000000;
    check_equal(setrlimit(RLIMIT_AS, &low), 0, "setrlimit");
    check_equal(prefactored_create(&factor, plan, &a, &error), STATUS_FAILED, "status");
    check_equal(setrlimit(RLIMIT_AS, &limit), 0, "setrlimit");
    check(factor == NULL);
    check_contains(error.message, "a factor of 2184 rows, with");
    check_contains(error.message, "MB are available");
    check_equal(prefactored_create(&factor, plan, &a, &error), STATUS_OK, error.message);
    factor_free(plan, factor);
    sparse_block_free(&a);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    struct sparse_rows a = sparse_block((size_t[]){24, 12, 11}, 2, 1.0, 5);
    struct vec3 *b = right_sides(a.n), *x = right_sides(a.n), *first = right_sides(a.n);
    const int threads[] = {1, 2, 3, 4, 2, 1}, before = omp_get_max_threads();
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        struct prefactored_plan *plan;
        struct prefactored *factor;
        struct error error = {0};
        omp_set_num_threads(threads[t]);
        check_equal(factor_create(&plan, &factor, &a, &error), STATUS_OK, error.message);
        prefactored_solve(factor, b, t ? x : first);
        check(t == 0 || !memcmp(x, first, a.n * sizeof *x));
        omp_set_num_threads(threads[(t + 1) % (sizeof threads / sizeof *threads)]);
        prefactored_solve(factor, b, x);
        check(!memcmp(x, first, a.n * sizeof *x));
        factor_free(plan, factor);
    }
    omp_set_num_threads(before);
    sparse_block_free(&a);
    free(b);
    free(x);
    free(first);
}

TEST(every_failed_allocation_is_reported)
{
    struct sparse_rows a = sparse_block((size_t[]){8, 8, 8}, 2, 1.0, 6);
    omp_set_num_threads(1);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct prefactored_plan *plan;
        struct prefactored *factor;
        memory.status = factor_create(&plan, &factor, &a, &memory.error);
        memory_works(&memory);
        factor_free(plan, factor);
        if (memory.status)
            check(factor == NULL);
    }
    check(memory.n > 5);
    sparse_block_free(&a);
}
