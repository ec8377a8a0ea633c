/* Walls that hold elastic bodies: a body that falls on one comes to rest there and slides along it
 * without friction, and the ledger accounts for all that it loses. */
#include "yards.h"

/* Above a floor, with the paper's meta-particles. */
static void walled_begin(struct yard *y, enum time_integration integrator)
{
    hand_scene_begin(&y->h);
    add_floor(y);
    y->h.scene.gravity = vec3(0.0, 0.0, -G);
    y->h.scene.solver.integrator = integrator;
}

/* A tank in place of the floor. */
static void yard_in_tank(struct yard *y, double edge)
{
    y->wall.keep = KEEP_INSIDE;
    y->wall.region.shape.size = vec3(edge, edge, edge);
    y->wall.region.shape.center = vec3(0.0, 0.0, 0.0);
}

/* ... and nobody is in a wall. */
static struct ledger_row check_walled_step(struct yard *y)
{
    struct ledger_row row = check_step(y);
    for (size_t i = 0; i < y->s.particles.n; i++)
        check(walls_distance(y->s.walls, y->s.particles.position[i]) >
              (1.0 - 1e-6) * WALL_NEAREST * R);
    return row;
}

/* ---- rest ---- */

static void check_rest(enum time_integration integrator, double end)
{
    struct yard y;
    walled_begin(&y, integrator);
    add_stone(&y);
    add_block(&y.h, 5, 4, 4, vec3(0.0, 0.0, 3.1 * R), vec3(0.3, 0.0, -0.5));
    yard_start(&y);
    struct ledger_row row = {0};
    double energy = (double)INFINITY, deepest = (double)INFINITY;
    while (y.s.time < end) {
        row = check_walled_step(&y);
        check(total_energy(&row) <= energy * (1.0 + 1e-9));
        energy = total_energy(&row);
        deepest = fmin(deepest, y.s.particles.position[0].z);
    }
    check(deepest < R && deepest > 0.9 * R); /* touched, and stopped within a step */
    check_close(row.support_impulse_z / (y.s.totals.mass * G * row.dt), 1.0, 1e-3, "weight");
    check_close(row.momentum_x / y.s.totals.mass, 0.3, 1e-6, "slides on");
    for (size_t i = 0; i < y.s.particles.n; i++)
        check_close(y.s.particles.velocity[i].z, 0.0, 1e-4, "rest");
    yard_end(&y);
}

TEST(a_block_falls_and_comes_to_rest_with_backward_euler)
{
    check_rest(INTEGRATOR_BACKWARD_EULER, 0.6);
}

TEST(a_block_falls_and_comes_to_rest_with_newmark)
{
    check_rest(INTEGRATOR_NEWMARK, 1.5);
}

TEST(a_block_falls_and_comes_to_rest_with_verlet)
{
    check_rest(INTEGRATOR_VERLET, 0.3);
}

/* At the end all of its weight is on three faces of the tank, which its corner touches. */
TEST(a_corner_holds_in_three_directions)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    yard_in_tank(&y, 16 * R);
    y.h.scene.gravity = vec3(-4.0, 3.0, -2.0);
    add_stone(&y);
    add_block(&y.h, 3, 3, 3, vec3(-5 * R, R, -6 * R), vec3(0.1, 0.1, -0.2));
    yard_start(&y);
    struct ledger_row row = {0};
    while (y.s.time < 1.0)
        row = check_walled_step(&y);
    double weight = y.s.totals.mass * row.dt;
    check_close(row.support_impulse_x / weight, 4.0, 1e-3, "x");
    check_close(row.support_impulse_y / weight, -3.0, 1e-3, "y");
    check_close(row.support_impulse_z / weight, 2.0, 1e-3, "z");
    check(row.speed_max < 1e-4);
    yard_end(&y);
}

/* In an edge whose two faces push alike, directions are no axes, and at rest hardly anything but
 * their rounding is left of the equations: solves must end nonetheless. */
