/* Corotated solids that rotate: what spins keeps its spin. */
#include "spinning.h"
#include "systems/corotated/corotated_parts.h"

/* A block of nx x ny x nz particles of 64 g, with its first particle at the origin. */
static void begin_solid(struct hand_scene *h, enum corotated_solving solver, double young, int nx,
                        int ny, int nz)
{
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-5;
    add_body(h, add_corotated(h, young, 0.3, 1.0), 0.02, 0.064);
    h->parameters[0].corotated.solver = solver;
    add_block(h, nx, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
}

/* Before, L/L0 was 0.45, whatever the stiffness: 1 / sqrt(1 + 8 pi^2 / N) a turn. */
TEST(a_spinning_solid_keeps_its_spin)
{
    const enum corotated_solving solver[] = {COROTATED_COUPLED, COROTATED_COUPLED,
                                             COROTATED_COUPLED, COROTATED_WHOLE, COROTATED_NEWTON};
    const double young[] = {1e6, 1e8, 1e5, 1e6, 1e6};
    const char *name[] = {"spinning", "stiff", "soft", "whole", "newton"};
    for (int k = 0; k < 5; k++) {
        struct hand_scene h;
        begin_solid(&h, solver[k], young[k], 6, 6, 4);
        spin(&h.particles, vec3(0, 0, turn_rate));
        check_free(&h, name[k], 0.02);
    }
}

TEST(a_tumbling_solid_keeps_its_spin)
{
    const double young[] = {1e6, 1e8};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, young[k], 7, 5, 4);
        spin(&h.particles, vec3(0.3 * turn_rate, 0.25 * turn_rate, turn_rate));
        check_free(&h, "tumbling", 0.02);
    }
}

TEST(a_pendulum_keeps_its_energy)
{
    for (int from = 0; from < SWINGS; from++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, 1e7, 6, 4, 4);
        check_swing(&h, (enum swing)from);
    }
}

/* Members of groups keep their velocities, and the others take the torque. */
TEST(a_hit_off_the_center)
{
    const int method[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_PENALTY};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, 1e7, 4, 4, 4);
        h.scene.contact.method = method[k];
        check_hit(&h);
    }
}

/* ---- groups ---- */

enum { PARTICLES = 6 * 6 * 4, GROUPS = 3, MEMBERS = 7 };

/* Members, ascending, and the smallest of the group of each. */
static const uint32_t MEMBER[MEMBERS] = {0, 1, 40, 41, 46, 100, 143},
                      LEADER[MEMBERS] = {0, 0, 40, 40, 40, 100, 100};

/* Of the forces of a step, whose rotations do not change in it, J. */
static double energy_at(struct corotated *c, const struct vec3 *place)
{
    corotated_gradients_alone(c, place);
    return corotated_shape_energy(c, c->gradient, c->volume_turn) +
           corotated_volume_energy(c, c->gradient, c->volume_turn) + corotated_control_energy(c);
}

/* The force on particle i where c->fallen leads, by differences, which are exact: the energy is a
 * square. */
static struct vec3 force_on(struct corotated *c, const struct vec3 *x, uint32_t i)
{
    static struct vec3 place[PARTICLES];
    const double h = 1e-3;
    double f[3];
    for (uint32_t k = 0; k < PARTICLES; k++)
        place[k] = vec3_axpy(x[k], c->dt, c->fallen[k]);
    const struct vec3 own = place[i];
    for (int a = 0; a < 3; a++) {
        const struct vec3 way = vec3(a == 0 ? h : 0.0, a == 1 ? h : 0.0, a == 2 ? h : 0.0);
        place[i] = vec3_add(own, way);
        const double more = energy_at(c, place);
        place[i] = vec3_sub(own, way);
        f[a] = (energy_at(c, place) - more) / (2.0 * h);
    }
    return vec3(f[0], f[1], f[2]);
}

static bool is_member(uint32_t i)
{
    for (int k = 0; k < MEMBERS; k++)
        if (MEMBER[k] == i)
            return true;
    return false;
}

