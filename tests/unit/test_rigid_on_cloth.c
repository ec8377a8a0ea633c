/* A rigid box with many contacts on a cloth that lies on a floor, or is held, under sliding
 * contact: closed forms of rest and friction, and how the work grows with the number of contacts.
 */
#include "endings.h"
#include "rigid_scenes.h"

static const double G = 10.0;    /* m/s^2 */
static const double R = 0.05;    /* m */
static const double DEEP = 1e-9; /* how deep particles that touch overlap, m */

enum { TALL = 2 };

struct lying {
    int n, layers;   /* particles along a side of the box, and of what it lies on */
    double friction; /* 0: none */
    double slope;    /* rad */
    double speed;    /* of the box, down the slope, m/s */
    double heavier;  /* mass of a particle of the box over that of one below */
};

static uint32_t add_box(struct hand_scene *h, int n, double z, double mass, double speed)
{
    const double half = R * (n - 1);
    add_body(h, add_rigid(h), R, mass);
    return add_block(h, n, n, TALL, vec3(-half, -half, z), vec3(speed, 0.0, 0.0));
}

static void begin(struct hand_scene *h, double friction)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_SLIDING;
    h->scene.contact.stages = 6;
    h->scene.contact.alpha = 0.0;
    h->scene.contact.friction = h->scene.contact.static_friction = friction;
    h->scene.solver.tolerance = 1e-11;
}

/* A floor of fixed particles, springs on it, and a box on these, each particle exactly on another.
 */
