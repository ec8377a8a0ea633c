/* The bond network's conjugate gradients against the general solver, iterate by iterate. */
#include "base/memory.h"
#include "dense_problems.h"
#include "network_bench.h"
#include "solvers/conjugate_gradients.h"

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
    step->turns = false; /* a frontier knows no rotation of the whole */
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
