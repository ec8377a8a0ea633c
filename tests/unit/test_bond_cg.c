/* The bond network's conjugate gradients against a dense Cholesky factorization of the same matrix;
 * against the general solver they are in test_bond_cg_general.c. */
#include "dense_problems.h"
#include "failing_memory.h"

#include <omp.h>

TEST(the_solution_is_that_of_a_dense_factorization)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        size_t n = 1 + seed * 2;
        struct dense_problem d;
        struct vec3 b[LARGEST], expected[LARGEST], x[LARGEST];
        struct bond_cg_workspace work;
        struct bond_cg_report report;
        struct error error = {0};
        dense_create(&d, n, seed);
        dense_solve(&d, seed, b, expected);
        for (size_t i = 0; i < n; i++) /* a mirrored guess that is wrong */
            x[i] = d.of[i] < 0 ? vec3(0.0, 0.0, 0.0) : vec3(0.01 * d.of[i], 0.02, -0.03);
        check_equal(bond_cg_workspace_create(&work, n, &error), STATUS_OK, "workspace");
        check_equal(bond_cg_solve(&d.problem, b, x, 1e-12, 1000, &work, &report, &error), STATUS_OK,
                    "status");
        check(report.residual <= 1e-12);
        for (size_t i = 0; i < n; i++) {
            check_close(vec3_norm(vec3_sub(x[i], expected[i])), 0.0, 1e-9, "solution");
            check(d.of[i] >= 0 || vec3_norm(x[i]) == 0.0);
            for (size_t j = 0; j < i; j++)
                if (d.of[i] >= 0 && d.of[i] == d.of[j])
                    check(memcmp(&x[i], &x[j], sizeof x[i]) == 0);
        }
        bond_cg_workspace_free(&work);
        dense_free(&d);
    }
}

TEST(a_guess_that_solves_it_needs_no_iteration)
{
    struct dense_problem d;
    struct vec3 b[20], x[20], expected[20];
    struct bond_cg_workspace work;
    struct bond_cg_report report;
    struct error error = {0};
    dense_create(&d, 20, 5);
    dense_solve(&d, 5, b, x);
    memcpy(expected, x, sizeof x);
    check_equal(bond_cg_workspace_create(&work, 20, &error), STATUS_OK, "workspace");
    check_equal(bond_cg_solve(&d.problem, b, x, 1e-10, 100, &work, &report, &error), STATUS_OK,
                "status");
    check_equal(report.iterations, 0, "iterations");
    check(memcmp(expected, x, sizeof x) == 0);
    bond_cg_workspace_free(&work);
    dense_free(&d);
}

/* |b| = 0 leaves no scale to measure a residual by; the solution is 0 whatever the guess was. */
TEST(no_force_no_change)
{
    struct dense_problem d;
    struct vec3 b[20], x[20];
    struct bond_cg_workspace work;
    dense_create(&d, 20, 6);
    struct error error = {0};
    check_equal(bond_cg_workspace_create(&work, 20, &error), STATUS_OK, "workspace");
    for (int guess = 0; guess < 2; guess++) {
        struct bond_cg_report report;
        for (size_t i = 0; i < 20; i++) {
            b[i] = vec3(0.0, 0.0, 0.0);
            x[i] = vec3(d.of[i] < 0 ? 0.0 : 0.1 * guess, 0.0, 0.0);
        }
        check_equal(bond_cg_solve(&d.problem, b, x, 1e-10, 100, &work, &report, &error), STATUS_OK,
                    "status");
        check_equal(report.iterations, 0, "iterations");
        check(report.residual == 0.0);
        for (size_t i = 0; i < 20; i++)
            check(vec3_norm(x[i]) == 0.0 && vec3_norm(work.residual[i]) == 0.0);
    }
    bond_cg_workspace_free(&work);
    dense_free(&d);
}

/* After an impact the last change of velocity is far larger than the next: the tolerance is
 * relative to b, and must be reached all the same, also by the residual computed anew. */
