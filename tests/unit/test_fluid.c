/* Fluids in the time step: alone, beside each other and beside solids. */
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01; /* m */

/* A turning drop, displaced from its lattice and pressed together a little. */
static void add_drop(struct hand_scene *h, size_t material, struct vec3 center, double radius)
{
    add_body(h, material, R, 8e-3);
    uint32_t first = add_ball(h, radius, center, vec3(0.0, 0.0, 0.0));
    for (uint32_t i = first; i < h->particles.n; i++) {
        struct vec3 *x = &h->particles.position[i], arm = vec3_sub(*x, center);
        *x = vec3_axpy(vec3_axpy(*x, -0.04, arm), 0.1 * R, random_vector(5, i));
        h->particles.velocity[i] =
            vec3_axpy(vec3_cross(vec3(3.0, -4.0, 12.0), arm), 0.3, random_vector(6, i));
    }
}

TEST(a_drop_keeps_momentum_and_its_ledger_closes)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.time.max_step = 1.0;
    add_drop(&h, add_fluid(&h, 2e4, 0.02), vec3(0.2, 0.1, 1.0), 0.09);
    start(&h, &s);
    double dt_sound = 0.4 * 2.0 * R / sqrt(2.0 * 2e4 / 1000.0), fluid = 0.0, damping = 0.0;
    check_equal(s.touching.n, 0, "contacts inside the fluid");
    struct vec3 begun = s.totals.momentum, impulse = {0, 0, 0};
    for (int k = 0; k < 60; k++) {
        double angular = 0.0;
        for (size_t i = 0; i < s.particles.n; i++)
            angular += s.particles.mass[i] *
                       vec3_cross(s.particles.position[i], s.particles.velocity[i]).z;
        struct ledger_row row = step_once(&s);
        check(row.dt <= dt_sound && row.dt > 0.02 * dt_sound);
        check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-13, "energy_imbalance");
        /* places are rounded, and with them the arms of forces */
        check_close((row.angular_z - angular) / row.momentum_scale, 0.0, 1e-9, "angular momentum");
        impulse = vec3_add(impulse, vec3(0.0, 0.0, row.gravity_impulse_z));
        struct vec3 drift = vec3_sub(vec3_sub(row_momentum(&row), begun), impulse);
        check_close(vec3_norm(drift) / row.momentum_scale, 0.0, 1e-14, "momentum");
        check(row.damping > 0.0 && row.numerical_dissipation > 0.0 && row.support_impulse_z == 0.0);
        fluid += ledger_value(&row, "pressure_work");
        damping += row.damping;
    }
    check(fluid < -1e-3 && damping > 1e-3); /* it had been pressed together */
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_fluid_comes_to_rest_at_the_longest_step)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    add_body(&h, add_fluid(&h, 5e3, 0.05), R, 8e-3);
    add_ball(&h, 0.08, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    jitter(&h, 0.3 * R, 9);
    start(&h, &s);
    double before = 0.0, after = 0.0;
    for (int k = 0; k < 100; k++) {
        struct ledger_row row = step_once(&s);
        *(k < 50 ? &before : &after) += row.speed_max;
    }
    check(before > 0.5 && after < before);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* As long a step as viscosity allows turns no motion around: it takes energy out in every step. */
TEST(a_viscous_fluid_loses_energy_in_every_step)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    add_drop(&h, add_fluid(&h, 100.0, 0.2), vec3(0.0, 0.0, 0.0), 0.09);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3_axpy(h.particles.velocity[i], 1.0, random_vector(8, i));
    start(&h, &s);
    for (int k = 0; k < 60; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.dt, 0.0625 * 4.0 * R * R / 0.2, 1e-5, "step");
        check(row.damping > 0.0);
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Solid, fluid and another fluid: three systems, each with particles of its own. */
static void fill_three(struct hand_scene *h, const char *method)
{
    hand_scene_begin(h);
    h->scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    add_body(h, add_springs(h, 40.0, 40.0, 20.0, 1e-4), R, 8e-3);
    add_block(h, 8, 8, 2, vec3(-0.07, -0.07, 0.0), vec3(0.0, 0.0, 0.0));
    add_drop(h, add_fluid(h, 2e4, 0.02), vec3(0.0, 0.0, 0.12), 0.06);
    add_drop(h, add_fluid(h, 1e4, 0.01), vec3(0.0, 0.0, -0.10), 0.06);
    for (size_t i = 0; i < h->particles.n; i++)
        if (h->particles.body[i] == 1)
            h->particles.velocity[i].z -= 2.0;
}

TEST(three_systems_share_a_step)
{
    struct hand_scene h;
    struct simulation s;
    fill_three(&h, "impulse");
    start(&h, &s);
    check_equal(s.n_systems, 3, "systems");
    check_equal(s.system[1]->first, 128, "first particle of the first fluid");
    check_equal(s.system[2]->first + s.system[2]->n, s.particles.n, "end of the second fluid");
    struct vec3 begun = s.totals.momentum;
    double contacts = 0.0;
    for (int k = 0; k < 60; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-12, "energy_imbalance");
        check_close(vec3_norm(vec3_sub(row_momentum(&row), begun)) / row.momentum_scale, 0.0, 1e-13,
                    "momentum");
        contacts += row.contacts;
        for (size_t c = 0; c < s.touching.n; c++) {
            uint32_t a = s.particles.body[s.touching.pair[c].i];
            uint32_t b = s.particles.body[s.touching.pair[c].j];
            check(a == 0 || a != b);
        }
    }
    check(contacts > 10.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(determinism_of_three_systems)
{
    enum { MOST = 2000 };
    static struct vec3 expected[MOST];
    const int threads[] = {1, 2, 5};
    for (int t = 0; t < 3; t++) {
        struct hand_scene h;
        struct simulation s;
        fill_three(&h, "penalty");
        omp_set_num_threads(threads[t]);
        start(&h, &s);
        check(s.particles.n < MOST);
        for (int k = 0; k < 40; k++)
            step_once(&s);
        if (t == 0)
            memcpy(expected, s.particles.position, s.particles.n * sizeof *expected);
        check(memcmp(expected, s.particles.position, s.particles.n * sizeof *expected) == 0);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

TEST(a_fluid_that_blows_up_ends_with_an_error)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_drop(&h, add_fluid(&h, 2e4, 0.02), vec3(0.0, 0.0, 0.0), 0.05);
    start(&h, &s);
    s.particles.velocity[7].x = (double)NAN;
    struct ledger_row row;
    struct error error = {0};
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "step 1, t = 0 s");
    check_contains(error.message, "not finite");
    simulation_free(&s);
    hand_scene_end(&h);
}
