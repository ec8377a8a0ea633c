/* Rigid bodies in contact, in schemes that solve for velocities: at rest, in piles, beside cloth,
 * and the same to the bit for any number of threads. */
#include "endings.h"
#include "rigid_scenes.h"

static const double G = 10.0; /* m/s^2 */

/* A floor of fixed particles, n x n, whose tops are at z = 0. */
static void add_floor(struct hand_scene *h, size_t material, int n)
{
    add_body(h, material, 0.05, 0.2);
    const double half = 0.05 * (n - 1);
    fix_from(h, add_block(h, n, n, 1, vec3(-half, -half, -0.05), vec3(0.0, 0.0, 0.0)));
}

static void make_stack(struct hand_scene *h, enum contact_method method, int boxes, double deeper)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.contact.method = method;
    const size_t stone = add_rigid(h);
    add_floor(h, stone, 4);
    for (int k = 0; k < boxes; k++) {
        add_body(h, stone, 0.05, 0.2);
        const double z = 0.05 + 0.2 * k - deeper * (k + 1);
        add_block(h, 2, 2, 2, vec3(-0.05, -0.05, z), vec3(0.0, 0.0, 0.0));
    }
}

/* Displaces each particle by at most so many radii, so that bodies are pushed aside, and of four
 * contacts at a face one or the other is open by that much. The stack falls for a step, and boxes
 * rock until all of them are in touch. */
static void displace(struct hand_scene *h, double radii)
{
    for (size_t i = 0; i < h->particles.n; i++) {
        const struct vec3 by = vec3_scale(radii * h->particles.radius[i], random_vector(5, i));
        h->particles.position[i] = vec3_add(h->particles.position[i], by);
        h->rest[i] = vec3_add(h->rest[i], by);
    }
}

