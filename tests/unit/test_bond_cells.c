/* Cells beside block Jacobi: when, and what it does to the iterations. */
#include "network_bench.h"

static const double dt = 1e-3;
enum { SIDE = 30, SHEET = SIDE * SIDE, DROPS = 30 };

/* A sheet with some fixed particles, drops of a fluid above it, and a stiffer plate that is fixed.
 */
static void fill(struct bench *b, double stiffness, double drop_mass, size_t fixed, size_t plate)
{
    struct hand_scene *h = &b->h;
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-10;
    const size_t cloth = add_springs(h, stiffness, stiffness, 0.01 * stiffness, 2e-4);
    add_body(h, cloth, 0.01, 4e-3);
    add_block(h, SIDE, SIDE, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    if (plate > 0) {
        add_body(h, add_springs(h, 1e6, 1e6, 1e4, 2e-4), 0.01, 4e-3);
        fix_from(h, add_block(h, (int)plate, (int)plate, 1, vec3(0, 0, -1), vec3(0, 0, 0)));
    }
    add_body(h, add_fluid(h, 1e3, 0.0), 0.01, drop_mass);
    add_block(h, DROPS, 1, 1, vec3(0, 0, 1), vec3(0, 0, 0));
    jitter(h, 0.001, 9);
    for (size_t k = 0; k < fixed; k++)
        h->particles.state[45 * k] = 1;
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = h->particles.state[i] ? vec3(0, 0, 0) : random_vector(12, i);
    bench_start(b);
}

static struct bond_implicit *step_of(struct bench *b)
{
    return (struct bond_implicit *)b->system;
}

static void prepare(struct bench *b, double step)
{
    struct error error = {0};
    check_equal(b->system->class->prepare(b->system, &b->h.particles, step, &error), STATUS_OK,
                "prepare");
}

static size_t integrate(struct bench *b, double step)
{
    struct error error = {0};
    struct solve_report report;
    check_equal(b->system->class->integrate(b->system, &b->h.particles, &b->groups, step,
                                            &b->motion, &report, &error),
                STATUS_OK, "integrate");
    check(report.residual <= 1e-10);
    return report.iterations;
}

/* Puts so many drops in groups with particles of the sheet, every third with two; one has a fixed
 * particle. */
static void group(struct bench *b, uint32_t n_groups)
{
    const struct particles *p = &b->h.particles;
    uint32_t member[3 * DROPS], of[3 * DROPS];
    size_t n = 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        const uint32_t one = g == 1 ? 0 : 100 + 23 * g;
        const uint32_t all[3] = {one, (uint32_t)p->n - DROPS + g, one + 1};
        for (size_t k = 0; k < (g % 3 ? 2 : 3); k++) {
            member[n] = all[k];
            of[n++] = one;
        }
    }
    groups_dissolve(&b->groups, p);
    groups_assign(&b->groups, p, n, member, of);
    memcpy(b->motion.before, p->velocity, p->n * sizeof *p->velocity);
    for (size_t g = 0; g < b->groups.n_groups; g++)
        for (size_t k = b->groups.start[g]; k < b->groups.start[g + 1]; k++)
            b->motion.before[b->groups.member[k]] = vec3(0, 0, 0);
}

/* Iterations of two stages with different groups, with cells or without, and the velocities after
 * them. */
static void two_stages(double stiffness, double drop_mass, bool cells, size_t iterations[2],
                       struct vec3 after[SHEET])
{
    struct bench b;
    fill(&b, stiffness, drop_mass, 2, 0);
    if (!cells)
        step_of(&b)->coarse.n = 0;
    group(&b, 3);
    prepare(&b, dt);
    iterations[0] = integrate(&b, dt);
    group(&b, DROPS);
    iterations[1] = integrate(&b, dt);
    memcpy(after, b.motion.own_after, SHEET * sizeof *after);
    bench_end(&b);
}

