/* Rigid bodies that roll, slip and bounce, in schemes that solve for velocities, by closed forms.
 */
#include "rigid_scenes.h"

static const double G = 10.0; /* m/s^2 */

/* The plane z = 0: a wall or, because merging has no walls that hold bodies, a fixed particle of
 * which a meter is flat within a micrometer. */
static void begin(struct hand_scene *h, struct wall *wall, enum contact_method method, double dt)
{
    const double radius = 5e5;
    *wall = (struct wall){.name = "slope",
                          .region = {.shape = {.kind = SHAPE_BOX, .size = {9.0, 9.0, 1.0}},
                                     .position = {0.0, 0.0, -0.5},
                                     .rotation = UPRIGHT},
                          .keep = KEEP_OUTSIDE,
                          .holds = HOLDS_ALL};
    hand_scene_begin(h);
    h->scene.time.max_step = dt;
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.contact.method = method;
    const size_t stone = add_rigid(h);
    if (method == CONTACT_SLIDING) {
        h->scene.contact.detection = DETECTION_SWEPT;
        h->scene.contact.stages = 10;
        h->scene.n_walls = 1;
        h->scene.wall = wall;
    } else {
        add_body(h, stone, radius, 1.0);
        fix_from(h, add_particle(h, vec3(0.0, 0.0, -radius), vec3(0.0, 0.0, 0.0)));
    }
}

/* Two rings of n particles side by side, which touch the plane below the origin. */
static void add_rings(struct hand_scene *h, int n, double radius)
{
    for (int side = -1; side <= 1; side += 2)
        for (int k = 0; k < n; k++) {
            const double angle = 2.0 * M_PI * k / n;
            add_particle(h, vec3(radius * sin(angle), 0.1 * side, 0.5 - radius * cos(angle)),
                         vec3(0.0, 0.0, 0.0));
        }
}

/* ---- a wheel of spokes ---- */

/* The rate of a wheel that stands on one of n feet, balls of a radius, at a distance R from its
 * center, after the next `feet` of them. It rolls over each without loss; where the next lands, at
 * a to both sides and h below the center, it keeps the angular momentum about that alone (McGeer,
 * "Passive dynamic walking", 1990): w+ / w- = (k^2 + h^2 - a^2) / (k^2 + h^2 + a^2). */
static double rate_after(int n, double R, double radius, double k2, double rate, int feet)
{
    const double high = R + radius, h = R * cos(M_PI / n) + radius, a = R * sin(M_PI / n);
    const double fall = 2.0 * G * (high - h), upright = k2 + high * high;
    for (int k = 0; k < feet; k++) {
        const double part = (k2 + h * h - a * a) / (k2 + h * h + a * a);
        const double before = upright * rate * rate + fall; /* (k^2 + h^2 + a^2) w-^2 */
        rate = sqrt((part * part * before - fall) / upright);
    }
    return rate;
}

/* Two rings of particles roll from foot to foot. Returns the rate after that, over the closed
 * form's, less 1. Faster than sqrt(g / h) they would take off. */
