/* The bond network's conjugate gradients against a dense Cholesky factorization of the same matrix,
 * and against the general solver, iterate by iterate. */
#include "base/memory.h"
#include "network_bench.h"
#include "particles/random.h"
#include "solvers/conjugate_gradients.h"
#include "systems/bonds/bond_cg.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>

/* A dense symmetric positive definite matrix over `unknowns` vectors; entry i of the mirrored
 * vectors stands for unknown of[i], or for none where of[i] is negative. */
struct dense_problem {
    struct bond_problem problem;
    size_t unknowns;
    gsl_matrix *matrix; /* 3 unknowns square */
    int *of;
    uint8_t *weight;
};

static double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 9, index, RANDOM_TEST) - 1.0;
}

static double component(struct vec3 v, size_t c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

static void apply(void *context, const struct frontier *frontier, size_t farthest,
                  const struct vec3 *x, struct vec3 *y)
{
    (void)frontier;
    (void)farthest;
    const struct dense_problem *d = context;
    for (size_t i = 0; i < d->problem.n; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (size_t j = 0; j < d->problem.n; j++) {
            if (d->of[i] < 0 || !d->weight[j])
                continue;
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    sum[a] += gsl_matrix_get(d->matrix, 3 * (size_t)d->of[i] + a,
                                             3 * (size_t)d->of[j] + b) *
                              component(x[j], b);
        }
        y[i] = vec3(sum[0], sum[1], sum[2]);
    }
}

static void jacobi(void *context, size_t begin, size_t end, const struct vec3 *r, struct vec3 *z)
{
    const struct dense_problem *d = context;
    for (size_t i = begin; i < end; i++) {
        if (d->of[i] < 0) {
            z[i] = vec3(0.0, 0.0, 0.0);
            continue;
        }
        size_t k = 3 * (size_t)d->of[i];
        z[i] = vec3(r[i].x / gsl_matrix_get(d->matrix, k, k),
                    r[i].y / gsl_matrix_get(d->matrix, k + 1, k + 1),
                    r[i].z / gsl_matrix_get(d->matrix, k + 2, k + 2));
    }
}

/* B^T B + I with the unknowns' sizes spread over three orders of magnitude. Every third entry
 * repeats an unknown, every seventh is held. */
static void dense_create(struct dense_problem *d, size_t n, uint64_t seed)
{
    *d = (struct dense_problem){.of = calloc(n, sizeof *d->of), .weight = calloc(n, 1)};
    for (size_t i = 0; i < n; i++) {
        bool repeats = i % 3 == 2 && d->unknowns > 0;
        d->of[i] = i % 7 == 6 ? -1 : (int)(repeats ? d->unknowns / 2 : d->unknowns);
        d->weight[i] = d->of[i] >= 0 && !repeats;
        d->unknowns += d->weight[i];
    }
    size_t size = 3 * d->unknowns;
    d->matrix = gsl_matrix_alloc(size, size);
    gsl_matrix *root = gsl_matrix_alloc(size, size);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            gsl_matrix_set(root, i, j,
                           draw(seed, i * size + j) * pow(10.0, -3.0 * (double)j / (double)size));
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, root, root, 0.0, d->matrix);
    for (size_t i = 0; i < size; i++)
        *gsl_matrix_ptr(d->matrix, i, i) += 1.0;
    gsl_matrix_free(root);
    d->problem = (struct bond_problem){
        .n = n, .context = d, .apply = apply, .precondition = jacobi, .weight = d->weight};
}

static void dense_free(struct dense_problem *d)
{
    gsl_matrix_free(d->matrix);
    free(d->of);
    free(d->weight);
}

/* A right side, mirrored, 0 where held; and the dense solution, mirrored. */
static void dense_solve(const struct dense_problem *d, uint64_t seed, struct vec3 *b,
                        struct vec3 *solution)
{
    size_t size = 3 * d->unknowns;
    gsl_matrix *factor = gsl_matrix_alloc(size, size);
    gsl_vector *rhs = gsl_vector_alloc(size), *x = gsl_vector_alloc(size);
    gsl_matrix_memcpy(factor, d->matrix);
    for (size_t k = 0; k < size; k++)
        gsl_vector_set(rhs, k, draw(seed + 1000, k));
    gsl_linalg_cholesky_decomp1(factor);
    gsl_linalg_cholesky_solve(factor, rhs, x);
    for (size_t i = 0; i < d->problem.n; i++) {
        size_t k = 3 * (size_t)(d->of[i] < 0 ? 0 : d->of[i]);
        bool held = d->of[i] < 0;
        b[i] = held ? vec3(0.0, 0.0, 0.0)
                    : vec3(gsl_vector_get(rhs, k), gsl_vector_get(rhs, k + 1),
                           gsl_vector_get(rhs, k + 2));
        solution[i] =
            held ? vec3(0.0, 0.0, 0.0)
                 : vec3(gsl_vector_get(x, k), gsl_vector_get(x, k + 1), gsl_vector_get(x, k + 2));
    }
    gsl_matrix_free(factor);
    gsl_vector_free(rhs);
    gsl_vector_free(x);
}

