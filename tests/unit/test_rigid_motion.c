/* Rigid bodies in schemes that solve for velocities: how they turn freely, and collisions off
 * center, by closed forms. */
#include "rigid_scenes.h"

/* ---- free bodies ---- */

/* Euler's equations in the body's frame, by Runge and Kutta's method in short steps. */
static struct vec3 euler_rate(const double moment[3], struct vec3 w)
{
    return vec3((moment[1] - moment[2]) * w.y * w.z / moment[0],
                (moment[2] - moment[0]) * w.z * w.x / moment[1],
                (moment[0] - moment[1]) * w.x * w.y / moment[2]);
}

static struct vec3 euler_after(const double moment[3], struct vec3 w, double time)
{
    enum { STEPS = 20000 };
    const double dt = time / STEPS;
    for (int k = 0; k < STEPS; k++) {
        struct vec3 a = euler_rate(moment, w);
        struct vec3 b = euler_rate(moment, vec3_axpy(w, 0.5 * dt, a));
        struct vec3 c = euler_rate(moment, vec3_axpy(w, 0.5 * dt, b));
        struct vec3 d = euler_rate(moment, vec3_axpy(w, dt, c));
        struct vec3 sum = vec3_add(vec3_add(a, d), vec3_scale(2.0, vec3_add(b, c)));
        w = vec3_axpy(w, dt / 6.0, sum);
    }
    return w;
}

/* A box of three different moments, which turns about its middle axis and so tumbles. */
static void make_box(struct hand_scene *h, struct vec3 v, struct vec3 w)
{
    hand_scene_begin(h);
    h->scene.time.courant = 100.0;
    add_body(h, add_rigid(h), 0.05, 0.2);
    add_block(h, 2, 4, 6, vec3(-0.05, -0.15, -0.25), vec3(0.0, 0.0, 0.0));
    move_from(h, 0, v, w);
}

/* The rate in the body's frame, in which its edges go along x, y and z. */
static struct vec3 rate_in_body(const struct particles *p)
{
    const struct plain_body b = plain_body(p, 0, p->n);
    const struct vec3 w = plain_rate(&b, b.spin), o = p->position[0];
    const struct vec3 x = vec3_sub(p->position[1], o), y = vec3_sub(p->position[2], o),
                      z = vec3_sub(p->position[8], o);
    return vec3(vec3_dot(w, x) / vec3_norm(x), vec3_dot(w, y) / vec3_norm(y),
                vec3_dot(w, z) / vec3_norm(z));
}

static const struct vec3 first_rate = {0.02, 3.0, 0.01};

/* How far the rate in the body is from Euler's after 4 s, 1/s. */
static double off_from_euler(double dt, double *energy_off)
{
    struct hand_scene h;
    struct simulation s;
    make_box(&h, vec3(1.0, -0.5, 0.25), first_rate);
    h.scene.time.max_step = dt;
    const struct plain_body b = plain_body(&h.particles, 0, h.particles.n);
    const double moment[3] = {b.inertia.a[0][0], b.inertia.a[1][1], b.inertia.a[2][2]};
    start(&h, &s);
    const struct vec3 momentum = s.totals.momentum, angular = s.totals.angular;
    const double energy = s.totals.kinetic;
    *energy_off = 0.0;
    for (int k = 0; k < (int)lround(4.0 / dt); k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-13 * energy, "energy_imbalance");
        *energy_off = fmax(*energy_off, fabs(row.kinetic / energy - 1.0));
    }
    check_vec3(s.totals.momentum, momentum, 1e-12, "momentum");
    check_vec3(s.totals.angular, angular, 1e-11 * vec3_norm(angular), "angular momentum");
    check_close(shape_off(&s.particles, h.rest, 0, s.particles.n), 0.0, 1e-13, "shape");
    const struct vec3 w = euler_after(moment, first_rate, 4.0);
    const double off = vec3_norm(vec3_sub(rate_in_body(&s.particles), w));
    simulation_free(&s);
    hand_scene_end(&h);
    return off;
}

TEST(a_free_body_tumbles_as_euler_says)
{
    double energy[2];
    const double coarse = off_from_euler(0.02, &energy[0]), fine = off_from_euler(0.01, &energy[1]);
    printf("#   off by %.3g and %.3g, energy by %.3g and %.3g\n", coarse, fine, energy[0],
           energy[1]);
    check(fine < 0.02 * vec3_norm(first_rate));
    check_close(log2(coarse / fine), 2.0, 0.3, "order");
    check_close(log2(energy[0] / energy[1]), 2.0, 0.3, "order of the energy");
}

/* The energy swings with the tumbling, and does not drift. (A body that goes far loses more to the
 * rounding of places: at 200 m, 3e-9 of its angular momentum about the origin.) */