/* Places and speeds are `little` from rest, of the length and the velocity 1. */
static void rest(enum contact_method method, double alpha, double displaced, double little)
{
    enum { BOXES = 10, STEPS = 300, FALLS = 240 };
    struct hand_scene h;
    struct simulation s;
    make_stack(&h, method, BOXES, displaced > 0.0 ? 0.0 : 1e-7);
    displace(&h, displaced);
    h.scene.contact.alpha = alpha;
    if (method == CONTACT_SLIDING) /* without it, balls on balls are no equilibrium that lasts */
        h.scene.contact.friction = h.scene.contact.static_friction = 0.5;
    const size_t n = h.particles.n;
    const double dt = h.scene.time.max_step, weight = 0.2 * 8 * BOXES * G * dt;
    start(&h, &s);
    double off = 0.0, speed = 0.0;
    for (int k = 0; k < STEPS; k++) {
        const struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        check(row.unresolved == 0.0);
        if (displaced > 0.0 && k < FALLS)
            continue;
        speed = fmax(speed, row.speed_max);
        check_close(row.support_impulse_z / weight, 1.0, fmax(1e-9, little),
                    "impulse of the floor");
    }
    for (size_t i = 0; i < n; i++)
        off = fmax(off, vec3_norm(vec3_sub(s.particles.position[i], h.rest[i])));
    printf("#   after %d steps: off by %.3g m, speeds up to %.3g m/s\n", STEPS, off, speed);
    check_close(off, 0.0, displaced > 0.0 ? 2.0 * BOXES * G * dt * dt : little, "places");
    check_close(speed, 0.0, little, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_stack_of_ten_rests)
{
    rest(CONTACT_MERGING_AND_SPLITTING, 1.0, 0.0, 1e-12);
    rest(CONTACT_MERGING_AND_SPLITTING, 0.0, 0.0, 1e-12);
    rest(CONTACT_SLIDING, 1.0, 0.0, 1e-12);
    rest(CONTACT_SLIDING, 0.0, 1e-12, 1e-8);
}

/* Links said to be unresolved when a stack of boxes hits the floor, each so many times as heavy as
 * the one below. */
static double unresolved_under(double times)
{
    enum { BOXES = 6, STEPS = 10, FLOOR = 16, BOX = 8 };
    struct hand_scene h;
    struct simulation s;
    make_stack(&h, CONTACT_SLIDING, BOXES, 0.0);
    displace(&h, 1e-3);
    for (size_t i = FLOOR; i < h.particles.n; i++) {
        h.particles.mass[i] *= pow(times, (double)((i - FLOOR) / BOX));
        h.particles.velocity[i] = vec3(0.0, 0.0, -1.0);
    }
    start(&h, &s);
    double unresolved = 0.0;
    for (int k = 0; k < STEPS; k++)
        unresolved += step_once(&s).unresolved;
    simulation_free(&s);
    hand_scene_end(&h);
    return unresolved;
}

/* Masses in a ratio of 1e35 in all are beyond the solver. */
TEST(normals_that_are_not_solved_are_unresolved)
{
    check_equal(unresolved_under(1e3), 0, "boxes a thousand times as heavy");
    check(unresolved_under(1e7) > 0.0);
}

/* ---- many ---- */

/* Boxes of 2 x 2 x 3, turned at random, that fly at each other. */
static void make_swarm(struct hand_scene *h, enum contact_method method)
{
    hand_scene_begin(h);
    h->scene.contact.method = method;
    h->scene.contact.stages = 6;
    h->scene.contact.alpha = 0.8;
    h->scene.time.max_step = 2e-3;
    if (method == CONTACT_SLIDING) {
        h->scene.contact.detection = DETECTION_SWEPT;
        h->scene.contact.friction = h->scene.contact.static_friction = 0.3;
    }
    const size_t stone = add_rigid(h);
    for (uint64_t k = 0; k < 8; k++) {
        const struct vec3 side =
            vec3(k & 1 ? 0.25 : -0.25, k & 2 ? 0.25 : -0.25, k & 4 ? 0.25 : -0.25);
        add_body(h, stone, 0.05, 0.1 + 0.05 * (double)k);
        const uint32_t first =
            add_block(h, 2, 2, 3, vec3_add(side, vec3(-0.05, -0.05, -0.1)), vec3(0.0, 0.0, 0.0));
        turn_about(h, first, side, rotation_by(vec3_scale(2.0, random_vector(3, k))));
        move_from(h, first, vec3_axpy(vec3_scale(0.4, random_vector(5, k)), -4.0, side),
                  vec3_scale(4.0, random_vector(4, k)));
    }
}

static void check_swarm(enum contact_method method)
{
    struct hand_scene h;
    struct simulation s;
    make_swarm(&h, method);
    start(&h, &s);
    const struct vec3 momentum = s.totals.momentum, angular = s.totals.angular;
    const double energy = s.totals.kinetic;
    double scale = 0.0, most = energy, stuck = 0.0;
    for (size_t i = 0; i < s.particles.n; i++)
        scale += s.particles.mass[i] * vec3_norm(s.particles.velocity[i]);
    for (int k = 0; k < 400; k++) {
        const struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12 * energy, "energy_imbalance");
        most = fmax(most, row.kinetic);
        stuck += row.approaching;
    }
    const double p = vec3_norm(vec3_sub(s.totals.momentum, momentum)) / scale;
    const double L = vec3_norm(vec3_sub(s.totals.angular, angular)) / scale;
    double shape = 0.0;
    for (size_t k = 0; k < 8; k++)
        shape = fmax(shape, shape_off(&s.particles, h.rest, 12 * k, 12 * k + 12));
    printf(
        "#   momentum off by %.3g, angular momentum by %.3g, energy from %.4g to %.4g J, at most "
        "%.4g, shapes off by %.3g m, %g pairs approached\n",
        p, L, energy, s.totals.kinetic, most, shape, stuck);
    check(stuck > 10.0);
    check_close(p, 0.0, 1e-13, "momentum");
    check_close(L, 0.0, 1e-13, "angular momentum");
    check_close(shape, 0.0, 1e-12, "shapes");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(bodies_that_collide_keep_momentum_and_angular_momentum)
{
    check_swarm(CONTACT_MERGING_AND_SPLITTING);
    check_swarm(CONTACT_SLIDING);
}

static struct ending swarm_with(enum contact_method method, int threads, bool goes_on)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row = {0};
    make_swarm(&h, method);
    omp_set_num_threads(threads);
    start(&h, &s);
    for (int k = 0; k < 100; k++)
        row = step_once(&s);
    const struct ending end = ending_of(&s, row);
    if (goes_on)
        check_goes_on(&s, h.rest, 20);
    simulation_free(&s);
    hand_scene_end(&h);
    return end;
}

TEST(the_same_bits_for_any_number_of_threads_and_after_a_stop)
{
    static const enum contact_method methods[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_SLIDING,
                                                  CONTACT_PENALTY};
    for (size_t m = 0; m < 3; m++) {
        struct ending one = swarm_with(methods[m], 1, true);
        for (int threads = 2; threads <= 3; threads++) {
            struct ending more = swarm_with(methods[m], threads, false);
            check_same_ending(&one, &more);
            ending_free(&more);
        }
        ending_free(&one);
    }
}

/* ---- a heap ---- */