TEST(a_block_at_rest_in_an_edge_stays_there)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    yard_in_tank(&y, 16 * R);
    y.h.scene.gravity = vec3(-4.0, -4.0, 0.0);
    y.h.scene.solver.tolerance = 1e-5;
    add_stone(&y);
    add_block(&y.h, 3, 3, 3, vec3(-6.9 * R, -6.9 * R, -2 * R), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    struct ledger_row row = {0};
    for (int k = 0; k < 200; k++)
        row = check_walled_step(&y);
    check(row.speed_max < 1e-6);
    check_close(row.support_impulse_x / (y.s.totals.mass * row.dt), 4.0, 1e-6, "x");
    check_close(row.support_impulse_y / (y.s.totals.mass * row.dt), 4.0, 1e-6, "y");
    yard_end(&y);
}

/* ---- along the wall ---- */

/* Down a slope of 30 degrees from rest, already in touch: x = g sin(30) t^2 / 2. */
TEST(a_block_slides_down_a_slope_without_friction)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    y.h.scene.gravity = vec3(0.5 * G, 0.0, -sqrt(0.75) * G); /* the slope is the x-y plane */
    add_stone(&y);
    add_block(&y.h, 5, 4, 2, vec3(0.0, 0.0, 0.999 * R), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    struct ledger_row row = {0};
    while (y.s.time < 0.5)
        row = check_walled_step(&y);
    check_close(row.momentum_x / y.s.totals.mass, 0.5 * G * y.s.time, 1e-6, "speed");
    check_close(row.support_impulse_z / (y.s.totals.mass * sqrt(0.75) * G * row.dt), 1.0, 1e-2,
                "normal force");
    yard_end(&y);
}

/* A wall takes what moves towards it and never pulls what moves away. */
TEST(a_block_leaves_the_wall_freely)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    y.h.scene.gravity = vec3(0.0, 0.0, 0.0);
    add_stone(&y);
    add_block(&y.h, 3, 3, 2, vec3(0.0, 0.0, 0.9 * R), vec3(0.1, 0.0, 0.4));
    yard_start(&y);
    for (int k = 0; k < 50; k++) {
        struct ledger_row row = check_walled_step(&y);
        check(row.support_impulse_z == 0.0);
    }
    check_close(y.momentum.z / y.s.totals.mass, 0.4, 1e-9, "speed");
    yard_end(&y);
}

/* Walls that hold fluids alone do not hold it. */
TEST(only_walls_that_hold_all_hold_a_block)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    y.wall.holds = HOLDS_FLUIDS;
    add_stone(&y);
    add_block(&y.h, 3, 3, 2, vec3(0.0, 0.0, 1.1 * R), vec3(0.0, 0.0, -1.0));
    start(&y.h, &y.s);
    while (y.s.time < 0.05)
        step_once(&y.s);
    check(y.s.particles.position[0].z < -R);
    yard_end(&y);
}

/* ---- with others ---- */

/* Single grains without bonds, far too fast for the step: the last resort stops them. */
TEST(nothing_gets_through_however_fast)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    yard_in_tank(&y, 30 * R);
    y.h.scene.time.courant = 8.0; /* far beyond the radius */
    add_body(&y.h, add_loose(&y.h), R, 8e-3);
    for (int k = 0; k < 8; k++)
        add_particle(&y.h, vec3_scale(10 * R, random_vector(11, (uint64_t)k)),
                     vec3_scale(60.0, random_vector(12, (uint64_t)k)));
    yard_start(&y);
    double stopped = 0.0;
    for (int k = 0; k < 60; k++)
        stopped += check_walled_step(&y).stopped;
    check(stopped >= 8.0);
    yard_end(&y);
}

/* A heavy block presses a layer of water against the floor. The floor ends the way of the water's
 * particles, and with it that of the meta-particles which they form with those of the block: no
 * merged pair comes nearer. */
TEST(what_is_merged_stops_together)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    y.wall.region.shape.size = vec3(0.5, 0.5, 1.0);
    y.wall.holds = HOLDS_FLUIDS;
    add_stone(&y);
    add_block(&y.h, 5, 5, 3, vec3(-4 * R, -4 * R, 2.7 * R), vec3(0.0, 0.0, -4.0));
    add_body(&y.h, add_fluid(&y.h, 2e4, 0.02), R, 8e-3);
    add_block(&y.h, 5, 5, 1, vec3(-3.7 * R, -4.2 * R, 0.9 * R), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    double stopped = 0.0, coupled = 0.0;
    for (int k = 0; k < 40; k++) {
        struct ledger_row row = check_walled_step(&y);
        check(row.nearer_merged == 0.0);
        stopped += row.stopped;
        coupled += ledger_value(&row, "coupled");
    }
    check(stopped > 10.0 && coupled > 50.0);
    yard_end(&y);
}