TEST(a_guess_far_too_large_is_no_harm)
{
    struct dense_problem d;
    struct vec3 b[20], x[20], expected[20], image[20];
    struct bond_cg_workspace work;
    struct bond_cg_report report;
    struct error error = {0};
    dense_create(&d, 20, 7);
    dense_solve(&d, 7, b, expected);
    for (size_t i = 0; i < 20; i++)
        x[i] = d.of[i] < 0 ? vec3(0.0, 0.0, 0.0) : vec3(1e12, -1e12 * d.of[i], 1e11);
    check_equal(bond_cg_workspace_create(&work, 20, &error), STATUS_OK, "workspace");
    check_equal(bond_cg_solve(&d.problem, b, x, 1e-10, 1000, &work, &report, &error), STATUS_OK,
                "status");
    apply(&d, NULL, 0, x, image);
    for (size_t i = 0; i < 20; i++) {
        check_close(vec3_norm(vec3_sub(x[i], expected[i])), 0.0, 1e-8, "solution");
        check_close(vec3_norm(vec3_sub(b[i], image[i])), 0.0, 1e-8, "residual");
    }
    bond_cg_workspace_free(&work);
    dense_free(&d);
}

TEST(too_few_iterations_fail_loudly)
{
    struct dense_problem d;
    struct vec3 b[50], x[50] = {0}, expected[50];
    struct bond_cg_workspace work;
    struct bond_cg_report report;
    struct error error = {0};
    dense_create(&d, 50, 8);
    dense_solve(&d, 8, b, expected);
    check_equal(bond_cg_workspace_create(&work, 50, &error), STATUS_OK, "workspace");
    check_equal(bond_cg_solve(&d.problem, b, x, 1e-12, 3, &work, &report, &error), STATUS_FAILED,
                "status");
    check_contains(error.message, "after 3 iterations");
    check_contains(error.message, "solver.max_iterations");
    b[0].x = (double)NAN;
    memset(x, 0, sizeof x);
    check_equal(bond_cg_solve(&d.problem, b, x, 1e-12, 1000, &work, &report, &error), STATUS_FAILED,
                "status for NaN");
    check_contains(error.message, "not finite after 0 iterations");
    bond_cg_workspace_free(&work);
    dense_free(&d);
}

/* A long chain of springs, several blocks of sums. */
static void apply_chain(void *context, const struct frontier *frontier, size_t farthest,
                        const struct vec3 *x, struct vec3 *y)
{
    (void)frontier;
    (void)farthest;
    size_t n = *(const size_t *)context;
    for (size_t i = 0; i < n; i++) {
        y[i] = vec3_scale(2.5, x[i]);
        if (i > 0)
            y[i] = vec3_sub(y[i], x[i - 1]);
        if (i + 1 < n)
            y[i] = vec3_sub(y[i], x[i + 1]);
    }
}

static void no_precondition(void *context, size_t begin, size_t end, const struct vec3 *r,
                            struct vec3 *z)
{
    (void)context;
    for (size_t i = begin; i < end; i++)
        z[i] = r[i];
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    size_t n = 10000;
    uint8_t *weight = malloc(n);
    struct vec3 *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x),
                *first = malloc(n * sizeof *first);
    memset(weight, 1, n);
    struct bond_problem problem = {n, &n, apply_chain, no_precondition, weight, NULL};
    struct bond_cg_workspace work;
    struct error error = {0};
    check_equal(bond_cg_workspace_create(&work, n, &error), STATUS_OK, "workspace");
    const int threads[] = {1, 2, 3, 4, 7, 1};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        struct bond_cg_report report;
        omp_set_num_threads(threads[t]);
        for (size_t i = 0; i < n; i++) {
            b[i] = vec3(draw(1, 3 * i), draw(1, 3 * i + 1), draw(1, 3 * i + 2));
            x[i] = vec3(0.0, 0.0, 0.0);
        }
        check_equal(bond_cg_solve(&problem, b, x, 1e-9, 1000, &work, &report, &error), STATUS_OK,
                    "status");
        if (t == 0)
            memcpy(first, x, n * sizeof *x);
        check(memcmp(first, x, n * sizeof *x) == 0);
    }
    bond_cg_workspace_free(&work);
    free(weight);
    free(b);
    free(x);
    free(first);
}

TEST(the_workspace_survives_every_failed_allocation)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct bond_cg_workspace work;
        memory.status = bond_cg_workspace_create(&work, 3000, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(work.residual == NULL && work.partial == NULL);
        else
            bond_cg_workspace_free(&work);
    }
    check_equal(memory.n, 5, "allocations");
}