/* All particles have the spin; members of a group have its velocity. */
static void begin_motion(const struct simulation *s, const struct groups *groups,
                         struct motion *motion)
{
    memcpy(motion->before, s->particles.velocity, PARTICLES * sizeof *motion->before);
    for (size_t g = 0; g < groups->n_groups; g++) {
        const size_t begin = groups->start[g], end = groups->start[g + 1];
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = begin; k < end; k++)
            sum = vec3_add(sum, s->particles.velocity[groups->member[k]]);
        for (size_t k = begin; k < end; k++)
            motion->before[groups->member[k]] = vec3_scale(1.0 / (double)(end - begin), sum);
    }
}

/* Members keep the velocity of their group, and the others take the torque of all forces: after the
 * turn there is none, and it has no momentum. */
TEST(others_take_the_torque_of_members)
{
    struct hand_scene h;
    struct simulation s;
    struct groups groups;
    struct motion motion;
    struct solve_report report;
    struct error error = {0};
    begin_solid(&h, COROTATED_COUPLED, 1e6, 6, 6, 4);
    h.scene.solver.tolerance = 1e-12;
    spin(&h.particles, vec3(0.3 * turn_rate, 0.0, turn_rate));
    start(&h, &s);
    check_equal(groups_create(&groups, &s.particles, &error), STATUS_OK, error.message);
    check_equal(motion_create(&motion, PARTICLES, &error), STATUS_OK, error.message);
    groups_assign(&groups, &s.particles, MEMBERS, MEMBER, LEADER);
    check_equal(groups.n_groups, GROUPS, "groups");
    begin_motion(&s, &groups, &motion);
    struct corotated *c = (struct corotated *)s.system[0];
    const struct system_class *class = s.system[0]->class;
    check_equal(class->prepare(s.system[0], &s.particles, 1e-3, &error), STATUS_OK, error.message);
    check_equal(
        class->integrate(s.system[0], &s.particles, &groups, 1e-3, &motion, &report, &error),
        STATUS_OK, error.message);
    struct vec3 torque = vec3(0, 0, 0), before_turn = torque, impulse = torque;
    for (uint32_t i = 0; i < PARTICLES; i++) {
        const struct vec3 x = s.particles.position[i], after = motion.own_after[i];
        struct vec3 forces = vec3_scale(c->mass[i], vec3_sub(c->fallen[i], motion.before[i]));
        struct vec3 all = vec3_scale(c->mass[i], vec3_sub(after, motion.before[i]));
        if (is_member(i)) {
            check_vec3(vec3_sub(after, c->fallen[i]), vec3(0, 0, 0), 0.0, "turn of a member");
            forces = all = vec3_scale(c->dt, force_on(c, s.particles.position, i));
        }
        before_turn = vec3_add(before_turn, vec3_cross(x, forces));
        torque = vec3_add(torque, vec3_cross(x, all));
        impulse = vec3_add(impulse, vec3_scale(c->mass[i], vec3_sub(after, c->fallen[i])));
    }
    printf("# torque %.2e N m s without the turn, %.2e with it; its momentum %.1e N s\n",
           vec3_norm(before_turn), vec3_norm(torque), vec3_norm(impulse));
    check(vec3_norm(before_turn) > 0.0);
    check_close(vec3_norm(torque) / vec3_norm(before_turn), 0.0, 1e-8, "torque that is left");
    check_close(vec3_norm(impulse), 0.0, 1e-14, "momentum of the turn");
    groups_free(&groups);
    motion_free(&motion);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The paper's Algorithm 1 stays as it is, and says what it loses. */
TEST(what_algorithm_1_loses_is_reported)
{
    struct hand_scene h;
    struct simulation s;
    begin_solid(&h, COROTATED_PREFACTORED, 1e6, 6, 6, 4);
    spin(&h.particles, vec3(0, 0, turn_rate));
    start(&h, &s);
    check_loss_is_reported(&s, 0.5, 1e-3);
    simulation_free(&s);
    hand_scene_end(&h);
}