/* Water falls on a block on the floor: members of both systems in one group, held by the wall. */
static void check_with_water(enum way_of_synchronizing way, enum time_integration integrator)
{
    struct yard y;
    walled_begin(&y, integrator);
    y.h.scene.contact.synchronization = way;
    y.wall.region.shape.size = vec3(0.5, 0.5, 1.0);
    add_stone(&y);
    add_block(&y.h, 5, 5, 1, vec3(-4 * R, -4 * R, 1.05 * R), vec3(0.0, 0.0, -0.3));
    add_body(&y.h, add_fluid(&y.h, 2e4, 0.02), R, 8e-3);
    add_block(&y.h, 5, 5, 4, vec3(-4 * R, -4 * R, 3.2 * R), vec3(0.0, 0.0, -1.5));
    yard_start(&y);
    double coupled = 0.0, held = 0.0;
    while (y.s.time < 0.02) {
        struct ledger_row row = check_walled_step(&y);
        coupled += ledger_value(&row, "coupled");
        held += row.support_impulse_z;
    }
    check(coupled > 50.0);
    check(held > 0.5 * 100 * 8e-3 * 1.5); /* half of the water's momentum at least */
    yard_end(&y);
}

TEST(water_presses_a_block_on_the_floor)
{
    check_with_water(SYNCHRONIZATION_SEQUENTIAL, INTEGRATOR_BACKWARD_EULER);
    check_with_water(SYNCHRONIZATION_OWN_MEMBERS, INTEGRATOR_BACKWARD_EULER);
    check_with_water(SYNCHRONIZATION_SUM, INTEGRATOR_NEWMARK);
    check_with_water(SYNCHRONIZATION_SEQUENTIAL, INTEGRATOR_VERLET);
}

/* Of two stones side by side one is fixed. A later stage may merge the other one, which the floor
 * held alone, with water that also touches the fixed one: then the support's impulse is all there
 * is. */
TEST(whom_a_wall_held_may_become_fixed)
{
    struct yard y;
    walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
    y.wall.region.shape.size = vec3(0.5, 0.5, 1.0);
    add_stone(&y);
    add_block(&y.h, 4, 5, 1, vec3(-8 * R, -4 * R, 0.999 * R), vec3(0.0, 0.0, -0.01));
    add_body(&y.h, 0, R, 1.6e-2);
    fix_from(&y.h, add_block(&y.h, 4, 5, 1, vec3(0.2 * R, -4 * R, 0.999 * R), vec3(0, 0, 0)));
    add_body(&y.h, add_fluid(&y.h, 2e4, 0.02), R, 8e-3);
    add_block(&y.h, 7, 5, 4, vec3(-6.9 * R, -4 * R, 2.9 * R), vec3(0.3, 0.0, -1.5));
    yard_start(&y);
    double late = 0.0;
    while (y.s.time < 0.02)
        late += check_walled_step(&y).late;
    check(late > 20.0);
    yard_end(&y);
}

TEST(the_number_of_threads_changes_no_bit)
{
    static struct vec3 expected[SCENE_PARTICLES];
    for (int threads = 1; threads <= 3; threads++) {
        struct yard y;
        walled_begin(&y, INTEGRATOR_BACKWARD_EULER);
        add_stone(&y);
        add_block(&y.h, 14, 12, 8, vec3(0.0, 0.0, 1.1 * R), vec3(0.2, 0.1, -1.0));
        jitter(&y.h, 0.05 * R, 6);
        y.h.scene.solver.tolerance = 1e-5;
        omp_set_num_threads(threads);
        start(&y.h, &y.s);
        for (int step = 0; step < 8; step++)
            step_once(&y.s);
        check_same_end(&y, threads, expected);
    }
    omp_set_num_threads(1);
}
