/* Friction of contact.method: position-based on slopes: what slides, what stands, and what rolls.
 * Values that claims about unified particle physics are about. */
#include "position_scenes.h"

static const double MU = 0.5; /* of blocks; their friction angle is 26.57 degrees */

/* ---- a grain ---- */

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

/* ---- rigid blocks ---- */

/* Gravity as on a slope. */
static struct vec3 gravity_at(double degrees)
{
    const double a = degrees * acos(-1.0) / 180.0;
    return vec3(G * sin(a), 0.0, -G * cos(a));
}

/* The slope whose tangent is this part of the coefficient of friction. */
static double part_of_friction_angle(double part)
{
    return atan(part * MU) * 180.0 / acos(-1.0);
}

/* A scene with a wall below z = 0, for a block whose particles have a radius of 25 mm. */
static void begin_blocks(struct hand_scene *h, struct wall *wall, enum way_of_friction friction,
                         uint32_t iterations)
{
    *wall = floor_at(0.0);
    begin(h, iterations, AVERAGING_PARTICLE);
    h->scene.contact.friction = h->scene.contact.static_friction = MU;
    h->scene.position.friction = friction;
    h->scene.time.max_step = 1.0 / 120.0;
    h->scene.n_walls = 1;
    h->scene.wall = wall;
}

static void add_layers(struct hand_scene *h, size_t material, int layers, struct vec3 velocity)
{
    add_body(h, material, 0.025, 0.1);
    add_block(h, 4, 4, layers, vec3(0.0, 0.0, 0.025), velocity);
}

/* A block of 4 x 4 particles, as many layers high, on a slope that gravity makes. With the paper's
 * friction it creeps, because an iteration takes from its particles in contact only; kept, it
 * stands up to the friction angle and goes down beyond it as Coulomb's law says. */
struct slide {
    double way;    /* in a second, m */
    double growth; /* of its speed in the second half, m/s */
    double speed;  /* the largest, m/s */
    double until;  /* its way until then, m */
};

static struct slide block_on_slope(double degrees, enum way_of_friction friction,
                                   uint32_t iterations, int layers)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    struct slide slide = {0.0, 0.0, 0.0, 0.0};
    begin_blocks(&h, &wall, friction, iterations);
    h.scene.gravity = gravity_at(degrees);
    add_layers(&h, add_rigid(&h), layers, vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 120; k++) {
        if (k == 60)
            slide.growth = -s.particles.velocity[0].x;
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        double speed = row.momentum_x / (0.1 * (double)s.particles.n);
        if (speed > slide.speed)
            slide = (struct slide){0.0, slide.growth, speed, s.particles.position[0].x};
    }
    slide.way = s.particles.position[0].x;
    slide.growth += s.particles.velocity[0].x;
    simulation_free(&s);
    hand_scene_end(&h);
    return slide;
}

TEST(friction_that_is_kept_holds_a_block_and_that_of_the_paper_does_not)
{
    const double a = 28.0 * acos(-1.0) / 180.0;
    check(block_on_slope(20.0, FRICTION_OF_STEP, 4, 4).way > 0.01);
    struct slide slide = block_on_slope(20.0, FRICTION_KEPT, 4, 4);
    check(slide.way < 0.002);
    check_close(slide.growth, 0.0, 1e-4, "growth of speed of what stands"); /* it still settles */
    slide = block_on_slope(28.0, FRICTION_KEPT, 4, 4);
    check_close(2.0 * slide.growth / (G * (sin(a) - MU * cos(a))), 1.0, 1e-3,
                "acceleration over Coulomb's");
}

/* Where gravity sets in at once, four iterations need as many steps until contacts press and rub as
 * they have to. A cube then has the speed of about one step's fall along the slope, which Coulomb's
 * law brakes; close to the friction angle that takes millimeters. A slab, which does not tilt while
 * it settles, stays where it is. */
TEST(what_gravity_does_at_once_is_braked_as_coulomb_says)
{
    const double degrees = part_of_friction_angle(0.97), a = atan(0.97 * MU);
    struct slide slab = block_on_slope(degrees, FRICTION_KEPT, 4, 2),
                 cube = block_on_slope(degrees, FRICTION_KEPT, 4, 4);
    check(slab.way < 1e-3);
    check_close(slab.growth, 0.0, 1e-6, "growth of speed of the slab");
    check_close(cube.growth, 0.0, 1e-4, "growth of speed of the cube"); /* it still settles */
    const double brake = G * (MU * cos(a) - sin(a));
    const double braked = cube.until + 0.5 * cube.speed * cube.speed / brake;
    measured("UPP.onset.way", cube.way);
    measured("UPP.onset.speed", cube.speed / (G * sin(a) / 120.0));
    measured("UPP.onset.braked", cube.way / braked - 1.0);
    check_close(cube.way / braked, 1.0, 0.1, "way over that of braking");
}

