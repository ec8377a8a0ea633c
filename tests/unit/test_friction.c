/* Coulomb's friction of links (contact.friction): closed forms for stick, slip, impact and stop. */
#include "yards.h"

static struct vec3 slope(double angle)
{
    return vec3(G * sin(angle), 0.0, -G * cos(angle));
}

static void yard_with(struct yard *y, double friction, double alpha, double dt)
{
    yard_begin(y);
    y->h.scene.contact.friction = y->h.scene.contact.static_friction = friction;
    y->h.scene.contact.alpha = alpha;
    y->h.scene.time.max_step = dt;
}

/* The ledger closes with friction, which only dissipates. */
static struct ledger_row check_rub(struct yard *y)
{
    struct ledger_row row = check_step(y);
    check(ledger_value(&row, "friction") >= -1e-12 * (row.kinetic + fabs(row.gravitational)));
    check_equal(row.unresolved, 0, "unresolved");
    return row;
}

static double rubbed(struct yard *y)
{
    const struct ledger_row row = check_rub(y);
    return ledger_value(&row, "friction");
}

/* ---- one particle ---- */

/* Constant acceleration, which velocities of steps follow without error. */
static void check_particle(double friction, double degrees, double alpha, double dt,
                           enum time_integration integrator)
{
    struct yard y;
    double angle = degrees * acos(-1.0) / 180.0;
    double a = fmax(0.0, G * (sin(angle) - friction * cos(angle)));
    yard_with(&y, friction, alpha, dt);
    add_floor(&y);
    y.h.scene.solver.integrator = integrator;
    y.h.scene.gravity = slope(angle);
    add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
    add_particle(&y.h, vec3(0.0, 0.0, 0.999 * R), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    double dissipated = 0.0;
    for (int k = 0; k < 50; k++)
        dissipated += rubbed(&y);
    double t = y.s.time, way = y.s.particles.position[0].x;
    check_vec3(y.s.particles.velocity[0], vec3(a * t, 0.0, 0.0), 1e-12, "velocity");
    check_close(dissipated, friction * 1.6e-2 * G * cos(angle) * (a > 0.0 ? way : 0.0), 1e-14,
                "dissipated");
    check(a > 0.0 || way == 0.0);
    yard_end(&y);
}

TEST(a_particle_stands_or_slides_down_a_plane)
{
    static const double degrees[] = {10.0, 16.0, 17.0, 30.0, 45.0, 60.0};
    static const double dt[] = {1e-3, 5e-4, 2e-4};
    for (int k = 0; k < 6; k++)
        for (int d = 0; d < 3; d++) {
            check_particle(0.3, degrees[k], 1.0, dt[d], INTEGRATOR_BACKWARD_EULER);
            check_particle(0.6, degrees[k], 0.0, dt[d], INTEGRATOR_BACKWARD_EULER);
        }
    check_particle(0.3, 30.0, 1.0, 1e-3, INTEGRATOR_NEWMARK);
    check_particle(0.3, 10.0, 1.0, 1e-3, INTEGRATOR_NEWMARK);
}

/* v^2 / (2 mu g), less what backward Euler is behind: half a step at the speed of the start. */
TEST(a_particle_stops_after_its_way)
{
    static const double dt[] = {1e-3, 5e-4, 2e-4};
    for (int k = 0; k < 3; k++) {
        struct yard y;
        const double friction = 0.4, v = 1.0, ideal = v * v / (2.0 * friction * G);
        yard_with(&y, friction, 1.0, dt[k]);
        add_floor(&y);
        y.h.scene.gravity = vec3(0.0, 0.0, -G);
        add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
        add_particle(&y.h, vec3(0.0, 0.0, 0.999 * R), vec3(0.6 * v, 0.8 * v, 0.0));
        yard_start(&y);
        double dissipated = 0.0;
        while (y.s.time < 0.3)
            dissipated += rubbed(&y);
        struct vec3 way = y.s.particles.position[0];
        double distance = hypot(way.x, way.y);
        check_close(distance, ideal - 0.5 * v * dt[k], friction * G * dt[k] * dt[k], "distance");
        check_close(way.y / way.x, 0.8 / 0.6, 1e-12, "direction");
        check_vec3(y.s.particles.velocity[0], vec3(0.0, 0.0, 0.0), 1e-300, "stands");
        check(dissipated < 0.5 * 1.6e-2 * v * v &&
              dissipated > 0.5 * 1.6e-2 * v * v * (1.0 - 0.01));
        yard_end(&y);
    }
}

/* ---- impacts ---- */

/* Of reduced mass m: the normal impulse is m (1 + sqrt(alpha)) v_n, that of friction mu of it, and
 * at most what stops the motion across, m v_t: particles have no spin. */
static const double RUB = 0.35, FALL = 1.0; /* mu, and v_n in m/s */

/* Impulse of friction over the reduced mass. */
static double lost_across(double alpha, double across)
{
    return fmin(RUB * (1.0 + sqrt(alpha)) * FALL, across);
}

/* `height` of the center over the floor decides how much of a step is left when it arrives. */
static void check_impact(enum way_of_detecting detection, double height, double alpha,
                         double across)
{
    struct yard y;
    yard_with(&y, RUB, alpha, 1e-3);
    y.h.scene.contact.detection = detection;
    add_floor(&y);
    add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
    add_particle(&y.h, vec3(0.0, 0.0, height), vec3(0.0, across, -FALL));
    yard_start(&y);
    for (int k = 0; k < 20; k++)
        check_rub(&y);
    struct vec3 law = vec3(0.0, across - lost_across(alpha, across), sqrt(alpha) * FALL);
    check_vec3(y.s.particles.velocity[0], law, 1e-12, "velocity");
    yard_end(&y);
}

TEST(oblique_impacts_on_a_wall)
{
    for (double alpha = 0.0; alpha <= 1.0; alpha += 0.25)
        for (double across = 0.2; across < 3.0; across += 0.9)
            for (double height = 1.5 * R; height < 1.6 * R; height += 0.03 * R) {
                check_impact(DETECTION_DISCRETE, height, alpha, across);
                check_impact(DETECTION_SWEPT, height, alpha, across);
            }
}

/* Splitting acts along the normal of the moved positions, which the way across has turned: how far
 * that is from the law, over the angle and v_n + v_t. `gap`: between them at first, over the way of
 * a step. */
static double turned(double alpha, double across, double dt, double gap)
{
    struct yard y;
    const double m[] = {1.6e-2, 4.8e-2}, share = m[1] / (m[0] + m[1]);
    yard_with(&y, RUB, alpha, dt);
    y.h.scene.contact.detection = DETECTION_SWEPT;
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, m[0]);
    add_particle(&y.h, vec3(0.0, 0.0, 0.0), vec3(FALL, 0.6 * across, 0.8 * across));
    add_body(&y.h, loose, R, m[1]);
    add_particle(&y.h, vec3(2.0 * R + gap * dt * FALL, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    check_rub(&y);
    double kept = across - share * lost_across(alpha, across);
    struct vec3 law = vec3(FALL - share * (1.0 + sqrt(alpha)) * FALL, 0.6 * kept, 0.8 * kept);
    double off = vec3_norm(vec3_sub(y.s.particles.velocity[0], law));
    yard_end(&y);
    return off / (across * dt / (2.0 * R)) / (FALL + across);
}

/* The angle is 1.5e-10 in the shortest step. An impulse is (1 + sqrt(alpha)) share times a speed,
 * at most 1.5 of it, friction RUB of that, and normals of the start and of the end both take part.
 */
TEST(oblique_impacts_on_another_particle)
{
    static const double dt[] = {1e-6, 1e-9, 1e-12};
    double largest = 0.0;
    for (int k = 0; k < 3; k++)
        for (double alpha = 0.0; alpha <= 1.0; alpha += 0.25)
            for (double across = 0.2; across < 3.0; across += 0.9)
                for (double gap = 0.0; gap < 0.9; gap += 0.4)
                    largest = fmax(largest, turned(alpha, across, dt[k], gap));
    printf("# off by %.3f of the angle\n", largest);
    check(largest < 1.5 * (1.0 + RUB));
}

/* ---- blocks ---- */

enum { WIDE = 4, HIGH = 3 }; /* particles */

static void begin_block(struct yard *y, double friction, double degrees, double dt,
                        enum way_of_detecting detection)
{
    yard_with(y, friction, 1.0, dt);
    y->h.scene.contact.detection = detection;
    add_floor(y);
    y->h.scene.gravity = slope(degrees * acos(-1.0) / 180.0);
    add_stone(y);
    add_block(&y->h, WIDE, WIDE, HIGH, vec3(0.0, 0.0, 0.999 * R), vec3(0.0, 0.0, 0.0));
    yard_start(y);
}

static struct ledger_row run_until(struct yard *y, double end)
{
    struct ledger_row row = {0};
    while (y->s.time < end)
        row = check_rub(y);
    return row;
}

/* Gravity sets in at once and makes the block ring; friction is that of a constant load only when
 * it has come to rest within itself. */
static const double SETTLED = 0.1; /* s */

static void check_slide(double friction, double degrees, double dt, enum way_of_detecting detection)
{
    struct yard y;
    double angle = degrees * acos(-1.0) / 180.0;
    begin_block(&y, friction, degrees, dt, detection);
    double before = run_until(&y, SETTLED).momentum_x, since = y.s.time;
    double after = run_until(&y, 2.0 * SETTLED).momentum_x;
    double a = (after - before) / y.s.totals.mass / (y.s.time - since);
    double ratio = a / (G * (sin(angle) - friction * cos(angle)));
    printf("# mu %g, %g degrees, dt %g: %.6f of the ideal acceleration\n", friction, degrees, dt,
           ratio);
    check_close(ratio, 1.0, 0.005, "acceleration");
    yard_end(&y);
}

TEST(a_block_slides_down_a_slope)
{
    check_slide(0.3, 20.0, 1e-3, DETECTION_DISCRETE);
    check_slide(0.3, 30.0, 1e-3, DETECTION_SWEPT);
    check_slide(0.3, 30.0, 5e-4, DETECTION_DISCRETE);
    check_slide(0.6, 35.0, 5e-4, DETECTION_SWEPT);
    check_slide(0.6, 60.0, 1e-3, DETECTION_DISCRETE);
}

/* Below the angle of friction the block stands: it creeps while it rings, and then no more. */
TEST(a_block_stands_on_a_slope)
{
    static const double degrees[] = {10.0, 15.0}, dt[] = {1e-3, 5e-4};
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 2; k++) {
            struct yard y;
            begin_block(&y, 0.3, degrees[a], dt[k], k == 0 ? DETECTION_DISCRETE : DETECTION_SWEPT);
            double worst = 0.0, late = 0.0;
            run_until(&y, 2.0 * SETTLED);
            double at = y.s.particles.position[0].x;
            run_until(&y, 3.0 * SETTLED);
            for (size_t i = 0; i < WIDE * WIDE; i++) /* the lowest layer */
                worst =
                    fmax(worst, fabs(y.s.particles.position[i].x - 2.0 * R * (double)(i % WIDE)));
            late = fabs(y.s.particles.position[0].x - at);
            printf("# %g degrees, dt %g: crept %.1e m, %.1e m of it late\n", degrees[a], dt[k],
                   worst, late);
            check(worst < 0.2e-3 && late < 1e-9);
            yard_end(&y);
        }
}

/* ---- a cylinder ---- */

/* Rings about the y axis through the origin's plane, one spacing apart, that stand on the floor.
 * Returns the moment of inertia over mass and outer radius squared. */
static double add_cylinder(struct yard *y, double radius, int n, double mass)
{
    const double turn = 2.0 * acos(-1.0), spacing = turn * radius / n, outer = 0.5 * spacing;
    double inertia = 0.0, all = 0.0;
    add_body(&y->h, add_peridynamics(&y->h, 100.0, 2.0, 1e-4, (double)INFINITY), outer, mass);
    for (double a = radius; a > 0.25 * spacing; a -= spacing) {
        int around = (int)lround(turn * a / spacing);
        for (int k = 0; k < around; k++) {
            double angle = turn * k / around, up = radius + 0.999 * outer;
            add_particle(&y->h, vec3(-a * sin(angle), 0.0, up - a * cos(angle)),
                         vec3(0.0, 0.0, 0.0));
            inertia += mass * a * a;
            all += mass;
        }
    }
    return inertia / (all * (radius + outer) * (radius + outer));
}

/* tan 15 degrees is below 3 mu: it rolls, and friction takes nothing. What is missing are the
 * bumps from particle to particle, and what backward Euler takes of them. */
TEST(a_cylinder_rolls_down_a_plane)
{
    struct yard y;
    const double angle = 15.0 * acos(-1.0) / 180.0, from = 0.06, to = 0.15; /* s */
    double dissipated = 0.0, speed = 0.0, time = 0.0;
    struct ledger_row row = {0};
    yard_with(&y, 0.3, 1.0, 5e-4);
    add_floor(&y);
    y.h.scene.gravity = slope(angle);
    double share = add_cylinder(&y, 0.06, 96, 6e-5);
    yard_start(&y);
    while (y.s.time < to) {
        row = check_rub(&y);
        dissipated += ledger_value(&row, "friction");
        if (time == 0.0 && y.s.time >= from) {
            time = y.s.time;
            speed = row.momentum_x;
        }
    }
    double a = (row.momentum_x - speed) / y.s.totals.mass / (y.s.time - time) / (G * sin(angle));
    printf("# %.4f g sin; 2/3 of a full cylinder, %.4f of this one; friction took %.1e of the "
           "energy\n",
           a, 1.0 / (1.0 + share), dissipated / row.kinetic);
    measured("FRICTION.cylinder.full", fabs(1.5 * a - 1.0));
    measured("FRICTION.cylinder.own", fabs(a * (1.0 + share) - 1.0));
    check_close(1.5 * a, 1.0, 0.05, "acceleration over 2/3 g sin");
    check_close(a * (1.0 + share), 1.0, 0.05, "acceleration over that of its inertia");
    check(dissipated < 1e-3 * row.kinetic);
    yard_end(&y);
}

/* ---- a ball that presses a cloth into the hollows of a bed ---- */

static void begin_bed(struct yard *y, double friction, uint32_t stages, double tolerance)
{
    yard_with(y, friction, 1.0, 1e-3);
    y->h.scene.contact.stages = stages;
    y->h.scene.solver.tolerance = tolerance;
    y->h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&y->h, add_loose(&y->h), R, 8e-3);
    fix_from(&y->h, add_block(&y->h, 20, 20, 1, vec3(-0.19, -0.19, -1.99 * R), vec3(0, 0, 0)));
    add_body(&y->h, add_springs(&y->h, 40.0, 40.0, 20.0, 1e-3), R, 8e-3);
    add_block(&y->h, 20, 20, 1, vec3(-0.19, -0.19, 0.0), vec3(0, 0, 0));
    add_body(&y->h, add_peridynamics(&y->h, 60.0, 2.0, 1e-3, (double)INFINITY), R, 2e-2);
    add_ball(&y->h, 0.11, vec3(0.003, 0.002, 0.125), vec3(0.1, 0.2, -6.0));
    yard_start(y);
}

