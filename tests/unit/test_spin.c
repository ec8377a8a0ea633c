/* Bodies of bonds that rotate, with backward Euler: what spins keeps its spin. */
#include "particles/rigid_pieces.h"
#include "spinning.h"

/* A block of nx x ny x nz particles of 64 g, with its first particle at the origin. */
static void begin_block(struct hand_scene *h, double stiffness, int nx, int ny, int nz)
{
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-5;
    add_body(h, add_peridynamics(h, stiffness, 3.0, 1e-4, (double)INFINITY), 0.02, 0.064);
    add_block(h, nx, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
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

/* Also where rotation is less than a percent of the motion. */
TEST(a_body_that_vibrates_more_than_it_spins)
{
    const int method[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_SLIDING};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        begin_block(&h, 800.0, 6, 6, 4);
        h.scene.contact.method = method[k];
        spin(&h.particles, vec3(0, 0, 0.05 * turn_rate));
        for (size_t i = 0; i < h.particles.n; i++)
            h.particles.velocity[i].x += 0.5 * turn_rate * (h.particles.position[i].x - 0.1);
        start(&h, &s);
        struct vec3 begun = s.totals.angular;
        double energy = s.energy.kinetic + s.energy.elastic;
        struct motion_sums sums = run(&s, 500);
        double change = vec3_norm(vec3_sub(sums.angular, begun)) / vec3_norm(begun);
        printf("# vibrating more than spinning: angular momentum off by %.1e, energy at most %.4f "
               "of it\n",
               change, sums.most / energy);
        check_close(change, 0.0, 1e-6, "angular momentum");
        check(sums.most < 1.02 * energy);
        check_close(sums.lost, 0.0, 0.0, "spin lost");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* The fewer steps a turn has, the farther are the tangents from the circle. */
TEST(twenty_steps_a_turn_are_enough)
{
    const double stiffness[] = {800.0, 800000.0};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_block(&h, stiffness[k], 7, 5, 4);
        h.scene.contact.detection = DETECTION_SWEPT;
        h.scene.time.courant = 100.0;
        spin(&h.particles, vec3(1.5 * turn_rate, 1.25 * turn_rate, 5.0 * turn_rate));
        check_free(&h, "twenty steps a turn", 0.05);
    }
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

TEST(a_pendulum_keeps_its_energy)
{
    for (int from = 0; from < SWINGS; from++) {
        struct hand_scene h;
        begin_block(&h, 20000.0, 6, 4, 4);
        check_swing(&h, (enum swing)from);
    }
}

/* Three fixed particles on no line hold a body, and nothing is predicted or turned. */
TEST(a_clamped_body_does_not_turn)
{
    struct hand_scene h;
    struct simulation s;
    begin_block(&h, 800.0, 6, 4, 4);
    spin(&h.particles, vec3(0, 0, 3.0));
    for (size_t i = 0; i < 3; i++)
        h.particles.state[i * (i + 1)] = PARTICLE_FIXED;
    start(&h, &s);
    struct motion_sums sums = run(&s, 50);
    check(sums.returned == 0.0 && sums.lost == 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

static void hit(int method, int detection)
{
    struct hand_scene h;
    begin_block(&h, 20000.0, 4, 4, 4);
    h.scene.contact.method = method;
    h.scene.contact.detection = detection;
    check_hit(&h);
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
    check_loss_is_reported(&s, 0.95, 1e-6);
    simulation_free(&s);
    hand_scene_end(&h);
}
