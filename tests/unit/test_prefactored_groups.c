/* Groups in a system that is factored once, against the dense matrix P^T A P + D. */
#include "base/memory.h"
#include "particles/random.h"
#include "solvers/prefactored_groups.h"
#include "sparse_blocks.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>

enum { LONG = 12, WIDE = 6, ROWS = LONG * WIDE * WIDE };

struct scene {
    struct sparse_rows a;
    struct prefactored_plan *plan;
    struct prefactored *factor;
    size_t n;
    uint32_t group[ROWS];
    double more[ROWS + 2];
    struct vec3 b[ROWS + 2], x[ROWS + 2];
};

/* Every row is a group of its own; the right side is random. */
static void scene_create(struct scene *s, double stiffness)
{
    struct error error = {0};
    s->a = sparse_block((size_t[]){WIDE, WIDE, LONG}, 2, stiffness, 3);
    check_equal(prefactored_plan_create(&s->plan, &s->a, &error), STATUS_OK, error.message);
    check_equal(prefactored_create(&s->factor, s->plan, &s->a, &error), STATUS_OK, error.message);
    s->n = ROWS;
    for (uint32_t i = 0; i < ROWS; i++)
        s->group[i] = i;
    memset(s->more, 0, sizeof s->more);
    for (uint64_t k = 0; k < ROWS + 2; k++)
        s->b[k] = vec3(random_uniform(4, 1, k, RANDOM_TEST) - 0.5,
                       random_uniform(4, 2, k, RANDOM_TEST) - 0.5,
                       10.0 * random_uniform(4, 3, k, RANDOM_TEST) - 5.0);
}

static void scene_free(struct scene *s)
{
    prefactored_free(s->factor);
    prefactored_plan_free(s->plan);
    sparse_block_free(&s->a);
}

/* From the guess that it makes; the number of iterations. */
static size_t solve(struct scene *s, double tolerance)
{
    struct prefactored_groups groups = {0};
    struct cg_report report;
    struct error error = {0};
    check_equal(prefactored_groups_set(&groups, s->factor, &s->a, s->n, s->group, s->more, &error),
                STATUS_OK, error.message);
    prefactored_groups_guess(&groups, s->b, s->x);
    check_equal(prefactored_groups_solve(&groups, s->b, tolerance, 200, s->x, &report, &error),
                STATUS_OK, error.message);
    check(report.residual <= tolerance);
    prefactored_groups_free(&groups);
    return report.iterations;
}

static gsl_matrix *dense_of(const struct scene *s)
{
    gsl_matrix *rows = sparse_block_dense(&s->a), *m = gsl_matrix_calloc(s->n, s->n);
    for (size_t k = 0; k < s->n; k++)
        gsl_matrix_set(m, k, k, s->more[k]);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < ROWS; j++)
            if (s->group[i] != PREFACTORED_GIVEN && s->group[j] != PREFACTORED_GIVEN)
                *gsl_matrix_ptr(m, s->group[i], s->group[j]) += gsl_matrix_get(rows, i, j);
    gsl_matrix_free(rows);
    return m;
}

static void check_dense(const struct scene *s, double tolerance)
{
    gsl_matrix *m = dense_of(s);
    gsl_vector *own = gsl_vector_alloc(s->n);
    check_equal(gsl_linalg_cholesky_decomp1(m), 0, "dense factor");
    double size = 0.0, off = 0.0;
    for (int c = 0; c < 3; c++) {
        for (size_t k = 0; k < s->n; k++)
            gsl_vector_set(own, k, c == 0 ? s->b[k].x : c == 1 ? s->b[k].y : s->b[k].z);
        gsl_linalg_cholesky_svx(m, own);
        for (size_t k = 0; k < s->n; k++) {
            double x = c == 0 ? s->x[k].x : c == 1 ? s->x[k].y : s->x[k].z;
            size += pow(gsl_vector_get(own, k), 2.0);
            off += pow(x - gsl_vector_get(own, k), 2.0);
        }
    }
    check_close(sqrt(off / size), 0.0, tolerance, "difference from the dense solution");
    gsl_vector_free(own);
    gsl_matrix_free(m);
}

/* Groups of `size` neighboring rows each at one end, and the others alone; every group at that end
 * has `ratio` times the mass of its rows (1 to 1.5 each) besides. */
static void touch_end(struct scene *s, uint32_t size, double ratio)
{
    const uint32_t touched = WIDE * WIDE, groups = touched / size;
    for (uint32_t i = 0; i < ROWS; i++)
        s->group[i] = i < touched ? i / size : i - touched + groups;
    s->n = ROWS - touched + groups;
    for (uint32_t k = 0; k < groups; k++)
        s->more[k] = ratio * 1.25 * size;
}

/* Then the preconditioner is the inverse, but for single precision. */
TEST(rows_alone_need_no_iteration)
{
    for (int stiff = 0; stiff < 2; stiff++) {
        static struct scene s;
        scene_create(&s, stiff ? 100.0 : 1.0);
        check_equal(solve(&s, 1e-6), 0, "iterations");
        check_dense(&s, 1e-5);
        scene_free(&s);
    }
}

TEST(solutions_are_those_of_the_dense_matrix)
{
    const double ratios[] = {0.0, 1.0, 1000.0};
    for (size_t k = 0; k < 9; k++) {
        static struct scene s;
        scene_create(&s, k % 2 ? 100.0 : 1.0);
        touch_end(&s, k / 3 == 0 ? 1 : k / 3 == 1 ? 4 : 9, ratios[k % 3]);
        solve(&s, 1e-12);
        check_dense(&s, 1e-10);
        scene_free(&s);
    }
}