enum { LARGEST = 60 };

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
    struct bond_problem problem = {n, &n, apply_chain, no_precondition, weight};
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

/* ---- against the general solver ---- */

/* The operator of a bond problem for the general solver. */
static void apply_general(void *context, const double *x, double *y)
{
    const struct bond_problem *problem = context;
    problem->apply(problem->context, NULL, 0, (const struct vec3 *)(const void *)x,
                   (struct vec3 *)(void *)y);
}

static void precondition_general(void *context, const double *r, double *z)
{
    const struct bond_problem *problem = context;
    problem->precondition(problem->context, 0, problem->n, (const struct vec3 *)(const void *)r,
                          (struct vec3 *)(void *)z);
}

static double largest(const struct vec3 *v, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, vec3_norm(v[i]));
    return most;
}

/* The largest difference of two vectors over the largest entry. */
static double difference(const struct vec3 *a, const struct vec3 *b, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, vec3_norm(vec3_sub(a[i], b[i])));
    return most / fmax(largest(b, n), 1e-300);
}

/* Both solvers from the same guess, stopped after 1, 2, ... iterations; returns how far apart the
 * iterates ever are. With a frontier, from 0 and for a right side that is 0 beyond it. */
static double iterates_apart(struct bond_problem *problem, const struct frontier *frontier,
                             const struct vec3 *b, const struct vec3 *guess, size_t iterations)
{
    size_t n = problem->n;
    struct linear_operator A = {.n = n,
                                .width = 3,
                                .context = problem,
                                .apply = apply_general,
                                .precondition = precondition_general,
                                .mask = problem->weight};
    struct vec3 *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    struct bond_cg_workspace fused;
    struct cg_workspace general;
    struct error error = {0};
    double apart = 0.0;
    check_equal(bond_cg_workspace_create(&fused, n, &error), STATUS_OK, "workspace");
    check_equal(cg_workspace_create(&general, n, 3, &error), STATUS_OK, "workspace");
    for (size_t k = 1; k <= iterations; k++) {
        struct bond_cg_report solved;
        struct cg_report report;
        memcpy(x, guess, n * sizeof *x);
        memcpy(y, guess, n * sizeof *y);
        if (frontier) {
            memcpy(fused.residual, b, n * sizeof *b);
            bond_cg_incremental(problem, frontier, 1.0, 0.0, k, x, &fused, &solved, &error);
        } else {
            bond_cg_solve(problem, b, x, 0.0, k, &fused, &solved, &error);
        }
        cg_solve(&A, &b->x, &y->x, 0.0, k, &general, &report, &error);
        check_equal(solved.iterations, k, "iterations, fused");
        check_equal(report.iterations, k, "iterations, general");
        apart = fmax(apart, difference(x, y, n));
    }
    bond_cg_workspace_free(&fused);
    cg_workspace_free(&general);
    free(x);
    free(y);
    return apart;
}

/* Sums are added in another order, and conjugate gradients amplify rounding. */
static const double rounding = 1e-11;

TEST(iterates_are_those_of_the_general_solver_for_dense_systems)
{
    double worst = 0.0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t n = 20 + 2 * seed;
        struct dense_problem d;
        struct vec3 b[LARGEST], expected[LARGEST], guess[LARGEST];
        dense_create(&d, n, seed);
        dense_solve(&d, seed, b, expected);
        for (size_t i = 0; i < n; i++)
            guess[i] = d.of[i] < 0 ? vec3(0.0, 0.0, 0.0) : vec3(0.01 * d.of[i], 0.02, -0.03);
        worst = fmax(worst, iterates_apart(&d.problem, NULL, b, guess, 8));
        dense_free(&d);
    }
    printf("# iterates differ by at most %.2g\n", worst);
    check_close(worst, 0.0, rounding, "difference of iterates");
}