/* 2 x 2 x 2 boxes of 3 x 3 x 2 particles, turned a little at random, above a floor: at faces
 * and edges there are more contacts than a body has ways to move, so that the problem of their
 * impulses is singular. */
static void make_heap(struct hand_scene *h, double friction)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.time.max_step = 3e-3;
    h->scene.contact.method = CONTACT_SLIDING;
    h->scene.contact.stages = 6;
    h->scene.contact.alpha = 0.0;
    h->scene.contact.friction = h->scene.contact.static_friction = friction;
    const size_t stone = add_rigid(h);
    add_floor(h, stone, 14);
    for (int k = 0; k < 8; k++) {
        const struct vec3 center =
            vec3(k & 1 ? 0.19 : -0.19, k & 2 ? 0.19 : -0.19, 0.2 + 0.3 * (k / 4));
        add_body(h, stone, 0.05, 0.2);
        const uint32_t first =
            add_block(h, 3, 3, 2, vec3_sub(center, vec3(0.1, 0.1, 0.05)), vec3(0.0, 0.0, 0.0));
        turn_about(h, first, center, rotation_by(vec3_scale(0.2, random_vector(2, (uint64_t)k))));
    }
}

/* No step adds to the energy, and what has fallen lies, or slides and rolls on. */
static void fall(double friction)
{
    enum { STEPS = 120 };
    struct hand_scene h;
    struct simulation s;
    make_heap(&h, friction);
    start(&h, &s);
    struct ledger_row before = {0};
    double most = 0.0, rise = 0.0, fastest = 0.0;
    size_t contacts = 0;
    for (int k = 0; k < STEPS; k++) {
        const struct ledger_row row = step_once(&s);
        const double energy = row.kinetic + row.gravitational;
        most = fmax(most, fabs(energy));
        if (k > 0) {
            rise = fmax(rise, energy - before.kinetic - before.gravitational);
            check_row(&before, &row, most, 1e-12);
        }
        fastest = fmax(fastest, row.kinetic);
        check(row.unresolved == 0.0);
        contacts = row.contacts > (double)contacts ? (size_t)row.contacts : contacts;
        before = row;
    }
    printf("#   friction %g: up to %zu contacts, kinetic energy up to %.3g J, %.3g J at the end; "
           "energy "
           "rose by up to %.3g J in a step\n",
           friction, contacts, fastest, before.kinetic, rise);
    check(rise <= 1e-6 * most);
    check(before.kinetic < 0.1 * fastest);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_heap_falls_together)
{
    fall(0.2);
    fall(0.4);
    fall(0.8);
}

/* ---- beside cloth ---- */

enum { SIDE = 7 };

/* A ball above a cloth, or a block of some layers; held: its rim is fixed. */
static void make_cloth(struct hand_scene *h, enum contact_method method, int layers, bool held,
                       double friction)
{
    hand_scene_begin(h);
    h->scene.contact.method = method;
    h->scene.contact.stages = 6;
    h->scene.contact.alpha = 0.0;
    h->scene.contact.friction = h->scene.contact.static_friction = friction;
    if (method == CONTACT_MERGING_AND_SPLITTING) {
        h->scene.solver.integrator = INTEGRATOR_VERLET;
        h->scene.time.max_step = 2e-4;
    }
    h->scene.solver.tolerance = 1e-9;
    add_body(h, add_springs(h, 200.0, 100.0, 10.0, 5e-3), 0.05, 0.01);
    const double half = 0.05 * (SIDE - 1);
    add_block(h, SIDE, SIDE, layers, vec3(-half, -half, -0.1 * (layers - 1)), vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < SIDE * SIDE && held; i++)
        if (i % SIDE == 0 || i % SIDE == SIDE - 1 || i / SIDE == 0 || i / SIDE == SIDE - 1)
            h->particles.state[i] = PARTICLE_FIXED;
    add_body(h, add_rigid(h), 0.05, 0.02);
    add_ball(h, 0.11, vec3(0.01, 0.02, 0.22), vec3(0.0, 0.0, 0.0));
}

