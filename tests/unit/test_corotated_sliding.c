/* Sliding contact of corotated solids, alone and beside bonds and fluids in the same solve: closed
 * forms, momentum, and rest. Every step closes the ledger (yards.h). */
#include "yards.h"

static const double MASS = 8e-3; /* of a particle, kg */

static struct vec3 slope(double degrees)
{
    double angle = degrees * acos(-1.0) / 180.0;
    return vec3(sin(angle) * G, 0.0, -cos(angle) * G);
}

/* A block of 6 x 4 x 3 particles on a plane that a wall holds. */
static void begin_on_plane(struct yard *y, double degrees, double friction, double dt)
{
    yard_begin(y);
    add_floor(y);
    y->h.scene.contact.friction = y->h.scene.contact.static_friction = friction;
    y->h.scene.time.max_step = dt;
    y->h.scene.gravity = slope(degrees);
    add_body(&y->h, add_corotated(&y->h, 1e5, 0.3, 0.1), R, MASS);
    add_block(&y->h, 6, 4, 3, vec3(0.0, 0.0, R), vec3(0.0, 0.0, 0.0));
    yard_start(y);
}

/* The velocity along the plane after a time. */
static double slide_for(struct yard *y, double time)
{
    struct ledger_row row = {0};
    while (y->s.time < time) {
        row = check_step(y);
        check_equal(row.unresolved, 0, "unresolved");
        check(row.nearer_depth < 1e-12 &&
              ledger_value(&row, "friction") >= -1e-7 * fabs(row.gravitational));
    }
    return row.momentum_x / y->s.totals.mass;
}

TEST(a_solid_slides_down_a_plane)
{
    static const double degrees[] = {10.0, 30.0, 60.0}, dt[] = {1e-3, 2e-4, 1e-3};
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        struct yard y;
        begin_on_plane(&y, degrees[k], 0.0, dt[k]);
        double v = slide_for(&y, 0.1);
        worst = fmax(worst, fabs(v / (slope(degrees[k]).x * y.s.time) - 1.0));
        yard_end(&y);
    }
    printf("# off by %.1e\n", worst);
    check_close(worst, 0.0, 1e-4, "acceleration over g sin(angle)");
}

/* The block rings, so that the load swings; over many swings it is that of gravity. */
TEST(friction_is_coulombs)
{
    struct yard y;
    begin_on_plane(&y, 30.0, 0.3, 1e-3);
    double v = slide_for(&y, 0.2), ideal = slope(30.0).x + 0.3 * slope(30.0).z;
    printf("# off by %.1e\n", v / (ideal * y.s.time) - 1.0);
    check_close(v / (ideal * y.s.time), 1.0, 1e-2, "acceleration");
    yard_end(&y);
}

/* The place of a corner where the block stands. */
static double corner(const struct yard *y)
{
    return y->s.particles.position[0].x;
}

/* It may slip at first, while it is hardly pressed. */
TEST(below_the_angle_of_friction_it_stands)
{
    struct yard y;
    begin_on_plane(&y, 10.0, 0.3, 1e-3);
    double begun = corner(&y);
    slide_for(&y, 0.1);
    double settled = corner(&y);
    slide_for(&y, 0.2);
    printf("# slipped by %.1e m, and then by %.1e m\n", settled - begun, corner(&y) - settled);
    check_close(settled, begun, 1e-4, "first");
    check_close(corner(&y), settled, 1e-6, "then");
    yard_end(&y);
}

/* How much angular momentum changes, over what there is: in all steps, and in the worst of those in
 * which bodies lost no spin. */
struct turning {
    double all, contact;
};