/* A cube that lies level for a second while the slope is tilted in another one, and then stands for
 * two: its way. */
static double way_while_tilted(double part, uint32_t iterations)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    begin_blocks(&h, &wall, FRICTION_KEPT, iterations);
    add_layers(&h, add_rigid(&h), 4, vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 480; k++) {
        double tilt = fmin(fmax((k - 120) / 120.0, 0.0), 1.0);
        h.scene.gravity = gravity_at(tilt * part_of_friction_angle(part));
        step_once(&s);
    }
    double way = s.particles.position[0].x;
    simulation_free(&s);
    hand_scene_end(&h);
    return way;
}

TEST(friction_that_is_kept_holds_on_a_slope_that_is_tilted)
{
    double near = way_while_tilted(0.97, 4), nearer = way_while_tilted(0.99, 4);
    measured("UPP.tilted.97", near);
    measured("UPP.tilted.99", nearer);
    check(near < 1e-3 && nearer < 1e-3);
    check(way_while_tilted(1.03, 4) > 0.1);
}

/* What slips keeps no more than it could hold: a block that slid and is level again stops, and is
 * not pulled back to where it came from. */
TEST(friction_that_is_kept_stops_a_block_and_does_not_pull_it_back)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    begin_blocks(&h, &wall, FRICTION_KEPT, 4);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    add_layers(&h, add_rigid(&h), 4, vec3(1.0, 0.0, 0.0));
    start(&h, &s);
    double farthest = 0.0;
    for (int k = 0; k < 60; k++) {
        step_once(&s);
        farthest = fmax(farthest, s.particles.position[0].x);
    }
    check_close(farthest, 1.0 / (2.0 * MU * G), 0.01, "v^2 / (2 mu g)");
    check_close(s.particles.position[0].x, farthest, 1e-3, "where it stops");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- blocks of springs ---- */

struct roll {
    double way;  /* of the center, m */
    double turn; /* about y, rad */
};

static struct vec3 mean_of(const struct vec3 *x, size_t begin, size_t end)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = begin; i < end; i++)
        sum = vec3_axpy(sum, 1.0 / (double)(end - begin), x[i]);
    return sum;
}

/* A block of springs, as many layers high, on a slope of 20 degrees for two seconds. */
static struct roll springs_on_slope(double friction, uint32_t iterations, int layers)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    struct roll roll = {0.0, 0.0};
    double before = 0.0;
    begin_blocks(&h, &wall, FRICTION_KEPT, iterations);
    h.scene.contact.friction = h.scene.contact.static_friction = friction;
    h.scene.gravity = gravity_at(20.0);
    add_layers(&h, add_springs(&h, 400.0, 400.0, 20.0, 0.0), layers, vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    const size_t n = s.particles.n;
    for (int k = 0; k < 240; k++) {
        const struct vec3 *x = s.particles.position;
        step_once(&s);
        struct vec3 up = vec3_sub(mean_of(x, n / 2, n), mean_of(x, 0, n / 2));
        double angle = atan2(up.x, up.z);
        roll.turn += remainder(angle - before, 2.0 * acos(-1.0));
        before = angle;
    }
    roll.way = mean_of(s.particles.position, 0, n).x - 0.075;
    simulation_free(&s);
    hand_scene_end(&h);
    return roll;
}

/* With few iterations such a block is so soft that it leans over its lower edge and rolls, whatever
 * the friction. One that is half as high stands, and so does a stiffer one. */
TEST(a_soft_block_rolls_and_does_not_slide)
{
    const double edges = 4.0 * 0.15, round = 2.0 * acos(-1.0); /* between its particles, m */
    struct roll usual = springs_on_slope(MU, 4, 4), rough = springs_on_slope(4.0 * MU, 4, 4);
    measured("UPP.springs.turns", usual.turn / round);
    measured("UPP.springs.way_of_turn", usual.way / (usual.turn / round) / edges);
    measured("UPP.springs.rough.turns", rough.turn / round);
    measured("UPP.springs.rough.way_of_turn", rough.way / (rough.turn / round) / edges);
    check(usual.turn > round && rough.turn > round);
    struct roll low = springs_on_slope(MU, 4, 2), stiff = springs_on_slope(MU, 16, 4);
    measured("UPP.springs.low.way", low.way);
    measured("UPP.springs.stiff.way", stiff.way);
    check(low.way < 2e-3 && stiff.way < 5e-3);
    check(fabs(low.turn) < 0.1 && fabs(stiff.turn) < 0.1);
}
