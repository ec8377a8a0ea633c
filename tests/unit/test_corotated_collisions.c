/* Tests the momentum and energy of colliding corotated solids, and that runs repeat to the bit. */
#include "endings.h"
#include "systems/corotated/corotated_parts.h"

static const double RADIUS = 0.02, MASS = 0.064;

static const char *const SOLVERS[] = {
    [COROTATED_COUPLED] = "coupled",     [COROTATED_PREFACTORED] = "prefactored",
    [COROTATED_ASSEMBLED] = "assembled", [COROTATED_WHOLE] = "whole",
    [COROTATED_NEWTON] = "newton",
};

/* Sets the solver of all corotated solids that the scene has so far. */
static void solve_by(struct hand_scene *h, enum corotated_solving solver)
{
    for (size_t k = 0; k < h->scene.n_materials; k++)
        if (h->material[k].model == &corotated_model)
            h->parameters[k].corotated.solver = solver;
}

/* Two corotated balls of one material, one of another and one of bonds fly at each other, beside a
 * corner of fixed corotated particles. */
static void fill(struct hand_scene *h, enum corotated_solving solver)
{
    hand_scene_begin(h);
    h->scene.contact.alpha = 0.5;
    h->scene.solver.tolerance = 1e-8;
    size_t bonds = add_peridynamics(h, 500.0, 2.0, 1e-4, (double)INFINITY);
    size_t soft = add_corotated(h, 2e5, 0.3, 0.5), hard = add_corotated(h, 1e6, 0.1, 1.0);
    solve_by(h, solver);
    add_body(h, bonds, RADIUS, MASS);
    add_ball(h, 0.07, vec3(0.0, 0.21, 0.01), vec3(0.0, -4.0, 0.0));
    add_body(h, soft, RADIUS, MASS);
    add_ball(h, 0.1, vec3(-0.13, 0.0, 0.0), vec3(3.0, 0.1, 0.0));
    add_body(h, soft, RADIUS, MASS);
    add_ball(h, 0.1, vec3(0.13, 0.02, 0.01), vec3(-3.0, 0.0, 0.2));
    add_body(h, hard, RADIUS, 2.0 * MASS);
    add_ball(h, 0.09, vec3(0.01, 0.0, 0.23), vec3(0.0, 0.0, -3.0));
}

/* One ball falls on another material's slab, whose lowest layer is fixed. */
static void fill_on_support(struct hand_scene *h, enum corotated_solving solver)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    size_t soft = add_corotated(h, 2e5, 0.3, 0.5), hard = add_corotated(h, 1e6, 0.1, 1.0);
    solve_by(h, solver);
    add_body(h, soft, RADIUS, MASS);
    add_ball(h, 0.1, vec3(0.14, 0.14, 0.225), vec3(0.5, 0.0, -3.0));
    add_body(h, hard, RADIUS, MASS);
    fix_from(h, add_block(h, 8, 8, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_block(h, 8, 8, 2, vec3(0.0, 0.0, 2.0 * RADIUS), vec3(0.0, 0.0, 0.0));
}

/* The first scene with sliding contact and friction: all systems are solved at once. */
static void fill_sliding(struct hand_scene *h, enum corotated_solving solver)
{
    fill(h, solver);
    h->scene.contact.method = CONTACT_SLIDING;
    h->scene.contact.friction = h->scene.contact.static_friction = 0.3;
}

typedef void filler(struct hand_scene *, enum corotated_solving);

/* ---- conservation ---- */

/* Over a whole run: energy that the ledger does not explain, and momentum from nowhere. */
static void audit(filler *fill_scene, enum corotated_solving solver, const char *name, int steps)
{
    struct hand_scene h;
    struct simulation s;
    double imbalance = 0.0, energy = 0.0, drift = 0.0, scale = 0.0, approaching = 0.0;
    fill_scene(&h, solver);
    start(&h, &s);
    struct vec3 expected = s.totals.momentum;
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(&s);
        imbalance += fabs(row.energy_imbalance);
        energy = fmax(energy, row.kinetic + row.elastic);
        scale = fmax(scale, row.momentum_scale);
        expected = vec3_add(expected, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                           row.gravity_impulse_y + row.support_impulse_y,
                                           row.gravity_impulse_z + row.support_impulse_z));
        expected = vec3_add(expected, row_residual(&row));
        drift = fmax(drift, vec3_norm(vec3_sub(row_momentum(&row), expected)));
        approaching += row.approaching;
    }
    printf("# %s: energy imbalance %.1e, momentum drift %.1e, %g approaching pairs\n",
           SOLVERS[solver], imbalance / energy, drift / scale, approaching);
    char id[64];
    snprintf(id, sizeof id, "CES.ledger.%s.%s", name, SOLVERS[solver]);
    measured(id, imbalance / energy);
    snprintf(id, sizeof id, "CES.momentum.%s.%s", name, SOLVERS[solver]);
    measured(id, drift / scale);
    check(approaching > 100.0);
    check_close(imbalance / energy, 0.0, 1e-9, "energy imbalance");
    check_close(drift / scale, 0.0, 1e-12, "momentum drift");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(energy_and_momentum_of_colliding_balls_are_accounted_for)
{
    for (enum corotated_solving solver = 0; solver <= COROTATED_NEWTON; solver++)
        audit(fill, solver, "free", 60);
}