/* Two balls of two materials, which are two systems, meet off their centers. */
static struct turning meet(double friction, double dt, enum way_of_detecting detection)
{
    struct yard y;
    yard_begin(&y);
    y.h.scene.solver.tolerance = 1e-9;
    y.h.scene.contact.friction = y.h.scene.contact.static_friction = friction;
    y.h.scene.contact.detection = detection;
    y.h.scene.time.max_step = dt;
    add_body(&y.h, add_corotated(&y.h, 1e5, 0.3, 0.1), R, MASS);
    add_ball(&y.h, 4.5 * R, vec3(-5.0 * R, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    add_body(&y.h, add_corotated(&y.h, 3e5, 0.4, 0.1), R, MASS);
    add_ball(&y.h, 4.5 * R, vec3(5.0 * R, 4.0 * R, 0.3 * R), vec3(-1.0, 0.0, 0.0));
    yard_start(&y);
    struct vec3 begun = y.s.totals.momentum, angular = y.s.totals.angular, before = angular;
    double drift = 0.0, scale = 0.0, loaded = 0.0, kinetic = y.s.totals.kinetic, counted = 0.0;
    struct turning turned = {0.0, 0.0};
    struct ledger_row row = {0};
    while (y.s.time < 0.06) {
        row = check_step(&y);
        drift = fmax(drift, vec3_norm(vec3_sub(row_momentum(&row), begun)));
        scale = fmax(scale, row.momentum_scale);
        loaded += ledger_value(&row, "loaded");
        check_equal(row.unresolved, 0, "unresolved");
        if (ledger_value(&row, "spin_lost") == 0.0 && ledger_value(&row, "spin_returned") != 0.0) {
            double change = vec3_norm(vec3_sub(row_angular(&row), before));
            turned.contact = fmax(turned.contact, change / vec3_norm(angular));
            counted += ledger_value(&row, "loaded");
        }
        before = row_angular(&row);
    }
    check_close(drift / scale, 0.0, 1e-13, "momentum");
    check(loaded > 30.0 && counted > 30.0 && ledger_value(&row, "links") == 0.0 &&
          row.kinetic < 0.999 * kinetic);
    turned.all = vec3_norm(vec3_sub(before, angular)) / vec3_norm(angular);
    yard_end(&y);
    return turned;
}

/* Contact and friction leave both momenta as they are. What is off in angular momentum is the spin
 * that backward Euler takes from a body whose motion is no rotation yet, as without links
 * (particles/rigid_turn.h). */
TEST(balls_that_meet_keep_their_momenta)
{
    static const double rub[] = {0.0, 0.3};
    for (int k = 0; k < 2; k++) {
        struct turning turned = meet(rub[k], 5e-4, k == 0 ? DETECTION_DISCRETE : DETECTION_SWEPT);
        printf("# mu %g: angular momentum off by %.1e, by contact alone %.1e in a step\n", rub[k],
               turned.all, turned.contact);
        check_close(turned.all, 0.0, 1e-2, "angular momentum");
        check_close(turned.contact, 0.0, 1e-9, "by contact alone");
    }
}

/* Two blocks on each other, of one material, and a block of bonds on top, each in the pockets of
 * the one below. */
static void pile_up(struct yard *y)
{
    yard_begin(y);
    add_floor(y);
    y->h.scene.contact.friction = y->h.scene.contact.static_friction = 0.5;
    y->h.scene.gravity = vec3(0.0, 0.0, -G);
    const double rise = (2.0 + sqrt(2.0)) * R;
    add_stone(y);
    add_block(&y->h, 4, 4, 2, vec3(0.0, 0.0, R + 2.0 * rise), vec3(0.0, 0.0, 0.0));
    size_t rubber = add_corotated(&y->h, 1e5, 0.3, 0.1);
    for (int k = 0; k < 2; k++) {
        add_body(&y->h, rubber, R, MASS);
        add_block(&y->h, 4 + k, 4 + k, 2, vec3(-k * R, -k * R, R + k * rise), vec3(0.0, 0.0, 0.0));
    }
    yard_start(y);
}

TEST(a_pile_comes_to_rest)
{
    struct yard y;
    pile_up(&y);
    struct ledger_row row = {0};
    double nearer = 0.0;
    while (y.s.time < 0.5) {
        row = check_step(&y);
        nearer = fmax(nearer, row.nearer_depth);
        check_equal(row.unresolved, 0, "unresolved");
    }
    double speed = 0.0;
    for (size_t i = 0; i < y.s.particles.n; i++)
        speed = fmax(speed, vec3_norm(y.s.particles.velocity[i]));
    printf("# fastest particle %.1e m/s, %g of %g links loaded, at most %.1e m nearer\n", speed,
           ledger_value(&row, "loaded"), ledger_value(&row, "links"), nearer);
    check_close(row.support_impulse_z / (y.s.totals.mass * G * row.dt), 1.0, 1e-3, "weight");
    check_close(speed, 0.0, 1e-3, "speed");
    check(nearer < 1e-9 && ledger_value(&row, "loaded") > 40.0);
    yard_end(&y);
}

/* Iterations and impulse of the floor over 20 steps in which two blocks settle on each other. */
static double settle(double young, enum corotated_solving solver, double *impulse)
{
    struct yard y;
    yard_begin(&y);
    add_floor(&y);
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    size_t rubber = add_corotated(&y.h, young, 0.3, 0.1);
    y.h.parameters[rubber].corotated.solver = solver;
    for (int k = 0; k < 2; k++) {
        add_body(&y.h, rubber, R, MASS);
        add_block(&y.h, 6 + k, 6 + k, 4, vec3(-k * R, -k * R, R + k * (6.0 + sqrt(2.0)) * R),
                  vec3(0.0, 0.0, 0.0));
    }
    yard_start(&y);
    double iterations = 0.0;
    *impulse = 0.0;
    for (int k = 0; k < 20; k++) {
        struct ledger_row row = check_step(&y);
        check_equal(row.unresolved, 0, "unresolved");
        iterations += (double)(row.iterations_first + row.iterations_later);
        *impulse += row.support_impulse_z / (y.s.totals.mass * G);
    }
    yard_end(&y);
    return iterations / 20.0;
}

/* The factor of the bodies takes part in the solve, which needs few iterations and finds what one
 * without a factor finds. Those of the latter grow with the stiffness. */
TEST(stiff_solids_take_few_iterations)
{
    static const double young[] = {1e5, 1e6};
    for (int k = 0; k < 2; k++) {
        double factored, plain, with = settle(young[k], COROTATED_COUPLED, &factored);
        double without = settle(young[k], COROTATED_WHOLE, &plain);
        printf("# E %g: %g iterations a step, %g without the factor\n", young[k], with, without);
        check(with < 25.0 && (k == 0 || with < 0.6 * without));
        check_close(factored, plain, 1e-4 * plain, "impulse");
    }
}

/* A corotated ball on a cloth of springs, with water on it: bonds, corotated solid and fluid are in
 * one component. */
TEST(a_solid_a_cloth_and_a_fluid_are_one_problem)
{
    struct yard y;
    yard_begin(&y);
    y.h.scene.contact.friction = y.h.scene.contact.static_friction = 0.3;
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&y.h, add_springs(&y.h, 400.0, 400.0, 20.0, 2e-4), R, MASS);
    add_block(&y.h, 13, 13, 1, vec3(-12.0 * R, -12.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < 169; i++)
        if (i % 13 == 0 || i % 13 == 12 || i / 13 == 0 || i / 13 == 12)
            y.h.particles.state[i] = PARTICLE_FIXED;
    add_body(&y.h, add_corotated(&y.h, 1e5, 0.3, 0.1), R, MASS);
    add_ball(&y.h, 4.0 * R, vec3(0.0, 0.0, 5.5 * R), vec3(0.5, 0.0, -1.0));
    add_body(&y.h, add_fluid(&y.h, 2e4, 1e-3), R, MASS);
    add_ball(&y.h, 3.0 * R, vec3(R, 0.5 * R, 13.5 * R), vec3(0.0, 0.0, -1.5));
    yard_start(&y);
    double rubbed = 0.0, loaded = 0.0;
    while (y.s.time < 0.12) {
        struct ledger_row row = check_step(&y);
        check_equal(row.unresolved, 0, "unresolved");
        rubbed += ledger_value(&row, "friction");
        loaded = fmax(loaded, ledger_value(&row, "loaded"));
    }
    size_t below = 0;
    for (size_t i = 169; i < y.s.particles.n; i++)
        below += y.s.particles.position[i].z < -6.0 * R;
    printf("# up to %g links loaded, friction dissipated %.2g J\n", loaded, rubbed);
    check(y.s.n_systems == 3 && loaded >= 8.0 && rubbed > 1e-3 && below == 0);
    yard_end(&y);
}