static double pass_feet(enum contact_method method, int feet, double rate, double dt)
{
    enum { FEET = 24 }; /* of the wheel */
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    const double R = 0.48, radius = 0.02;
    begin(&h, &wall, method, dt);
    h.scene.contact.alpha = 0.0;
    if (method == CONTACT_SLIDING)
        h.scene.contact.friction = h.scene.contact.static_friction = 10.0;
    add_body(&h, 0, radius, 1.0 / FEET);
    const uint32_t first = (uint32_t)h.particles.n;
    add_rings(&h, FEET, R);
    move_from(&h, first, vec3(rate * (R + radius), 0.0, 0.0), vec3(0.0, rate, 0.0));
    struct plain_body now = plain_body(&h.particles, first, h.particles.n);
    const double end = 2.0 * feet * (R * sin(M_PI / FEET) + M_PI / FEET * radius);
    const double wanted = rate_after(FEET, R, radius, now.inertia.a[1][1] / now.mass, rate, feet);
    start(&h, &s);
    while (now.center.x < end && s.time < 3.0) {
        step_once(&s);
        now = plain_body(&s.particles, first, s.particles.n);
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return plain_rate(&now, now.spin).y / wanted - 1.0;
}

/* What lands on one foot lifts the other: a joint that held both would stop the wheel. */
TEST(a_wheel_rolls_from_foot_to_foot)
{
    static const enum contact_method methods[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_SLIDING};
    for (size_t m = 0; m < 2; m++) {
        double worst = 0.0;
        for (double rate = 2.0; rate < 4.2; rate += 0.5)
            worst = fmax(worst, fabs(pass_feet(methods[m], 4, rate, 5e-4)));
        const double turn = pass_feet(methods[m], 24, 4.0, 5e-4);
        printf("#   rate off by up to %.3g after 4 feet, %.3g after 24\n", worst, turn);
        measured(m == 0 ? "RIGID.wheel.merging" : "RIGID.wheel.sliding", fabs(turn));
        check(worst < 5e-3); /* a step is 0.4 to 0.8 % of the time on a foot */
        check_close(turn, 0.0, 0.01, "after a turn");
    }
}

/* ---- rolling ---- */

/* The acceleration of rings of n particles down a slope over that of the closed form, by the speed
 * after a turn of about one rad: g sin / (1 + k^2 / R^2) with k of the particles where they roll,
 * and g (sin - friction cos) where they slip. Joints hold as if friction were without limit. */
static double roll(enum contact_method method, int n, double slope, double friction)
{
    struct hand_scene h;
    struct simulation s;
    const double R = 0.5, radius = 0.02, dt = 5e-4, time = 0.75;
    struct wall wall;
    begin(&h, &wall, method, dt);
    h.scene.gravity = vec3(G * sin(slope), 0.0, -G * cos(slope));
    h.scene.contact.alpha = 0.0;
    if (method == CONTACT_SLIDING)
        h.scene.contact.friction = h.scene.contact.static_friction = friction;
    add_body(&h, 0, radius, 1.0 / n);
    const size_t first = h.particles.n;
    add_rings(&h, n, R - radius);
    const struct plain_body body = plain_body(&h.particles, first, h.particles.n);
    const double k2 = body.inertia.a[1][1] / body.mass;
    start(&h, &s);
    for (int k = 0; k < (int)lround(time / dt); k++) {
        const struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
    }
    const struct plain_body now = plain_body(&s.particles, first, s.particles.n);
    const double rolls = G * sin(slope) / (1.0 + k2 / (R * R));
    const double slips = G * (sin(slope) - friction * cos(slope));
    simulation_free(&s);
    hand_scene_end(&h);
    return now.velocity.x / (time * fmax(rolls, slips));
}

/* Each particle that comes to the slope takes a part of the speed that goes with the square of the
 * angle between two, so that the loss halves with twice as many, down to what steps leave. With
 * sliding contact it is 0.65, 0.41 and 0.29 % with 128, 256 and 512, of which 0.18 % go with steps
 * of 0.5 ms. */
static void roll_down(enum contact_method method, const char *name)
{
    char name_of[40];
    const double few = 1.0 - roll(method, 128, 0.3, 0.5), many = 1.0 - roll(method, 256, 0.3, 0.5);
    printf("#   %s: 128 particles: %.3g %% too slow; 256: %.3g %%\n", name, 100.0 * few,
           100.0 * many);
    snprintf(name_of, sizeof name_of, "RIGID.roll.%s", name);
    measured(name_of, fabs(many));
    check(fabs(many) < 0.8 * fabs(few));
    check_close(many, 0.0, 0.01, "acceleration");
}

TEST(a_ring_rolls_down_a_slope)
{
    roll_down(CONTACT_MERGING_AND_SPLITTING, "merging");
    roll_down(CONTACT_SLIDING, "sliding");
}

/* With less than tan(slope) / (1 + R^2 / k^2) it slips, with the friction that there is. */
TEST(a_ring_slips_down_a_steep_slope)
{
    const double off = 1.0 - roll(CONTACT_SLIDING, 256, 0.8, 0.2);
    measured("RIGID.slip", fabs(off));
    check_close(off, 0.0, 0.01, "acceleration");
}

/* ---- bouncing ---- */

/* How far it rises again after each of three bounces from 0.2 m, over alpha of the height before,
 * less 1: the worst. */
static double bounce(enum contact_method method, double alpha, double dt)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    double height = 0.2, top = 0.0, worst = 0.0;
    begin(&h, &wall, method, dt);
    h.scene.contact.alpha = alpha;
    add_body(&h, 0, 0.05, 0.2);
    const size_t first = h.particles.n;
    add_block(&h, 2, 2, 3, vec3(-0.05, -0.05, 0.05 + height), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int n = 0; n < 3 && s.time < 3.0;) {
        const struct ledger_row row = step_once(&s);
        const struct plain_body now = plain_body(&s.particles, first, s.particles.n);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        if (now.velocity.z > 0.0)
            top = now.center.z - 0.15;
        else if (top > 0.0) {
            worst = fmax(worst, fabs(top / (alpha * height) - 1.0));
            height = top;
            top = 0.0;
            n++;
        }
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return worst;
}

TEST(a_box_that_lands_on_its_face_rises_to_alpha_of_the_height)
{
    static const enum contact_method methods[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_SLIDING};
    for (size_t m = 0; m < 2; m++)
        for (double alpha = 1.0; alpha > 0.4; alpha -= 0.25) {
            const double coarse = bounce(methods[m], alpha, 5e-4),
                         fine = bounce(methods[m], alpha, 2.5e-4);
            printf("#   alpha %g: off by %.3g and %.3g\n", alpha, coarse, fine);
            check(fine < 0.6 * coarse && fine < 0.01);
        }
}
