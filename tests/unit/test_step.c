/* The time step against closed forms: free flight, two-body collisions, the limit of the step,
 * head-on and grazing beams. */
#include "base/memory.h"
#include "scenes.h"

/* Two loose particles of radii and masses given, the second at the distance d along `axis`. */
struct duel {
    double mass[2];
    struct vec3 velocity[2];
    struct vec3 axis; /* unit vector from the first to the second */
    double alpha;
    bool fixed[2];
};

/* Velocities after one step in touch. */
static struct ledger_row fight(const struct duel *d, struct vec3 after[2])
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.alpha = d->alpha;
    h.scene.time.max_step = 1e-4;
    size_t loose = add_loose(&h);
    for (int k = 0; k < 2; k++) {
        add_body(&h, loose, 0.01, d->mass[k]);
        uint32_t i = add_particle(&h, vec3_scale(0.0199 * k, d->axis), d->velocity[k]);
        if (d->fixed[k])
            fix_from(&h, i);
    }
    start(&h, &s);
    check_equal(s.touching.n, 1, "contacts");
    struct ledger_row row = step_once(&s);
    for (int k = 0; k < 2; k++)
        after[k] = s.particles.velocity[k];
    check_close(row.energy_imbalance, 0.0,
                1e-14 * (row.kinetic + ledger_value(&row, "merge_stored")), "energy_imbalance");
    simulation_free(&s);
    hand_scene_end(&h);
    return row;
}

/* v' = v - (1 + e) m2 / (m1 + m2) ((v1 - v2).n) n for frictionless spheres. */
static void collide(const struct duel *d, double restitution, struct vec3 out[2])
{
    double approach = vec3_dot(vec3_sub(d->velocity[0], d->velocity[1]), d->axis);
    double total = d->mass[0] + d->mass[1];
    double fraction0 = d->fixed[0] ? 0.0 : d->fixed[1] ? 1.0 : d->mass[1] / total;
    out[0] = vec3_axpy(d->velocity[0], -(1.0 + restitution) * fraction0 * approach, d->axis);
    out[1] = vec3_axpy(d->velocity[1], (1.0 + restitution) * (1.0 - fraction0) * approach, d->axis);
}

TEST(head_on_collisions_are_elastic)
{
    const double ratios[] = {1.0, 2.0, 0.1, 1e3, 1e-6};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++)
        for (uint64_t draw = 0; draw < 20; draw++) {
            struct vec3 n = random_vector(1, draw), after[2], expected[2];
            n = vec3_scale(1.0 / vec3_norm(n), n);
            struct duel d = {.mass = {0.01, 0.01 * ratios[k]},
                             .velocity = {vec3_scale(2.0, n), vec3_scale(-0.5, n)},
                             .axis = n,
                             .alpha = 1.0};
            struct ledger_row row = fight(&d, after);
            collide(&d, 1.0, expected);
            check_vec3(after[0], expected[0], 1e-13, "first");
            /* MS 8: what rounding left in the first, times the ratio of the masses */
            check_vec3(after[1], expected[1], 1e-13 + 1e-15 / ratios[k], "second");
            check_equal(row.approaching, 1, "approaching");
            check_equal(row.groups, 1, "groups");
            check_equal(ledger_value(&row, "largest_group"), 2, "members");
            check_equal(ledger_value(&row, "splits_with_root"), 1, "splits_with_root");
        }
}

/* Any direction: with v'12 = v12 the smaller root of MS 13 is the frictionless elastic collision.
 */
TEST(oblique_collisions_keep_the_sliding_velocity)
{
    for (uint64_t draw = 0; draw < 200; draw++) {
        struct vec3 n = random_vector(2, draw), after[2], expected[2];
        n = vec3_scale(1.0 / vec3_norm(n), n);
        struct duel d = {.mass = {0.01, 0.01 + 0.1 * random_uniform(3, 0, draw, RANDOM_TEST)},
                         .velocity = {random_vector(4, draw), random_vector(5, draw)},
                         .axis = n,
                         .alpha = 1.0};
        bool meet = vec3_dot(vec3_sub(d.velocity[1], d.velocity[0]), n) < 0.0;
        struct ledger_row row = fight(&d, after);
        if (meet) {
            collide(&d, 1.0, expected);
            check_vec3(after[0], expected[0], 1e-13, "first");
            check_vec3(after[1], expected[1], 1e-13, "second");
        } else {
            check_vec3(after[0], d.velocity[0], 0.0, "first, untouched");
            check_vec3(after[1], d.velocity[1], 0.0, "second, untouched");
        }
        check_equal(row.approaching, meet, "approaching");
    }
}

/* alpha is the fraction of the energy of relative motion that comes back: e = sqrt(alpha) head-on.
 */