/* A long jittered bar with fixed particles and groups, one of them fixed, near one end. */
static void bar_start(struct bench *bench, double dt)
{
    struct hand_scene *h = &bench->h;
    struct error error = {0};
    hand_scene_begin(h);
    add_body(h, add_peridynamics(h, 60.0, 2.0, 0.004, (double)INFINITY), 0.01, 2e-3);
    add_block(h, 200, 4, 4, vec3(0, 0, 0), vec3(0, 0, 0));
    jitter(h, 0.003, 9);
    h->particles.state[3] = h->particles.state[300] = 1;
    bench_start(bench);
    const uint32_t member[] = {0, 1, 3, 4, 200, 401, 402}, leader[] = {0, 0, 3, 3, 0, 401, 401};
    groups_assign(&bench->groups, &h->particles, 7, member, leader);
    check_equal(bench->system->class->prepare(bench->system, &h->particles, dt, &error), STATUS_OK,
                "prepare");
}

static struct bond_problem problem_of(struct bench *bench)
{
    struct bond_implicit *step = (struct bond_implicit *)bench->system;
    step->groups = &bench->groups;
    bond_groups_choose_unknowns(step);
    bond_groups_add_foreign_mass(step, &bench->h.particles);
    bond_precondition_build(step);
    return (struct bond_problem){.n = bench->system->n,
                                 .context = step,
                                 .apply = bond_matrix_apply,
                                 .precondition = bond_precondition,
                                 .weight = step->weight};
}

TEST(iterates_are_those_of_the_general_solver_for_a_bond_network)
{
    struct bench bench;
    bar_start(&bench, 5e-3);
    struct bond_problem problem = problem_of(&bench);
    size_t n = problem.n;
    struct vec3 *b = calloc(n, sizeof *b), *guess = calloc(n, sizeof *guess);
    for (size_t i = 0; i < n; i++)
        b[i] = random_vector(21, i);
    bond_groups_gather((struct bond_implicit *)bench.system, b);
    for (size_t i = 0; i < n; i++)
        b[i] = bench.groups.fixed[i] ? vec3(0, 0, 0) : b[i];
    double apart = iterates_apart(&problem, NULL, b, guess, 30);
    printf("# iterates differ by at most %.2g\n", apart);
    check_close(apart, 0.0, rounding, "difference of iterates");
    free(b);
    free(guess);
    bench_end(&bench);
}

/* The right side is zero but near the groups, at one end of the bar; the frontier has not reached
 * the other end when the solvers stop. */
TEST(iterates_within_a_frontier_are_those_of_the_general_solver)
{
    struct bench bench;
    bar_start(&bench, 5e-3);
    struct bond_problem problem = problem_of(&bench);
    struct bond_implicit *step = (struct bond_implicit *)bench.system;
    size_t n = problem.n, reached = 0;
    struct vec3 *b = calloc(n, sizeof *b), *zero = calloc(n, sizeof *zero);
    bond_aggregates_clear(&step->aggregates);
    for (size_t k = 0; k < bench.groups.start[bench.groups.n_groups]; k++)
        bond_aggregates_mark(&step->aggregates, bench.groups.member[k]);
    bond_aggregates_spread(&step->aggregates);
    const struct frontier frontier = {step->aggregates.distance};
    for (size_t i = 0; i < n; i++)
        if (frontier.distance[i] <= 1 && !bench.groups.fixed[i])
            b[i] = random_vector(22, i);
    bond_groups_gather(step, b);
    double apart = iterates_apart(&problem, &frontier, b, zero, 6);
    for (size_t i = 0; i < n; i++)
        reached += frontier.distance[i] <= 6;
    printf("# %zu of %zu particles within the frontier, iterates differ by at most %.2g\n", reached,
           n, apart);
    check(reached < n);
    check_close(apart, 0.0, rounding, "difference of iterates");
    free(b);
    free(zero);
    bench_end(&bench);
}

TEST(the_workspace_survives_every_failed_allocation)
{
    for (long n = 0; n < 100; n++) {
        struct bond_cg_workspace work;
        struct error error = {0};
        memory_fail_after(n);
        enum status status = bond_cg_workspace_create(&work, 3000, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            check_equal(n, 5, "allocations");
            bond_cg_workspace_free(&work);
            return;
        }
        check_contains(error.message, "out of memory");
        check(work.residual == NULL && work.partial == NULL);
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(the_solution_is_that_of_a_dense_factorization),
         TAP_ENTRY(a_guess_that_solves_it_needs_no_iteration), TAP_ENTRY(no_force_no_change),
         TAP_ENTRY(a_guess_far_too_large_is_no_harm), TAP_ENTRY(too_few_iterations_fail_loudly),
         TAP_ENTRY(determinism_bits_do_not_depend_on_threads),
         TAP_ENTRY(iterates_are_those_of_the_general_solver_for_dense_systems),
         TAP_ENTRY(iterates_are_those_of_the_general_solver_for_a_bond_network),
         TAP_ENTRY(iterates_within_a_frontier_are_those_of_the_general_solver),
         TAP_ENTRY(the_workspace_survives_every_failed_allocation))