TEST(a_free_body_keeps_spin_and_energy_for_long)
{
    struct hand_scene h;
    struct simulation s;
    make_box(&h, vec3(0.0, 0.0, 0.0), vec3(0.3, 3.0, 0.2));
    h.scene.time.max_step = 0.01;
    start(&h, &s);
    const struct vec3 angular = s.totals.angular;
    const double energy = s.totals.kinetic;
    double most[2] = {0.0, 0.0};
    for (int k = 0; k < 20000; k++) {
        struct ledger_row row = step_once(&s);
        double *of_half = &most[k < 10000 ? 0 : 1];
        *of_half = fmax(*of_half, fabs(row.kinetic / energy - 1.0));
    }
    const double spin = vec3_norm(vec3_sub(s.totals.angular, angular)) / vec3_norm(angular);
    printf("#   spin off by %.3g, energy by %.3g in the first half and %.3g in the second\n", spin,
           most[0], most[1]);
    check_close(spin, 0.0, 20000 * 4e-15, "spin");
    check(most[1] < 1.05 * most[0] && most[0] < 1e-3);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- collisions off center ---- */

/* K: what an impulse at r changes of the velocity there, v = K J with K = 1/m + [r] I^-1 [r]^T,
 * 1/kg */
static void add_yields(struct mat3 *k, const struct plain_body *b, struct vec3 r)
{
    static const struct vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int d = 0; d < 3; d++) {
        const struct vec3 turn = vec3_cross(plain_rate(b, vec3_cross(r, axis[d])), r);
        const struct vec3 v = vec3_axpy(turn, 1.0 / b->mass, axis[d]);
        k->a[0][d] += v.x;
        k->a[1][d] += v.y;
        k->a[2][d] += v.z;
    }
}

static struct vec3 velocity_at(const struct plain_body *b, struct vec3 r)
{
    return vec3_add(b->velocity, vec3_cross(plain_rate(b, b->spin), r));
}