/* Both ends in pairs, as bodies that touch themselves. */
TEST(groups_of_distant_rows)
{
    static struct scene s;
    const uint32_t face = WIDE * WIDE;
    scene_create(&s, 1.0);
    for (uint32_t i = 0; i < face; i++)
        s.group[ROWS - face + i] = i;
    s.n = ROWS - face;
    solve(&s, 1e-12);
    check_dense(&s, 1e-10);
    scene_free(&s);
}

/* Rows that do not move, and groups of members elsewhere. */
TEST(given_rows_and_groups_without_rows)
{
    static struct scene s;
    scene_create(&s, 10.0);
    const uint32_t face = WIDE * WIDE;
    for (uint32_t i = 0; i < ROWS; i++)
        s.group[i] = i < face ? (uint32_t)PREFACTORED_GIVEN : i - face;
    s.n = ROWS - face + 2;
    s.more[s.n - 2] = 3.0;
    s.more[s.n - 1] = 1e-3;
    solve(&s, 1e-12);
    check_dense(&s, 1e-10);
    check_close(s.x[s.n - 1].z, s.b[s.n - 1].z / 1e-3, 1e-6 * fabs(s.b[s.n - 1].z / 1e-3), "alone");
    scene_free(&s);
}

/* What the factor is good for: Jacobi's preconditioner needs many more for stiff bodies. */
static void apply_dense(void *context, const double *x, double *y)
{
    const gsl_matrix *m = context;
    for (size_t i = 0; i < m->size1; i++)
        for (size_t c = 0; c < 3; c++) {
            y[3 * i + c] = 0.0;
            for (size_t j = 0; j < m->size2; j++)
                y[3 * i + c] += gsl_matrix_get(m, i, j) * x[3 * j + c];
        }
}

static void jacobi(void *context, const double *r, double *z)
{
    const gsl_matrix *m = context;
    for (size_t k = 0; k < 3 * m->size1; k++)
        z[k] = r[k] / gsl_matrix_get(m, k / 3, k / 3);
}

TEST(few_iterations_for_stiff_bodies)
{
    static struct scene s;
    scene_create(&s, 1000.0);
    touch_end(&s, 1, 1.0);
    size_t iterations = solve(&s, 1e-6);
    gsl_matrix *m = dense_of(&s);
    const struct linear_operator A = {
        .n = s.n, .width = 3, .context = m, .apply = apply_dense, .precondition = jacobi};
    struct cg_workspace work;
    struct cg_report report;
    struct error error = {0};
    check_equal(cg_workspace_create(&work, s.n, 3, &error), STATUS_OK, error.message);
    memset(s.x, 0, sizeof s.x);
    check_equal(cg_solve(&A, &s.b->x, &s.x->x, 1e-6, 1000, &work, &report, &error), STATUS_OK,
                error.message);
    printf("# %zu iterations, %zu with Jacobi's preconditioner\n", iterations, report.iterations);
    check(3 * iterations <= report.iterations);
    cg_workspace_free(&work);
    gsl_matrix_free(m);
    scene_free(&s);
}

TEST(a_group_of_nothing_is_refused)
{
    static struct scene s;
    struct prefactored_groups groups = {0};
    struct error error = {0};
    scene_create(&s, 1.0);
    check_equal(prefactored_groups_set(&groups, s.factor, &s.a, ROWS + 1, s.group, s.more, &error),
                STATUS_FAILED, "status");
    check_contains(error.message, "group 432 has neither rows nor mass");
    prefactored_groups_free(&groups);
    scene_free(&s);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    static struct scene s;
    static struct vec3 first[ROWS + 2];
    int before = omp_get_max_threads();
    scene_create(&s, 10.0);
    touch_end(&s, 4, 10.0);
    for (int threads = 1; threads < 5; threads++) {
        omp_set_num_threads(threads);
        check(solve(&s, 1e-8) > 1);
        if (threads == 1)
            memcpy(first, s.x, sizeof first);
        check(!memcmp(first, s.x, s.n * sizeof *first));
    }
    omp_set_num_threads(before);
    scene_free(&s);
}

TEST(every_failed_allocation_is_reported)
{
    static struct scene s;
    scene_create(&s, 1.0);
    for (long n = 0; n < 100; n++) {
        struct prefactored_groups groups = {0};
        struct error error = {0};
        memory_fail_after(n);
        enum status status =
            prefactored_groups_set(&groups, s.factor, &s.a, s.n, s.group, s.more, &error);
        memory_fail_after(-1);
        prefactored_groups_free(&groups);
        if (status == STATUS_OK) {
            check_equal(n, 9, "allocations");
            scene_free(&s);
            return;
        }
        check_contains(error.message, "out of memory");
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(rows_alone_need_no_iteration),
         TAP_ENTRY(solutions_are_those_of_the_dense_matrix), TAP_ENTRY(groups_of_distant_rows),
         TAP_ENTRY(given_rows_and_groups_without_rows), TAP_ENTRY(few_iterations_for_stiff_bodies),
         TAP_ENTRY(a_group_of_nothing_is_refused),
         TAP_ENTRY(determinism_bits_do_not_depend_on_threads),
         TAP_ENTRY(every_failed_allocation_is_reported))