TEST(restitution_is_the_root_of_alpha)
{
    const double alphas[] = {0.0, 0.25, 0.5, 0.81, 1.0};
    for (size_t k = 0; k < sizeof alphas / sizeof alphas[0]; k++) {
        struct vec3 after[2], expected[2];
        struct duel d = {.mass = {0.01, 0.03},
                         .velocity = {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}},
                         .axis = {1.0, 0.0, 0.0},
                         .alpha = alphas[k]};
        struct ledger_row row = fight(&d, after);
        collide(&d, sqrt(alphas[k]), expected);
        check_vec3(after[0], expected[0], 1e-14, "first");
        check_vec3(after[1], expected[1], 1e-14, "second");
        double relative = 0.5 * 0.01 * 0.03 / 0.04 * 4.0;
        check_close(ledger_value(&row, "merge_stored"), relative, 1e-15, "put into the bond");
        check_close(ledger_value(&row, "split_returned"), alphas[k] * relative, 1e-15, "returned");
        check_close(ledger_value(&row, "merge_dissipated"), (1.0 - alphas[k]) * relative, 1e-15,
                    "kept");
    }
}

/* From either side in index order: reflected, and sliding on. */
TEST(a_fixed_particle_reflects)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        double towards = fixed == 0 ? -1.0 : 1.0;
        struct vec3 after[2];
        struct duel d = {.mass = {0.01, 0.03}, .axis = {0.0, 0.0, 1.0}, .alpha = 1.0};
        d.fixed[fixed] = true;
        d.velocity[1 - fixed] = vec3(0.3, -0.2, towards);
        struct ledger_row row = fight(&d, after);
        check_vec3(after[1 - fixed], vec3(0.3, -0.2, -towards), 1e-14, "reflected");
        check_vec3(after[fixed], vec3(0.0, 0.0, 0.0), 0.0, "fixed");
        check_close(row.support_impulse_z, -2.0 * towards * d.mass[1 - fixed], 1e-15, "impulse");
        check_close(row.support_impulse_x, 0.0, 1e-15, "no friction");
        d.alpha = 0.0;
        fight(&d, after);
        check_vec3(after[1 - fixed], vec3(0.0, 0.0, 0.0), 0.0, "stuck");
    }
}

/* v_n = v_0 + n g dt; x_n = x_0 + n dt v_0 + g dt^2 n (n + 1) / 2, for bonded and loose bodies. */
TEST(free_flight_is_the_closed_form)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.solver.tolerance = 1e-12;
    add_body(&h, add_loose(&h), 0.01, 1e-3);
    struct vec3 v0 = vec3(1.0, 2.0, 3.0);
    add_block(&h, 3, 3, 3, vec3(0, 0, 0), v0);
    add_body(&h, add_peridynamics(&h, 100.0, 3.0, 1e-3, (double)INFINITY), 0.01, 1e-3);
    add_ball(&h, 0.05, vec3(1.0, 0, 0), v0);
    size_t n = h.particles.n;
    struct vec3 *begun = malloc(n * sizeof *begun);
    memcpy(begun, h.particles.position, n * sizeof *begun);
    start(&h, &s);
    double dt = 1e-3;
    for (int k = 1; k <= 100; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.dt, dt, 1e-15, "step");
        check_close(row.support_impulse_z, 0.0, 1e-14, "no support");
        for (size_t i = 0; i < n; i++) {
            struct vec3 drop = vec3(0.0, 0.0, -9.81 * dt * dt * k * (k + 1) / 2.0);
            check_vec3(s.particles.velocity[i], vec3(1.0, 2.0, 3.0 - 9.81 * dt * k), 1e-11,
                       "velocity");
            check_vec3(s.particles.position[i], vec3_add(vec3_axpy(begun[i], dt * k, v0), drop),
                       1e-11, "position");
        }
    }
    free(begun);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* dt = courant r_min / v_max, cut by max_step; the last steps share what is left evenly. */
TEST(the_step_follows_the_fastest_and_the_smallest)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.courant = 0.5;
    h.scene.time.max_step = 1e-2;
    size_t loose = add_loose(&h);
    add_body(&h, loose, 0.01, 1e-3);
    add_particle(&h, vec3(0, 0, 0), vec3(0, 0, 3.0));
    add_body(&h, loose, 0.02, 1e-3);
    add_particle(&h, vec3(1.0, 0, 0), vec3(0, 0, -4.0));
    start(&h, &s);
    struct ledger_row row;
    struct error error = {0};
    double until = 0.1, limit = 0.5 * 0.01 / 4.0;
    int steps = 0;
    while (s.time < until) {
        check_equal(simulation_step(&s, until, &row, &error), STATUS_OK, "status");
        check(row.dt <= limit * (1.0 + 1e-12) && row.dt > 0.98 * limit);
        check(row.displacement <= 0.5 * (1.0 + 1e-12));
        steps++;
    }
    check(s.time == until);
    check_equal(steps, 80, "steps");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(at_rest_the_step_is_the_longest_allowed)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), 0.01, 1e-3);
    add_particle(&h, vec3(0, 0, 0), vec3(0, 0, 0));
    start(&h, &s);
    struct ledger_row row;
    struct error error = {0};
    check_equal(simulation_step(&s, 0.0025, &row, &error), STATUS_OK, "status");
    check_close(row.dt, 0.0025 / 3.0, 1e-18, "step");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* M08: a beam of particles against a row of targets at the limit of the time step, each pair with
 * its own start and impact parameter. Returns how many passed through without ever touching. */
