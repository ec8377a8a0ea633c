/* contact.method: position-based, by what is known about its steps: closed forms, and how rigid
 * bodies rest, spin and slide. */
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

/* Two grains that meet have the common velocity of their center of mass after the step in which
 * they touch, as one constraint is fulfilled by one iteration, and from then on. */
TEST(two_grains_that_meet_go_on_together)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 1, AVERAGING_PARTICLE);
    size_t loose = add_loose(&h);
    add_body(&h, loose, 0.1, 3.0);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0));
    add_body(&h, loose, 0.1, 1.0);
    add_particle(&h, vec3(0.201, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    step_once(&s);
    struct ledger_row row = step_once(&s);
    check_close(row_momentum(&row).x, 6.0, 1e-14, "momentum");
    check_close(s.particles.velocity[0].x, 1.5, 1e-12, "velocity of one");
    check_close(s.particles.velocity[1].x, 1.5, 1e-12, "velocity of the other");
    check_close(s.particles.position[1].x - s.particles.position[0].x, 0.2, 1e-15, "distance");
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

/* Coulomb's law on a slope that gravity makes: a grain stands up to static friction, and goes down
 * at g (sin - mu cos) above. */
static double speed_on_slope(double degrees, enum way_of_friction way, double friction,
                             double static_friction, double time, double *went)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(0.0);
    const double a = degrees * acos(-1.0) / 180.0;
    begin(&h, 2, AVERAGING_PARTICLE);
    h.scene.gravity = vec3(G * sin(a), 0.0, -G * cos(a));
    h.scene.contact.friction = friction;
    h.scene.contact.static_friction = static_friction;
    h.scene.position.friction = way;
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_loose(&h), 0.1, 3.0);
    add_particle(&h, vec3(0.0, 0.0, 0.1), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    while (s.time < time * (1.0 - 1e-12)) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-13, "energy_imbalance");
    }
    double speed = s.particles.velocity[0].x;
    *went = s.particles.position[0].x;
    simulation_free(&s);
    hand_scene_end(&h);
    return speed;
}

TEST(a_grain_on_a_slope_obeys_coulomb)
{
    const double a = 28.0 * acos(-1.0) / 180.0;
    for (int way = 0; way < 3; way++) {
        double went, speed = speed_on_slope(26.0, (enum way_of_friction)way, 0.3, 0.5, 0.2, &went);
        check_close(speed, 0.0, 1e-12, "below atan 0.5");
        check(way == FRICTION_OF_VELOCITY || fabs(went) < 1e-15);
        speed = speed_on_slope(28.0, (enum way_of_friction)way, 0.3, 0.5, 0.2, &went);
        check_close(speed, 0.2 * G * (sin(a) - 0.3 * cos(a)), 1e-12, "above");
    }
}

/* Friction of velocities comes too late for the move: a grain without velocity goes down as far as
 * it falls along the slope in a step, in every step. */
TEST(friction_of_velocities_holds_nothing)
{
    double went;
    speed_on_slope(20.0, FRICTION_OF_VELOCITY, 0.5, 0.5, 0.2, &went);
    check_close(went / 200.0, G * sin(20.0 * acos(-1.0) / 180.0) * 1e-6, 1e-15, "way per step");
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

/* A block of 4 x 4 particles, as many layers high, on a slope that gravity makes. With the paper's
 * friction it creeps, because an iteration takes from its particles in contact only; kept, it
 * stands up to the friction angle, 26.6 degrees, and goes down beyond it as Coulomb's law says.
 * Returns its way in a second, and what its speed grows by in the second half of it. */
static double block_on_slope(double degrees, enum way_of_friction friction, uint32_t iterations,
                             int layers, double *growth)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(0.0);
    const double a = degrees * acos(-1.0) / 180.0;
    begin(&h, iterations, AVERAGING_PARTICLE);
    h.scene.gravity = vec3(G * sin(a), 0.0, -G * cos(a));
    h.scene.contact.friction = h.scene.contact.static_friction = 0.5;
    h.scene.position.friction = friction;
    h.scene.time.max_step = 1.0 / 120.0;
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_rigid(&h), 0.025, 0.1);
    add_block(&h, 4, 4, layers, vec3(0.0, 0.0, 0.025), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 120; k++) {
        if (k == 60)
            *growth = -s.particles.velocity[0].x;
        check_close(step_once(&s).energy_imbalance, 0.0, 1e-12, "energy_imbalance");
    }
    double way = s.particles.position[0].x;
    *growth += s.particles.velocity[0].x;
    simulation_free(&s);
    hand_scene_end(&h);
    return way;
}

TEST(friction_that_is_kept_holds_a_block_and_that_of_the_paper_does_not)
{
    double growth, a = 28.0 * acos(-1.0) / 180.0;
    check(block_on_slope(20.0, FRICTION_OF_STEP, 4, 4, &growth) > 0.01);
    check(block_on_slope(20.0, FRICTION_KEPT, 4, 4, &growth) < 0.002);
    check_close(growth, 0.0, 1e-4, "growth of speed of what stands"); /* it still settles */
    block_on_slope(28.0, FRICTION_KEPT, 4, 4, &growth);
    check_close(2.0 * growth / (G * (sin(a) - 0.5 * cos(a))), 1.0, 1e-3,
                "acceleration over Coulomb's");
}

/* Close to the friction angle a cube tilts while gravity sets in, its upper edge has no load, and
 * it slides by some millimeters before it stands. A slab, which does not tilt, stays where it is.
 */
TEST(friction_that_is_kept_holds_up_to_the_friction_angle)
{
    const double angle = atan(0.97 * 0.5) * 180.0 / acos(-1.0);
    double growth;
    check(block_on_slope(angle, FRICTION_KEPT, 4, 2, &growth) < 1e-3);
    check_close(growth, 0.0, 1e-6, "growth of speed of the slab");
    check(block_on_slope(angle, FRICTION_KEPT, 4, 4, &growth) < 7e-3);
    check_close(growth, 0.0, 1e-4, "growth of speed of the cube"); /* it still settles */
}

/* What slips keeps no more than it could hold: a block that slid and is level again stops, and is
 * not pulled back to where it came from. */
TEST(friction_that_is_kept_stops_a_block_and_does_not_pull_it_back)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(0.0);
    begin(&h, 4, AVERAGING_PARTICLE);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.contact.friction = h.scene.contact.static_friction = 0.5;
    h.scene.position.friction = FRICTION_KEPT;
    h.scene.time.max_step = 1.0 / 120.0;
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_rigid(&h), 0.025, 0.1);
    add_block(&h, 4, 4, 4, vec3(0.0, 0.0, 0.025), vec3(1.0, 0.0, 0.0));
    start(&h, &s);
    double farthest = 0.0;
    for (int k = 0; k < 60; k++) {
        step_once(&s);
        farthest = fmax(farthest, s.particles.position[0].x);
    }
    check_close(farthest, 1.0 / (2.0 * 0.5 * G), 0.01, "v^2 / (2 mu g)");
    check_close(s.particles.position[0].x, farthest, 1e-3, "where it stops");
    simulation_free(&s);
    hand_scene_end(&h);
}