/* A rod of 5 that flies with its end at a box. */
static void make_collision(struct hand_scene *h, bool held, double tilt)
{
    hand_scene_begin(h);
    h->scene.time.max_step = 1e-9;
    const size_t stone = add_rigid(h);
    add_body(h, stone, 0.05, 0.3);
    add_block(h, 3, 2, 2, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    if (held)
        fix_from(h, 0);
    else
        move_from(h, 0, vec3(0.1, -0.2, 0.5), vec3(0.4, -0.3, 0.2));
    add_body(h, stone, 0.05, 0.2);
    const uint32_t rod =
        add_block(h, 5, 1, 1, vec3(0.2 + 0.07, 0.1 + 0.01, 0.1 + 0.07), vec3(0.0, 0.0, 0.0));
    turn_about(h, rod, h->particles.position[rod], rotation_by(vec3(0.0, -tilt, 0.5 * tilt)));
    add_particle(h, vec3_add(h->particles.position[rod], vec3(0.03, 0.1, 0.05)),
                 vec3(0.0, 0.0, 0.0));
    move_from(h, rod, vec3(-1.0, 0.3, -2.0), vec3(0.5, 2.0, -1.0));
}

/* The pair in touch, of which there is one. */
static struct pair touch(const struct simulation *s)
{
    check_equal(s->touching.n, 1, "pairs in touch");
    return s->touching.pair[0];
}

/* What is known of a collision, and what a step of dt made of it. */
struct outcome {
    struct plain_body before, after; /* of the rod */
    struct vec3 arm, normal;         /* of the place of contact from its center */
    struct vec3 speed;               /* of the rod relative to the box there, m/s */
    struct mat3 yields;              /* K of both, 1/kg */
    double loss;                     /* of kinetic energy, J */
};

static struct outcome collide(enum contact_method method, double alpha, bool held, double tilt,
                              double dt)
{
    struct hand_scene h;
    struct simulation s;
    struct outcome o;
    const size_t rod = 12;
    make_collision(&h, held, tilt);
    h.scene.time.max_step = dt;
    h.scene.contact.method = method;
    h.scene.contact.alpha = alpha;
    start(&h, &s);
    const struct particles *p = &s.particles;
    const struct pair pair = touch(&s);
    const struct plain_body a = plain_body(p, 0, rod);
    o.before = plain_body(p, rod, p->n);
    const struct vec3 apart = vec3_sub(p->position[pair.j], p->position[pair.i]);
    o.normal = vec3_scale(1.0 / vec3_norm(apart), apart);
    const struct vec3 place = vec3_axpy(p->position[pair.i], 0.5, apart);
    const struct vec3 ra = vec3_sub(place, a.center);
    o.arm = vec3_sub(place, o.before.center);
    o.yields = (struct mat3){0};
    add_yields(&o.yields, &o.before, o.arm);
    if (!held)
        add_yields(&o.yields, &a, ra);
    const struct vec3 at_a = held ? vec3(0.0, 0.0, 0.0) : velocity_at(&a, ra);
    o.speed = vec3_sub(velocity_at(&o.before, o.arm), at_a);
    check(vec3_dot(o.normal, o.speed) < 0.0);
    const struct vec3 momentum = s.totals.momentum, angular = s.totals.angular;
    const double energy = s.totals.kinetic;
    const struct ledger_row before = {
        .momentum_x = momentum.x, .momentum_y = momentum.y, .momentum_z = momentum.z};
    const struct ledger_row row = step_once(&s);
    check_row(&before, &row, energy, 1e-13);
    o.loss = energy - row.kinetic;
    o.after = plain_body(p, rod, p->n);
    if (!held) {
        check_vec3(s.totals.momentum, momentum, 1e-13, "momentum");
        check_vec3(s.totals.angular, angular, 1e-13, "angular momentum");
    }
    if (alpha == 1.0)
        check_close(o.loss / energy, 0.0, 1e-13, "energy");
    simulation_free(&s);
    hand_scene_end(&h);
    return o;
}

/* Sliding contact merges along normals alone, so that alpha is the square of Newton's coefficient
 * e: J = -(1 + e) v_n / K_nn n. Merging takes all of the relative velocity, E = v . K^-1 v / 2, of
 * which E_n = v_n^2 / (2 K_nn) goes with a push along the normal and E_t = E - E_n does not. MS 13
 * gives alpha of E back along the normal and leaves E_t, which is e^2 = alpha - (1 - alpha) E_t /
 * E_n. If that is negative, MS 15 and 16 have e = 0 and leave sqrt(alpha E / E_t) of what E_t is
 * of. */
static struct vec3 impulse_of(const struct outcome *o, enum contact_method method, double alpha)
{
    const double normal = vec3_dot(o->normal, o->speed);
    const double yields = vec3_dot(o->normal, mat3_mul_vec3(&o->yields, o->normal));
    const struct vec3 stop = vec3_scale(-normal / yields, o->normal); /* along the normal alone */
    const struct vec3 whole = vec3_scale(-1.0, plain_solve(&o->yields, o->speed));
    const double E = -0.5 * vec3_dot(whole, o->speed), E_n = 0.5 * normal * normal / yields;
    const double E_t = method == CONTACT_SLIDING ? 0.0 : E - E_n;
    const double e2 = alpha - (1.0 - alpha) * E_t / E_n;
    if (e2 >= 0.0)
        return vec3_scale(1.0 + sqrt(e2), stop);
    return vec3_axpy(stop, 1.0 - sqrt(alpha * E / E_t), vec3_sub(whole, stop));
}

/* That is the limit of short steps: what steps of 2e-8 and half of that are off by grows with their
 * length. Returns the loss of energy. */
static double check_impulse(enum contact_method method, double alpha, bool held, double tilt)
{
    const double dt = 2e-8;
    const struct outcome one = collide(method, alpha, held, tilt, dt),
                         half = collide(method, alpha, held, tilt, 0.5 * dt);
    const struct vec3 J = impulse_of(&one, method, alpha);
    const struct vec3 velocity =
        vec3_axpy(vec3_scale(2.0, half.after.velocity), -1.0, one.after.velocity);
    const struct vec3 spin = vec3_axpy(vec3_scale(2.0, half.after.spin), -1.0, one.after.spin);
    check_vec3(velocity, vec3_axpy(one.before.velocity, 1.0 / one.before.mass, J), 1e-12,
               "velocity of the rod");
    check_vec3(spin, vec3_add(one.before.spin, vec3_cross(one.arm, J)), 1e-12, "spin of the rod");
    return half.loss;
}

TEST(an_elastic_collision_off_center_has_the_impulse_of_the_closed_form)
{
    for (double tilt = 0.0; tilt < 0.7; tilt += 0.2) {
        check_impulse(CONTACT_MERGING_AND_SPLITTING, 1.0, false, tilt);
        check_impulse(CONTACT_MERGING_AND_SPLITTING, 1.0, true, tilt);
        check_impulse(CONTACT_SLIDING, 1.0, false, tilt);
        check_impulse(CONTACT_SLIDING, 1.0, true, tilt);
    }
}

TEST(a_collision_off_center_with_restitution_has_the_impulse_of_the_closed_form)
{
    static const enum contact_method methods[] = {CONTACT_SLIDING, CONTACT_MERGING_AND_SPLITTING};
    for (size_t m = 0; m < 2; m++)
        for (int held = 0; held < 2; held++) {
            double loss = 0.0;
            for (int k = 3; k >= 0; k--) {
                const double more = check_impulse(methods[m], 0.0625 * k * k, held, 0.3);
                check(more > loss);
                loss = more;
            }
        }
}