static void compare(double stiffness, double drop_mass, size_t few[2], size_t many[2])
{
    static struct vec3 with[SHEET], without[SHEET];
    double worst = 0.0;
    two_stages(stiffness, drop_mass, true, few, with);
    two_stages(stiffness, drop_mass, false, many, without);
    printf("# %g N/m, %g kg: %zu + %zu iterations, without cells %zu + %zu\n", stiffness, drop_mass,
           few[0], few[1], many[0], many[1]);
    for (size_t i = 0; i < SHEET; i++)
        worst = fmax(worst, vec3_norm(vec3_sub(with[i], without[i])));
    check_close(worst, 0.0, 1e-7, "velocities");
}

TEST(cells_save_iterations_and_leave_the_solution)
{
    size_t few[2], many[2];
    compare(2000.0, 4e-3, few, many);
    check(2 * few[0] <= many[0] && 2 * few[1] <= many[1]);
}

/* Where rounding loses masses beside bonds, too. */
TEST(bonds_of_any_stiffness_are_solved)
{
    for (double stiffness = 1e4; stiffness < 1e26; stiffness *= 1e3) {
        size_t found[2];
        for (size_t cells = 0; cells < 2; cells++) {
            struct bench b;
            fill(&b, stiffness, 4e-3, 0, 0);
            if (!cells)
                step_of(&b)->coarse.n = 0;
            group(&b, DROPS);
            prepare(&b, dt);
            found[cells] = integrate(&b, dt);
            bench_end(&b);
        }
        check(found[1] < found[0]);
    }
}

/* Merges a square of so many particles on the slab, from `top` on, with those from `bottom` on. */
static void merge_face(struct bench *b, uint32_t side, uint32_t top, uint32_t bottom)
{
    uint32_t member[2 * SHEET], of[2 * SHEET];
    for (uint32_t k = 0; k < side * side; k++) {
        member[2 * k] = of[2 * k] = of[2 * k + 1] = top + k / side * SIDE + k % side;
        member[2 * k + 1] = bottom + k;
    }
    groups_assign(&b->groups, &b->h.particles, 2 * side * side, member, of);
    memcpy(b->motion.before, b->h.particles.velocity, b->h.particles.n * sizeof(struct vec3));
    for (size_t k = 0; k < 2 * side * side; k++)
        b->motion.before[member[k]] = vec3(0, 0, -0.5);
}

