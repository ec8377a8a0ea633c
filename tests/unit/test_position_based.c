/* contact.method: position-based, by what is known about its steps: closed forms, and how rigid
 * bodies rest and spin. */
#include "position_scenes.h"

/* ---- closed forms ---- */

TEST(a_particle_that_nothing_corrects_falls_freely)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 4, AVERAGING_PARTICLE);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&h, add_loose(&h), 0.1, 3.0);
    add_particle(&h, vec3(0.0, 0.0, 5.0), vec3(1.0, 0.0, 2.0));
    start(&h, &s);
    double v = 2.0, z = 5.0;
    for (int k = 0; k < 50; k++) {
        struct ledger_row row = step_once(&s);
        v -= 1e-3 * G;
        z += 1e-3 * v;
        check_close(s.particles.velocity[0].z, v, 1e-14, "velocity");
        check_close(s.particles.position[0].z, z, 1e-14, "height");
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A grain on a floor stands on it, and the floor bears its weight in every step. */
TEST(a_grain_rests_on_a_wall)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(0.0);
    begin(&h, 3, AVERAGING_PARTICLE);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_loose(&h), 0.1, 3.0);
    add_particle(&h, vec3(0.0, 0.0, 0.1), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 20; k++) {
        struct ledger_row row = step_once(&s);
        check_close(s.particles.position[0].z, 0.1, 1e-13, "height");
        check_close(row.support_impulse_z, 3.0 * G * 1e-3, 1e-12, "impulse of the floor");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
        check_vec3(unbalanced(&row), vec3(0.0, 0.0, 0.0), 1e-15, "unbalanced impulse");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- rigid bodies ---- */

/* A body of N particles of which b stand on the floor keeps (1 - b/N)^m of its depth in m
 * iterations, in which contacts and shape follow each other; with f = 1 - (1 - b/N)^m, it rests
 * g dt^2 (1 - f) / f deep. */
static double depth_at_rest(int edge, uint32_t iterations, double dt)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(0.0);
    begin(&h, iterations, AVERAGING_PARTICLE);
    h.scene.time.max_step = dt;
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, edge, edge, edge, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 4000; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        check_vec3(unbalanced(&row), vec3(0.0, 0.0, 0.0), 1e-10, "unbalanced impulse");
    }
    double depth = 0.05 - s.particles.position[0].z;
    simulation_free(&s);
    hand_scene_end(&h);
    return depth;
}

TEST(a_rigid_body_rests_as_deep_as_its_iterations_say)
{
    const double dt = 1.0 / 240.0;
    for (int edge = 2; edge <= 4; edge++)
        for (uint32_t m = 1; m <= 4; m *= 2) {
            double f = 1.0 - pow(1.0 - 1.0 / edge, m);
            check_close(depth_at_rest(edge, m, dt) / (G * dt * dt * (1.0 - f) / f), 1.0, 1e-4,
                        "depth over the formula");
        }
}

/* A body that turns freely keeps its shape and its momentum; what a step takes of its spin is of
 * first order in the step. */
static double spin_left(double dt)
{
    struct hand_scene h;
    struct simulation s;
    const struct vec3 w = vec3(0.0, 0.0, 4.0);
    begin(&h, 4, AVERAGING_PARTICLE);
    h.scene.time.max_step = dt;
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, 3, 4, 6, vec3(-0.1, -0.15, -0.25), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] =
            vec3_add(vec3_cross(w, h.particles.position[i]), vec3(1.0, 0.0, 0.0));
    start(&h, &s);
    double before = s.totals.angular.z;
    for (int k = 0; k < (int)(0.4 / dt); k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
    }
    double edge = vec3_norm(vec3_sub(s.particles.position[71], s.particles.position[0]));
    check_close(edge, sqrt(0.04 + 0.09 + 0.25), 1e-13, "diagonal");
    /* what a place loses by rounding, over dt, in each iteration */
    check_close(s.totals.momentum.x, 72 * 0.2, 1e-10, "momentum");
    double left = s.totals.angular.z / before;
    simulation_free(&s);
    hand_scene_end(&h);
    return left;
}

TEST(a_rigid_body_that_spins_keeps_its_shape)
{
    double loss = 1.0 - spin_left(2e-3), half = 1.0 - spin_left(1e-3);
    check(loss > 0.0 && loss < 0.02);
    check_close(loss / half, 2.0, 0.05, "loss over that in steps half as long");
}