static size_t shoot(double courant, double speed1, double speed2, double offset, size_t n)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.courant = courant;
    h.scene.time.max_step = 1.0;
    h.scene.seed = 3;
    size_t loose = add_loose(&h);
    for (int side = 0; side < 2; side++) {
        add_body(&h, loose, 0.01, 1e-3);
        for (size_t k = 0; k < n; k++) {
            double away = 0.05 + 0.04 * random_uniform(7, 0, k, RANDOM_TEST);
            double angle = 6.28 * random_uniform(7, 1, k, RANDOM_TEST);
            struct vec3 x = vec3(0.1 * (double)k, 0.0, side == 0 ? -away : 0.03);
            if (side == 1)
                x = vec3_axpy(x, offset, vec3(cos(angle), sin(angle), 0.0));
            add_particle(&h, x, vec3(0.0, 0.0, side == 0 ? speed1 : -speed2));
        }
    }
    start(&h, &s);
    while (s.time < 0.3 / (speed1 + speed2))
        step_once(&s);
    size_t missed = 0;
    for (size_t k = 0; k < n; k++)
        missed += s.particles.velocity[k].z == speed1;
    simulation_free(&s);
    hand_scene_end(&h);
    return missed;
}

TEST(no_head_on_collision_is_missed)
{
    size_t n = 500, both = shoot(1.0, 5.0, 5.0, 0.0, n), one = shoot(1.0, 5.0, 0.0, 0.0, n);
    size_t different = shoot(1.0, 5.0, 4.0, 0.0, n), nearly = shoot(1.0, 5.0, 4.0, 1e-3, n);
    check_equal(both, 0, "both move");
    check_equal(one, 0, "one moves");
    check_equal(different, 0, "different speeds");
    check_equal(nearly, 0, "nearly head-on");
    measured("M08.head-on", (double)(both + one + different + nearly));
}

/* With an impact parameter b the two approach in touch over sqrt((2r)^2 - b^2); at the limit they
 * come 2 r nearer per step, so the fraction 1 - sqrt(1 - (b / 2r)^2) is missed. */
TEST(grazing_collisions_can_be_missed)
{
    size_t n = 500;
    const double offsets[] = {0.004, 0.008, 0.012, 0.017, 0.0199};
    const char *names[] = {"M08.grazing-0.4", "M08.grazing-0.8", "M08.grazing-1.2",
                           "M08.grazing-1.7", "M08.grazing-1.99"}; /* offset over radius */
    for (size_t k = 0; k < 5; k++) {
        double ratio = offsets[k] / 0.02, fraction = 1.0 - sqrt(1.0 - ratio * ratio);
        size_t missed = shoot(1.0, 5.0, 5.0, offsets[k], n);
        check_close((double)missed / (double)n, fraction,
                    4.0 * sqrt(fraction * (1.0 - fraction) / (double)n), "fraction missed");
        measured(names[k], (double)missed / (double)n);
    }
    check_equal(shoot(1.0, 5.0, 5.0, 0.0201, n), n, "never in touch");
    size_t missed = shoot(0.5, 5.0, 5.0, 0.017, n);
    check_equal(missed, 0, "half the step misses none of these");
    measured("M08.grazing-1.7.half-step", (double)missed / (double)n);
}

/* The square of the speed overflows, so the step that it allows is zero. */
TEST(time_that_stands_still_is_an_error)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), 0.01, 1e3);
    add_particle(&h, vec3(0, 0, 0), vec3(0, 0, 1e200));
    start(&h, &s);
    struct ledger_row row;
    struct error error = {0};
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "step 1, t = 0 s: the time step has shrunk to 0 s");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_is_not_finite_is_an_error)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -1e308);
    add_body(&h, add_loose(&h), 0.01, 1e3);
    add_particle(&h, vec3(0, 0, 0), vec3(0, 0, 0));
    start(&h, &s);
    struct ledger_row row;
    struct error error = {0};
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "step 1, t = 0 s");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Under valgrind this finds leaks too. */
TEST(creation_survives_every_failed_allocation)
{
    for (long n = 0; n < 1000; n++) {
        struct hand_scene h;
        struct simulation s;
        const struct restart fresh = {0};
        struct error error = {0};
        hand_scene_begin(&h);
        add_body(&h, add_peridynamics(&h, 100.0, 3.0, 0.0, 0.1), 0.01, 1e-3);
        add_block(&h, 3, 3, 3, vec3(0, 0, 0), vec3(0, 0, 0));
        add_body(&h, 0, 0.01, 1e-3);
        add_block(&h, 3, 3, 3, vec3(0, 0, 0.059), vec3(0, 0, 0));
        memory_fail_after(n);
        enum status status = simulation_create(&s, &h.scene, &h.particles, h.rest, &fresh, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK)
            simulation_free(&s);
        else
            check_contains(error.message, "out of memory");
        check(h.particles.position == NULL);
        hand_scene_end(&h);
        if (status == STATUS_OK) {
            check(n > 40);
            return;
        }
    }
    check(false && "never succeeded");
}