/* A stiff cube, so many particles wide, has landed on a slab. */
static void fill_landed(struct bench *b, uint32_t side, double slab_stiffness, double slab_mass)
{
    struct hand_scene *h = &b->h;
    const int wide = (int)side;
    const double never = (double)INFINITY;
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-10;
    add_body(h, add_peridynamics(h, slab_stiffness, 3.0, 1e-4, never), 0.01, slab_mass);
    const uint32_t slab = add_block(h, SIDE, SIDE, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(h, add_peridynamics(h, 1e4, 3.0, 1e-5, never), 0.01, 8e-3);
    const uint32_t cube = add_block(h, wide, wide, wide, vec3(0.1, 0.1, 0.06), vec3(0, 0, -1));
    bench_start(b);
    merge_face(b, side, slab + 2 * SHEET + 5 * SIDE + 5, cube);
}

/* Iterations of a stage after that. */
static size_t land(uint32_t side, double slab_stiffness, bool cells)
{
    struct bench b;
    fill_landed(&b, side, slab_stiffness, 8e-3);
    if (!cells)
        step_of(&b)->coarse.n = 0;
    prepare(&b, dt);
    const size_t iterations = integrate(&b, dt);
    check_equal(step_of(&b)->by_cells, cells, "cells");
    bench_end(&b);
    return iterations;
}

/* A meta-particle of a stiff and a soft solid follows the cells of the stiff one: by the mean of
 * their masses, the cube of 5 would take 2.6 times, that of 13 3.1 times as many as without. */
TEST(stiff_solids_on_soft_ones_cost_few_iterations)
{
    for (uint32_t side = 5; side <= 13; side += 4)
        for (double slab = 0.05; slab < 2e4; slab *= 60.0) {
            const size_t few = land(side, slab, true), many = land(side, slab, false);
            printf("# cube of %u on %g N: %zu iterations, without cells %zu\n", side, slab, few,
                   many);
            check(slab < 100.0 ? 2 * few <= 3 * many : 4 * few <= 3 * many);
        }
}

/* The matrix of cells does not know of the mass of others in a group. */
TEST(heavy_members_of_groups_cost_no_iterations)
{
    for (double mass = 4e-2; mass < 1e5; mass *= 10.0) {
        size_t few[2], many[2];
        compare(2000.0, mass, few, many);
        check(few[0] < many[0] && few[1] < many[1]);
    }
}

/* Nor of what contact adds. */
TEST(stiff_pairs_cost_few_iterations)
{
    for (double stiffness = 1e2; stiffness < 1e10; stiffness *= 10.0) {
        size_t found[2];
        for (size_t cells = 0; cells < 2; cells++) {
            struct bench b;
            struct stiff_pair pair[DROPS];
            struct stiff_pairs pairs = {DROPS, DROPS, pair};
            fill(&b, 2000.0, 4e-3, 2, 0);
            for (uint32_t k = 0; k < DROPS; k++)
                pair[k] = (struct stiff_pair){100 + 23 * k, 111 + 23 * k, vec3(0.6, 0, 0.8),
                                              stiffness,    1.0,          1e-4};
            b.h.particles.stiff = &pairs;
            if (!cells)
                step_of(&b)->coarse.n = 0;
            group(&b, 0);
            prepare(&b, dt);
            found[cells] = integrate(&b, dt);
            bench_end(&b);
        }
        printf("# pairs of %g N/m: %zu iterations, without cells %zu\n", stiffness, found[1],
               found[0]);
        check(5 * found[1] <= 6 * found[0]);
    }
}

/* Residuals of unknowns that several particles stand for have the same entry for each. */
static void draw_residual(const struct bench *b, uint64_t seed, struct vec3 *r)
{
    for (size_t i = 0; i < b->system->n; i++)
        r[i] = b->groups.fixed[i] ? vec3(0, 0, 0) : random_vector(seed, b->groups.leader[i]);
}

static void check_symmetric(struct bench *b)
{
    static struct vec3 r[2][SCENE_PARTICLES], z[2][SCENE_PARTICLES];
    double product[2][2] = {{0.0}};
    prepare(b, dt);
    integrate(b, dt);
    check(step_of(b)->by_cells);
    for (size_t k = 0; k < 2; k++) {
        draw_residual(b, k, r[k]);
        bond_cells_coarse(step_of(b), r[k], z[k]);
        bond_cells_precondition(step_of(b), 0, b->system->n, r[k], z[k]);
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t l = 0; l < 2; l++)
            for (size_t i = 0; i < b->system->n; i++)
                product[k][l] += step_of(b)->weight[i] * vec3_dot(r[k][i], z[l][i]);
    check(product[0][0] > 0.0 && product[1][1] > 0.0);
    check_close(product[0][1], product[1][0], 1e-6 * product[0][0], "products");
}

/* Also where members of a meta-particle differ in mass and stiffness. */
TEST(the_preconditioner_is_symmetric_and_positive)
{
    struct bench b;
    fill(&b, 2000.0, 4.0, 2, 0);
    group(&b, DROPS);
    check_symmetric(&b);
    bench_end(&b);
    fill_landed(&b, 9, 200.0, 0.1);
    check_symmetric(&b);
    bench_end(&b);
}

/* Whether there are cells in a step of this length. */
static bool by_cells(struct bench *b, double step)
{
    prepare(b, step);
    integrate(b, step);
    return step_of(b)->by_cells;
}

/* The sum of what a sheet's neighbors add to a diagonal block is proportional to the stiffness and
 * to the square of the step; there is damping, too. */
TEST(stiff_steps_have_cells_and_others_do_not)
{
    for (size_t plate = 0; plate <= 60; plate += 60) {
        struct bench b;
        fill(&b, 500.0, 4e-3, 2, plate);
        group(&b, 0);
        check(by_cells(&b, dt));
        check(!by_cells(&b, 1e-5));
        check(by_cells(&b, dt));
        bench_end(&b);
        fill(&b, 2.0, 4e-3, 2, plate);
        group(&b, 0);
        check(!by_cells(&b, dt));
        bench_end(&b);
    }
}