static uint32_t make_lying(struct hand_scene *h, const struct lying *l)
{
    const double mass = 0.01, half = R * (l->n + 1);
    begin(h, l->friction);
    h->scene.gravity = vec3(G * sin(l->slope), 0.0, -G * cos(l->slope));
    add_body(h, add_springs(h, 200.0, 100.0, 10.0, 5e-3), R, mass);
    add_block(h, l->n + 2, l->n + 2, l->layers, vec3(-half, -half, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_rigid(h), R, mass);
    fix_from(h, add_block(h, l->n + 2, l->n + 2, 1, vec3(-half, -half, -2.0 * R + DEEP),
                          vec3(0.0, 0.0, 0.0)));
    return add_box(h, l->n, 2.0 * R * l->layers - DEEP, l->heavier * mass, l->speed);
}

static double weight(const struct hand_scene *h)
{
    double sum = 0.0;
    for (size_t i = 0; i < h->particles.n; i++)
        sum += h->particles.state[i] == PARTICLE_FREE ? G * h->particles.mass[i] : 0.0;
    return sum;
}

/* ---- rest ---- */

static void rest(struct lying l)
{
    enum { STEPS = 40 };
    struct hand_scene h;
    struct simulation s;
    make_lying(&h, &l);
    const double all = weight(&h) * h.scene.time.max_step, step = G * h.scene.time.max_step;
    double force = 0.0, speed = 0.0;
    start(&h, &s);
    for (int k = 0; k < STEPS; k++) {
        const struct ledger_row row = step_once(&s);
        check(row.unresolved == 0.0);
        force = fmax(force, fabs(row.support_impulse_z / all - cos(l.slope)));
        force = fmax(force, fabs(row.support_impulse_x / all + sin(l.slope)));
        speed = fmax(speed, row.speed_max / step);
    }
    printf("#   %d x %d, %d below, friction %g: force off by %.2g, speeds up to %.2g of g dt\n",
           l.n, l.n, l.layers, l.friction, force, speed);
    check_close(force, 0.0, 1e-9, "force of the floor");
    check_close(speed, 0.0, 1e-9, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_box_rests_on_a_cloth)
{
    rest((struct lying){4, 1, 0.0, 0.0, 0.0, 1.0});
    rest((struct lying){4, 1, 0.4, 0.0, 0.0, 1.0});
    rest((struct lying){8, 1, 0.4, 0.0, 0.0, 100.0});
    rest((struct lying){8, 1, 0.4, 0.3, 0.0, 1.0});
}

/* ---- friction ---- */

/* The change of the box's speed in the first step, in which normals are still along z. */
static void slide(struct lying l)
{
    struct hand_scene h;
    struct simulation s;
    const uint32_t box = make_lying(&h, &l);
    const double step = G * h.scene.time.max_step;
    start(&h, &s);
    const struct ledger_row row = step_once(&s);
    check(row.unresolved == 0.0);
    const struct plain_body b = plain_body(&s.particles, box, s.particles.n);
    check_close((b.velocity.x - l.speed) / step, sin(l.slope) - l.friction * cos(l.slope), 1e-9,
                "along the slope");
    check_close(b.velocity.z / step, 0.0, 1e-9, "across the slope");
    check_vec3(vec3_scale(1.0 / step, b.spin), vec3(0.0, 0.0, 0.0), 1e-9, "spin");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_box_slides_by_coulombs_law)
{
    slide((struct lying){8, 1, 0.1, 0.0, 1.0, 1.0});
    slide((struct lying){8, 1, 0.1, 0.0, 1.0, 30.0});
    slide((struct lying){8, 1, 0.1, 0.2, 0.0, 1.0});
    slide((struct lying){5, 1, 0.05, 0.0, 1.0, 0.1});
}

/* ---- on a held cloth ---- */

/* Boxes, one on the other, that press a cloth of which the rim is held. */
static void make_held(struct hand_scene *h, int n, int boxes, double friction)
{
    const int side = n + 4;
    const double half = R * (side - 1);
    begin(h, friction);
    h->scene.solver.tolerance = 1e-6;
    h->scene.gravity = vec3(0.0, 0.0, -G);
    add_body(h, add_springs(h, 200.0, 100.0, 10.0, 5e-3), R, 0.01);
    add_block(h, side, side, 1, vec3(-half, -half, 0.0), vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < side * side; i++)
        if (i % side == 0 || i % side == side - 1 || i / side == 0 || i / side == side - 1)
            h->particles.state[i] = PARTICLE_FIXED;
    for (int k = 0; k < boxes; k++)
        add_box(h, n, 2.0 * R * (1 + TALL * k) - DEEP, 0.01, 0.0);
}

/* Products with the matrix, per step. */
static double products_of(struct hand_scene *h)
{
    enum { STEPS = 20 };
    struct simulation s;
    double sum = 0.0;
    start(h, &s);
    for (int k = 0; k < STEPS; k++) {
        const struct ledger_row row = step_once(&s);
        check(row.unresolved == 0.0);
        sum += row.iterations_first + row.iterations_later;
    }
    simulation_free(&s);
    hand_scene_end(h);
    return sum / STEPS;
}

static double products(int n, int boxes, double friction)
{
    struct hand_scene h;
    make_held(&h, n, boxes, friction);
    const double each = products_of(&h);
    printf("#   %d boxes of %d x %d, friction %g: %g products in a step\n", boxes, n, n, friction,
           each);
    return each;
}

/* What moves does not grow with the number of contacts: sixteen times as many took 1.3 times as
 * many products. Where the preconditioner of Newton's method left rigid bodies out, it were 30
 * times as many. */
TEST(products_hardly_grow_with_contacts)
{
    for (double friction = 0.0; friction < 0.5; friction += 0.4) {
        const double few = products(5, 2, friction), many = products(20, 2, friction);
        check(few > 1.0 && many < 2.0 * few && many < 100.0);
    }
}

/* A stiff beam with fixed ends, of which the solver knows more than its diagonal: without that,
 * each step took 114 products. */
TEST(a_beam_may_be_stiff)
{
    enum { LONG = 40, WIDE = 3, HIGH = 2 };
    struct hand_scene h;
    begin(&h, 0.4);
    h.scene.solver.tolerance = 1e-6;
    h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&h, add_corotated(&h, 1e9, 0.3, 0.0), R, 1.0);
    add_block(&h, LONG, WIDE, HIGH, vec3(-R * (LONG - 1), -R * (WIDE - 1), 0.0),
              vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < LONG * WIDE * HIGH; i++)
        h.particles.state[i] = i % LONG < 2 || i % LONG > LONG - 3 ? PARTICLE_FIXED : PARTICLE_FREE;
    move_from(&h, add_box(&h, WIDE, 2.0 * R * HIGH - DEEP, 1.0, 0.0), vec3(0.5, 0.0, -1.0),
              vec3(0.0, 0.0, 0.0));
    const double each = products_of(&h);
    printf("#   on a beam: %g products in a step\n", each);
    check(each > 1.0 && each < 70.0);
}

static struct ending held_with(int threads, bool goes_on)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row = {0};
    make_held(&h, 6, 3, 0.4);
    omp_set_num_threads(threads);
    start(&h, &s);
    for (int k = 0; k < 30; k++)
        row = step_once(&s);
    const struct ending end = ending_of(&s, row);
    if (goes_on)
        check_goes_on(&s, h.rest, 10);
    simulation_free(&s);
    hand_scene_end(&h);
    return end;
}

TEST(the_same_bits_for_any_number_of_threads_and_after_a_stop)
{
    struct ending one = held_with(1, true);
    for (int threads = 2; threads <= 3; threads++) {
        struct ending more = held_with(threads, false);
        check_same_ending(&one, &more);
        ending_free(&more);
    }
    ending_free(&one);
}
