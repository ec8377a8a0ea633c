/* Bodies of bonds that rotate, with backward Euler: what spins keeps its spin. */
#include "particles/rigid_pieces.h"
#include "scenes.h"

static const double turn_rate = 62.831853071795865; /* a turn in 0.1 s: 100 steps of 1 ms, 1/s */

/* A block of nx x ny x nz particles of 64 g, with its first particle at the origin. */
static void begin_block(struct hand_scene *h, double stiffness, int nx, int ny, int nz)
{
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-5;
    add_body(h, add_peridynamics(h, stiffness, 3.0, 1e-4, (double)INFINITY), 0.02, 0.064);
    add_block(h, nx, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
}

static struct vec3 center_of(const struct particles *p)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < p->n; i++)
        sum = vec3_add(sum, p->position[i]);
    return vec3_scale(1.0 / (double)p->n, sum);
}

static void spin(struct particles *p, struct vec3 rate)
{
    const struct vec3 center = center_of(p);
    for (size_t i = 0; i < p->n; i++)
        p->velocity[i] = vec3_cross(rate, vec3_sub(p->position[i], center));
}

struct motion_sums {
    double energy, returned, lost, imbalance, most; /* of all steps */
    struct vec3 angular, momentum;
};

static void take(struct motion_sums *sums, const struct ledger_row *row)
{
    sums->energy = row->kinetic + row->elastic + row->gravitational;
    sums->most = fmax(sums->most, sums->energy);
    sums->angular = vec3(row->angular_x, row->angular_y, row->angular_z);
    sums->momentum = row_momentum(row);
    sums->returned += ledger_term(row, "spin_returned");
    sums->lost += ledger_term(row, "spin_lost");
    sums->imbalance = fmax(sums->imbalance, fabs(row->energy_imbalance));
}

static struct motion_sums run(struct simulation *s, int steps)
{
    struct motion_sums sums = {0};
    for (int k = 0; k < steps; k++) {
        const struct ledger_row row = step_once(s);
        take(&sums, &row);
    }
    return sums;
}

/* Five turns after one in which the body finds its shape. `energy`: the part that may be lost. */
static void check_free(struct hand_scene *h, const char *name, double energy)
{
    struct simulation s;
    start(h, &s);
    struct motion_sums before = run(&s, 100), after = run(&s, 500);
    double change = vec3_norm(vec3_sub(after.angular, before.angular)) / vec3_norm(before.angular);
    double kept = after.energy / before.energy;
    printf("# %s: angular momentum off by %.1e, energy %.4f of it, at most %.4f; given back %.3g "
           "times\n",
           name, change, kept, after.most / before.energy,
           after.returned / vec3_norm(before.angular));
    check_close(change, 0.0, 1e-6, name);
    check(kept > 1.0 - energy && after.most < 1.02 * before.energy);
    check_close(after.imbalance, 0.0, 1e-12 * before.energy, "energy imbalance of a step");
    check_close(after.lost, 0.0, 0.0, "spin lost");
    simulation_free(&s);
    hand_scene_end(h);
}

/* Before, L/L0 was 0.39, 0.08 and 0.44, of which the formula 1 / sqrt(1 + 4 pi^2 z / N) a turn, z =
 * 2 + s, says the same. */
TEST(a_spinning_body_keeps_its_spin)
{
    const double stiffness[] = {800.0, 80000.0, 200.0};
    const char *name[] = {"spinning", "stiff", "soft"};
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        begin_block(&h, stiffness[k], 6, 6, 4);
        spin(&h.particles, vec3(0, 0, turn_rate));
        check_free(&h, name[k], 0.02);
    }
}

TEST(a_tumbling_body_keeps_its_spin)
{
    const double stiffness[] = {800.0, 80000.0};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_block(&h, stiffness[k], 7, 5, 4);
        spin(&h.particles, vec3(0.3 * turn_rate, 0.25 * turn_rate, turn_rate));
        check_free(&h, "tumbling", 0.02);
    }
}

/* The energy of the vibration goes, as it does without spin. */
TEST(a_body_that_vibrates_keeps_its_spin)
{
    struct hand_scene h;
    begin_block(&h, 800.0, 6, 6, 4);
    spin(&h.particles, vec3(0, 0, turn_rate));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.position[i].x *= 1.01;
    check_free(&h, "vibrating", 0.02);
}

/* Two pieces of one body without a bond between them, which spin against each other, and particles
 * on a line, which have no spin about it. */