/* A ball that falls on a free cloth and spins; angular momentum may be off by `spin`, relative. */
static void fly(enum contact_method method, int layers, double friction, double spin)
{
    struct hand_scene h;
    struct simulation s;
    make_cloth(&h, method, layers, false, friction);
    const uint32_t ball = SIDE * SIDE * (uint32_t)layers;
    move_from(&h, ball, vec3(0.3, 0.0, -2.0), vec3(1.0, 2.0, 3.0));
    start(&h, &s);
    const struct vec3 momentum = s.totals.momentum, angular = s.totals.angular;
    const double energy = s.totals.kinetic, end = 0.06;
    double touched = 0.0;
    while (s.time < end - 1e-9) {
        const struct ledger_row row = step_once(&s);
        touched += row.contacts > 0.0;
        check_close(row.energy_imbalance, 0.0, 1e-12 * energy, "energy_imbalance");
    }
    const double p = vec3_norm(vec3_sub(s.totals.momentum, momentum)) / vec3_norm(momentum);
    const double L = vec3_norm(vec3_sub(s.totals.angular, angular)) / vec3_norm(angular);
    printf("#   %g steps in touch, momentum off by %.3g, angular momentum by %.3g, energy %.4g of "
           "%.4g J, shape off by %.3g m\n",
           touched, p, L, s.totals.kinetic, energy,
           shape_off(&s.particles, h.rest, ball, s.particles.n));
    check(touched > 10.0);
    check_close(p, 0.0, 1e-12, "momentum");
    check_close(L, 0.0, spin, "angular momentum");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_ball_and_a_cloth_keep_momentum)
{
    fly(CONTACT_SLIDING, 1, 0.0, 1e-8); /* the tolerance of the solve */
    fly(CONTACT_SLIDING, 1, 0.3, 1e-8);
    fly(CONTACT_SLIDING, 2, 0.3, 1e-8);
    fly(CONTACT_MERGING_AND_SPLITTING, 1, 0.0, 1e-3);
}

/* A ball falls into a held cloth, whose rim bears what the solver has not left. */
TEST(a_ball_falls_into_a_held_cloth)
{
    struct hand_scene h;
    struct simulation s;
    make_cloth(&h, CONTACT_SLIDING, 1, true, 0.3);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    const uint32_t ball = SIDE * SIDE;
    move_from(&h, ball, vec3(0.0, 0.0, -1.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    struct vec3 momentum = s.totals.momentum;
    double touched = 0.0, lowest = 1.0;
    for (int k = 0; k < 120; k++) {
        const struct ledger_row row = step_once(&s);
        const struct vec3 known = vec3(row.gravity_impulse_x + row.support_impulse_x,
                                       row.gravity_impulse_y + row.support_impulse_y,
                                       row.gravity_impulse_z + row.support_impulse_z);
        const struct vec3 left = vec3_sub(vec3_sub(row_momentum(&row), momentum), known);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        check_vec3(vec3_sub(left, row_residual(&row)), vec3(0.0, 0.0, 0.0), 1e-13, "momentum");
        momentum = row_momentum(&row);
        touched += row.contacts > 0.0;
        lowest = fmin(lowest, plain_body(&s.particles, ball, s.particles.n).center.z);
    }
    printf("#   %g steps in touch, the ball came down to %.3g m\n", touched, lowest);
    check(touched > 20.0);
    check(lowest > -0.1 && lowest < 0.15);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Boxes fall on a held cloth and on each other. */
TEST(a_heap_falls_on_a_cloth)
{
    enum { STEPS = 100, BOXES = 4 };
    struct hand_scene h;
    struct simulation s;
    make_cloth(&h, CONTACT_SLIDING, 1, true, 0.4);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.time.max_step = 2e-3;
    h.particles.n = SIDE * SIDE; /* without the ball */
    for (int k = 0; k < BOXES; k++) {
        const struct vec3 center = vec3(k & 1 ? 0.12 : -0.12, 0.0, 0.25 + 0.3 * (k / 2));
        if (k > 0)
            add_body(&h, 1, 0.05, 0.02);
        const uint32_t first =
            add_block(&h, 2, 2, 3, vec3_sub(center, vec3(0.05, 0.05, 0.1)), vec3(0.0, 0.0, 0.0));
        turn_about(&h, first, center, rotation_by(vec3_scale(0.5, random_vector(7, (uint64_t)k))));
    }
    start(&h, &s);
    struct ledger_row before = {0};
    double most = 0.0, rise = 0.0, links = 0.0;
    for (int k = 0; k < STEPS; k++) {
        const struct ledger_row row = step_once(&s);
        const double energy = row.kinetic + row.gravitational + row.elastic;
        most = fmax(most, fabs(energy));
        if (k > 0) {
            rise = fmax(rise, energy - before.kinetic - before.gravitational - before.elastic);
            check_row(&before, &row, most, 1e-8);
        }
        links = fmax(links, row.contacts);
        before = row;
    }
    printf("#   up to %g contacts, %.3g of %.3g J; energy rose by up to %.3g J in a step\n", links,
           before.kinetic + before.gravitational + before.elastic, most, rise);
    check(links > 5.0);
    check(rise <= 1e-6 * most);
    simulation_free(&s);
    hand_scene_end(&h);
}