TEST(so_they_are_on_a_support)
{
    for (enum corotated_solving solver = 0; solver <= COROTATED_NEWTON; solver++)
        audit(fill_on_support, solver, "support", 60);
}

/* Without supports the solver's residual has no momentum either. */
static void check_momentum(enum corotated_solving solver)
{
    struct hand_scene h;
    struct simulation s;
    fill(&h, solver);
    h.scene.solver.tolerance = 1e-4;
    start(&h, &s);
    struct vec3 begun = s.totals.momentum;
    double drift = 0.0, scale = 0.0;
    for (int k = 0; k < 40; k++) {
        struct ledger_row row = step_once(&s);
        drift = fmax(drift, vec3_norm(vec3_sub(row_momentum(&row), begun)));
        scale = fmax(scale, row.momentum_scale);
    }
    check_close(drift / scale, 0.0, 1e-13, "momentum drift");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(momentum_of_free_bodies_is_exact)
{
    for (enum corotated_solving solver = 0; solver <= COROTATED_NEWTON; solver++)
        check_momentum(solver);
}

/* ---- the bits of a run ---- */

static struct ending run_with(filler *fill_scene, enum corotated_solving solver, int threads)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row = {0};
    fill_scene(&h, solver);
    omp_set_num_threads(threads);
    start(&h, &s);
    for (int k = 0; k < 30; k++)
        row = step_once(&s);
    struct ending end = ending_of(&s, row);
    simulation_free(&s);
    hand_scene_end(&h);
    return end;
}

/* Of places and velocities. */
static size_t different_bytes(const struct ending *a, const struct ending *b)
{
    const unsigned char *x[2] = {(const void *)a->position, (const void *)a->velocity};
    const unsigned char *y[2] = {(const void *)b->position, (const void *)b->velocity};
    size_t different = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < a->n * sizeof(struct vec3); i++)
            different += x[k][i] != y[k][i];
    return different;
}

/* Returns how many bytes differ. */
static size_t compare_threads(filler *fill_scene, enum corotated_solving solver)
{
    struct ending first = run_with(fill_scene, solver, 1);
    size_t different = 0;
    for (int threads = 2; threads <= 3; threads++) {
        struct ending other = run_with(fill_scene, solver, threads);
        check_same_ending(&first, &other);
        different += different_bytes(&first, &other);
        ending_free(&other);
    }
    ending_free(&first);
    return different;
}

TEST(threads_do_not_change_a_bit)
{
    size_t different = compare_threads(fill_sliding, COROTATED_COUPLED);
    for (enum corotated_solving solver = 0; solver <= COROTATED_NEWTON; solver++)
        different += compare_threads(fill, solver);
    measured("C72.bytes", (double)different);
}

static void check_resumed(filler *fill_scene, enum corotated_solving solver)
{
    struct hand_scene h;
    struct simulation s;
    fill_scene(&h, solver);
    start(&h, &s);
    for (int k = 0; k < 18; k++)
        step_once(&s);
    check_goes_on(&s, h.rest, 12);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_run_that_goes_on_ends_with_the_same_bits)
{
    for (enum corotated_solving solver = 0; solver <= COROTATED_NEWTON; solver++)
        check_resumed(fill, solver);
    check_resumed(fill_sliding, COROTATED_COUPLED);
}
