/* Impulses iterated to convergence, and position correction, against closed forms. */
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01, M = 8e-3, G = 9.81; /* m, kg, m/s^2 */

static void begin_loose(struct hand_scene *h, enum contact_method method)
{
    hand_scene_begin(h);
    h->scene.contact.method = method;
    h->scene.solver.tolerance = 1e-14;
    add_loose(h);
}

/* A loose particle, a body of its own, on the x axis. */
static uint32_t add_on_axis(struct hand_scene *h, double x, double velocity, double mass)
{
    add_body(h, 0, R, mass);
    return add_particle(h, vec3(x, 0.0, 0.0), vec3(velocity, 0.3, 0.0));
}

/* Textbook: the relative velocity is reversed, times sqrt(alpha). */
TEST(two_particles_bounce_exactly)
{
    static const double alphas[] = {1.0, 0.25, 0.0};
    for (size_t k = 0; k < 3; k++) {
        struct hand_scene h;
        struct simulation s;
        begin_loose(&h, CONTACT_ITERATED_IMPULSE);
        h.scene.contact.alpha = alphas[k];
        add_on_axis(&h, 0.0, 2.0, M);
        add_on_axis(&h, 1.95 * R, -1.0, 3.0 * M);
        start(&h, &s);
        struct ledger_row row = step_once(&s);
        double center = (2.0 - 3.0) / 4.0, e = sqrt(alphas[k]), apart = 3.0 * e;
        check_vec3(s.particles.velocity[0], vec3(center - 0.75 * apart, 0.3, 0.0), 1e-14, "first");
        check_vec3(s.particles.velocity[1], vec3(center + 0.25 * apart, 0.3, 0.0), 1e-14, "second");
        check_close(s.particles.position[1].x - s.particles.position[0].x,
                    1.95 * R + row.dt * apart, 1e-16, "distance");
        double lost = 0.5 * 0.75 * M * 9.0 * (1.0 - alphas[k]);
        check_close(row.contact_work + row.numerical_dissipation, lost, 1e-15, "energy lost");
        check_close(row.energy_imbalance, 0.0, 1e-16, "energy_imbalance");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* 0 hits 1, which touches 2. With p the impulses over m: 2 p1 - p2 = 2 and 2 p2 - p1 = 0. */
TEST(three_in_a_row_find_their_impulses_together)
{
    struct hand_scene h;
    struct simulation s;
    begin_loose(&h, CONTACT_ITERATED_IMPULSE);
    for (int k = 0; k < 3; k++)
        add_on_axis(&h, 1.99 * R * k, k == 0 ? 1.0 : 0.0, M);
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    static const double expected[3] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    for (int k = 0; k < 3; k++)
        check_close(s.particles.velocity[k].x, expected[k], 1e-12, "velocity");
    check_close(row.contact_work + row.numerical_dissipation, 0.0, 1e-14, "energy lost");
    check(row.contact_iterations > 5.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A heap of balls: the law of restitution holds for every pair, with one sign of impulse. */
TEST(the_law_holds_for_all_pairs_of_a_heap)
{
    struct hand_scene h;
    struct simulation s;
    begin_loose(&h, CONTACT_ITERATED_IMPULSE);
    h.scene.contact.alpha = 0.49;
    h.scene.solver.max_iterations = 100000;
    h.scene.solver.tolerance = 1e-12;
    enum { N = 60 };
    for (uint64_t k = 0; k < N; k++) {
        if (k % 20 == 0)
            add_body(&h, 0, R, M * (double)(1 + k / 20));
        uint32_t i = add_particle(&h, vec3_scale(3.5 * R, random_vector(5, k)),
                                  vec3_scale(2.0, random_vector(6, k)));
        h.particles.state[i] = k < 3;
        if (k < 3)
            h.particles.velocity[i] = vec3(0.0, 0.0, 0.0);
    }
    start(&h, &s);
    size_t n = s.touching.n, closed = 0;
    struct vec3 momentum = s.totals.momentum;
    double before = s.energy.kinetic;
    check(n > N);
    struct pair *pair = malloc(n * sizeof *pair);
    double *wanted = malloc(n * sizeof *wanted);
    struct vec3 *normal = malloc(n * sizeof *normal);
    for (size_t k = 0; k < n; k++) {
        struct pair c = pair[k] = s.touching.pair[k];
        struct vec3 x = vec3_sub(s.particles.position[c.j], s.particles.position[c.i]);
        normal[k] = vec3_scale(1.0 / vec3_norm(x), x);
        double u =
            vec3_dot(normal[k], vec3_sub(s.particles.velocity[c.j], s.particles.velocity[c.i]));
        wanted[k] = 0.7 * fmax(-u, 0.0);
    }
    struct ledger_row row = step_once(&s);
    for (size_t k = 0; k < n; k++) {
        struct vec3 v = vec3_sub(s.particles.velocity[pair[k].j], s.particles.velocity[pair[k].i]);
        double above = vec3_dot(normal[k], v) - wanted[k];
        check(above > -1e-10);
        closed += above < 1e-9;
    }
    printf("# %zu pairs, %zu closed, %g sweeps\n", n, closed, row.contact_iterations);
    check(closed > N / 2 && closed < n);
    check(row.kinetic < before);
    struct vec3 support = vec3(row.support_impulse_x, row.support_impulse_y, row.support_impulse_z);
    check_vec3(vec3_sub(row_momentum(&row), momentum), support, 1e-15, "momentum");
    check_close(row.energy_imbalance, 0.0, 1e-14, "energy_imbalance");
    free(pair);
    free(wanted);
    free(normal);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_column_rests)
{
    struct hand_scene h;
    struct simulation s;
    begin_loose(&h, CONTACT_ITERATED_IMPULSE);
    h.scene.gravity = vec3(-G, 0.0, 0.0);
    h.scene.solver.max_iterations = 10000;
    add_body(&h, 0, R, M);
    fix_from(&h, add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    for (int k = 1; k < 5; k++) {
        add_body(&h, 0, R, M);
        add_particle(&h, vec3(1.999 * R * k, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    }
    start(&h, &s);
    for (int step = 0; step < 200; step++) {
        struct ledger_row row = step_once(&s);
        check(row.speed_max < 1e-14);
        check_close(row.support_impulse_x, 4.0 * M * G * row.dt, 1e-15, "support");
    }
    check_close(s.particles.position[4].x, 4.0 * 1.999 * R, 1e-15, "top");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A block of loose particles, all in touch, moves and turns as a rigid body. Its particles approach
 * each other by rounding only, which needs no impulse. */
TEST(rounding_is_no_approach)
{
    struct hand_scene h;
    struct simulation s;
    struct vec3 before[125];
    begin_loose(&h, CONTACT_ITERATED_IMPULSE);
    h.scene.gravity = vec3(0.0, 0.0, 0.0);
    add_body(&h, 0, R, M);
    for (int k = 0; k < 125; k++) {
        const struct vec3 spin = vec3(11.0, -3.0, 7.0);
        struct vec3 x = vec3_axpy(vec3_scale(1.8 * R, vec3(k % 5, k / 5 % 5, k / 25)), 0.2 * R,
                                  random_vector(8, (uint64_t)k));
        before[k] = vec3_add(vec3(1.3, -2.1, 0.7), vec3_cross(spin, x));
        add_particle(&h, x, before[k]);
    }
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    check(row.approaching > 50.0);
    for (int k = 0; k < 125; k++)
        check_vec3(s.particles.velocity[k], before[k], 1e-14, "velocity");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(too_many_sweeps_are_an_error)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    struct error error = {0};
    begin_loose(&h, CONTACT_ITERATED_IMPULSE);
    h.scene.solver.max_iterations = 3;
    for (int k = 0; k < 3; k++)
        add_on_axis(&h, 1.99 * R * k, k == 0 ? 1.0 : 0.0, M);
    start(&h, &s);
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "after 3 sweeps, impulses still change velocities");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The lighter one moves farther, and nobody gets faster. */
TEST(correction_moves_two_particles_apart)
{
    static const double corrections[] = {1.0, 0.25};
    for (size_t k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        double c = corrections[k];
        begin_loose(&h, CONTACT_CORRECTED_IMPULSE);
        h.scene.contact.correction = c;
        add_on_axis(&h, 0.0, 0.0, M);
        add_on_axis(&h, 1.6 * R, 0.0, 3.0 * M);
        start(&h, &s);
        struct ledger_row row = step_once(&s);
        check_close(s.particles.position[0].x, -0.3 * c * R, 1e-15, "first");
        check_close(s.particles.position[1].x, (1.6 + 0.1 * c) * R, 1e-15, "second");
        check_vec3(s.particles.velocity[0], vec3(0.0, 0.3, 0.0), 1e-15, "velocity");
        check_close(row.contact_work, 0.0, 1e-18, "contact_work");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* A particle pushed out of a block stretches bonds that nobody works on: the energy is from
 * nowhere, and the ledger says so. */
static void check_energy_of_correction(enum contact_method method)
{
    struct hand_scene h;
    struct simulation s;
    begin_loose(&h, method);
    h.scene.contact.stiffness = 1e3;
    h.scene.contact.correction = 1.0;
    add_body(&h, 0, R, 20.0 * M);
    add_particle(&h, vec3(2.0 * R, 2.1 * R, 1.6 * R), vec3(0.0, 0.0, 0.0));
    add_body(&h, add_springs(&h, 60.0, 40.0, 5.0, 2e-3), R, M);
    add_block(&h, 3, 3, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    double before = s.energy.kinetic + s.energy.elastic, made = 0.0;
    check_close(before, 0.0, 1e-15, "energy");
    struct ledger_row row = {0};
    for (int step = 0; step < 5; step++) {
        row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
        made += row.linearization;
    }
    check(made > 1e-4 && row.kinetic + row.elastic > 1e-5);
    check(row.contact_iterations > 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_correction_does_to_bonds_is_in_the_ledger)
{
    check_energy_of_correction(CONTACT_CORRECTED_IMPULSE);
    check_energy_of_correction(CONTACT_CORRECTED_PENALTY);
}