TEST(pieces_of_a_body_keep_their_spins)
{
    struct hand_scene h;
    begin_block(&h, 2000.0, 4, 4, 4);
    spin(&h.particles, vec3(0, 0.2 * turn_rate, turn_rate));
    uint32_t other = add_block(&h, 5, 1, 1, vec3(1.0, 0, 0), vec3(0, 0, 0));
    struct vec3 middle = vec3(1.08, 0, 0), rate = vec3(0, 0, -turn_rate);
    for (size_t i = other; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3_cross(rate, vec3_sub(h.particles.position[i], middle));
    struct simulation s;
    start(&h, &s);
    run(&s, 500);
    struct vec3 spin_of[2] = {{0}};
    for (size_t i = 0; i < s.particles.n; i++) {
        const struct particles *p = &s.particles;
        struct vec3 arm = vec3_sub(p->position[i], middle);
        spin_of[i >= other] =
            vec3_axpy(spin_of[i >= other], p->mass[i], vec3_cross(arm, p->velocity[i]));
    }
    double whole = 0.064 * 10.0 * 0.04 * 0.04 * turn_rate;
    printf("# the line has %.12f of its spin\n", -spin_of[1].z / whole);
    check_close(-spin_of[1].z / whole, 1.0, 1e-6, "spin of a line");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A pendulum of a block that swings from one fixed particle, and one from two, about their axis. */
static void swing(bool axis)
{
    struct hand_scene h;
    struct simulation s;
    begin_block(&h, 20000.0, 6, 4, 4);
    h.scene.gravity = vec3(0, 0, -9.81);
    h.particles.state[0] = PARTICLE_FIXED;
    h.particles.state[axis ? 18 : 0] = PARTICLE_FIXED;
    start(&h, &s);
    double begun = s.energy.gravitational + s.energy.elastic, fastest = 0.0;
    struct motion_sums sums = {0};
    for (int k = 0; k < 2000; k++) {
        const struct ledger_row row = step_once(&s);
        take(&sums, &row);
        fastest = fmax(fastest, row.kinetic);
    }
    printf("# from %s: energy off by %.4f of the largest kinetic energy, %.1e a step\n",
           axis ? "an axis" : "a point", (sums.energy - begun) / fastest, sums.imbalance / fastest);
    check_close((sums.energy - begun) / fastest, 0.0, 0.02, "energy");
    check_close(sums.imbalance / fastest, 0.0, 1e-12, "energy imbalance of a step");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_pendulum_keeps_its_energy)
{
    swing(false);
    swing(true);
}

/* Three fixed particles hold a body, and nothing is predicted or turned. */
TEST(a_clamped_body_does_not_turn)
{
    struct hand_scene h;
    struct simulation s;
    begin_block(&h, 800.0, 6, 4, 4);
    spin(&h.particles, vec3(0, 0, 3.0));
    for (size_t i = 0; i < 3; i++)
        h.particles.state[7 * i] = PARTICLE_FIXED;
    start(&h, &s);
    struct motion_sums sums = run(&s, 50);
    check(sums.returned == 0.0 && sums.lost == 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* After a hit off the center both bodies spin and part. What contact does to angular momentum is
 * the method's; what follows keeps it. */
static void hit(int method, int detection)
{
    struct hand_scene h;
    struct simulation s;
    begin_block(&h, 20000.0, 4, 4, 4);
    h.scene.contact.method = method;
    h.scene.contact.detection = detection;
    add_body(&h, 0, 0.02, 0.064);
    add_block(&h, 4, 4, 4, vec3(0.18, 0.08, 0.01), vec3(-3.0, 0, 0));
    start(&h, &s);
    struct motion_sums sums = {0}, parted = {0};
    struct vec3 momentum = vec3(0.064 * 64.0 * -3.0, 0, 0);
    bool touched = false;
    double begun = s.energy.kinetic, parted_for = 0.0;
    for (int k = 0; k < 400; k++) {
        const struct ledger_row row = step_once(&s);
        take(&sums, &row);
        touched |= row.contacts > 0.0 || row.links > 0.0;
        parted_for = row.contacts > 0.0 || row.links > 0.0 || !touched ? 0.0 : parted_for + 1.0;
        if (parted_for == 1.0)
            parted = sums;
    }
    printf(
        "# method %d: energy %.4f of it, at most %.4f; apart for %g steps; given back %.2g, lost "
        "%.2g kg m^2/s\n",
        (int)method, sums.energy / begun, sums.most / begun, parted_for, sums.returned, sums.lost);
    check(touched && parted_for > 50.0);
    check(sums.most < 1.02 * begun);
    check_close(vec3_norm(vec3_sub(sums.momentum, momentum)) / vec3_norm(momentum), 0.0, 1e-12,
                "momentum");
    check_close(vec3_norm(vec3_sub(sums.angular, parted.angular)) / vec3_norm(parted.angular), 0.0,
                1e-6, "angular momentum after the hit");
    check_close(sums.imbalance, 0.0, 1e-12 * begun, "energy imbalance of a step");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_hit_off_the_center)
{
    hit(CONTACT_MERGING_AND_SPLITTING, DETECTION_DISCRETE);
    hit(CONTACT_SLIDING, DETECTION_DISCRETE);
    hit(CONTACT_SLIDING, DETECTION_SWEPT);
    hit(CONTACT_PENALTY, DETECTION_DISCRETE);
    hit(CONTACT_IMPLICIT_PENALTY, DETECTION_DISCRETE);
}

/* Newmark's method loses spin and says so: what it loses is the change of angular momentum. */
TEST(what_newmark_loses_is_reported)
{
    struct hand_scene h;
    struct simulation s;
    begin_block(&h, 800.0, 6, 6, 4);
    h.scene.solver.integrator = INTEGRATOR_NEWMARK;
    spin(&h.particles, vec3(0, 0, turn_rate));
    start(&h, &s);
    double begun = s.totals.angular.z;
    struct motion_sums sums = run(&s, 500);
    printf("# lost %.3f of the spin, reported %.3f\n", 1.0 - sums.angular.z / begun,
           sums.lost / begun);
    check(sums.angular.z < 0.95 * begun);
    check_close(sums.lost / (begun - sums.angular.z), 1.0, 1e-6, "spin lost");
    check_close(sums.returned, 0.0, 0.0, "spin given back");
    simulation_free(&s);
    hand_scene_end(&h);
}
TAP_MAIN(TAP_ENTRY(a_spinning_body_keeps_its_spin), TAP_ENTRY(a_tumbling_body_keeps_its_spin),
         TAP_ENTRY(a_body_that_vibrates_keeps_its_spin),
         TAP_ENTRY(pieces_of_a_body_keep_their_spins), TAP_ENTRY(a_pendulum_keeps_its_energy),
         TAP_ENTRY(a_clamped_body_does_not_turn), TAP_ENTRY(a_hit_off_the_center),
         TAP_ENTRY(what_newmark_loses_is_reported))