/* Ten steps, in which contacts wedge each other in. Returns how many links were unresolved; energy
 * of motion does not rise beyond that of the first step, whatever is. */
static double press(double friction, uint32_t stages, double tolerance)
{
    struct yard y;
    double unresolved = 0.0, solves = 0.0, most = -(double)INFINITY, links = 0.0;
    begin_bed(&y, friction, stages, tolerance);
    struct ledger_row row = step_once(&y.s);
    double first = row.kinetic + row.gravitational;
    for (int k = 0; k < 10; k++) {
        row = step_once(&y.s);
        unresolved += row.unresolved;
        solves += row.stages;
        links += ledger_value(&row, "links");
        most = fmax(most, row.kinetic + row.gravitational);
    }
    printf("# mu %g, at most %u stages: %.1f of them, %g of %g links unresolved, energy of motion "
           "at most %g J more than at first\n",
           friction, stages, solves / 10.0, unresolved, links, most - first);
    check(most < first);
    yard_end(&y);
    return unresolved;
}

TEST(wedged_contacts_are_resolved)
{
    check(press(0.3, 8, 1e-6) == 0.0);
    check(press(0.6, 8, 1e-6) == 0.0);
}

/* Friction as large as that wedges contacts harder than one stage can resolve. */
TEST(unresolved_links_give_no_energy)
{
    check(press(3.0, 1, 1e-6) > 0.0);
}
