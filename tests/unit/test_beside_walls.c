/* Meta-particles beside walls: a wall ends the path of one particle, and no pair in contact comes
 * nearer for that (Truong et al. 2021, Section 7), whether it was merged before or not. */
#include "yards.h"

static const double DT = 1e-3; /* s */

/* Two fluids, so that all contact is between them, above a floor. */
struct puddle {
    struct yard y;
    size_t fluid[2];
};

static void puddle_begin(struct puddle *p)
{
    hand_scene_begin(&p->y.h);
    add_floor(&p->y);
    p->y.wall.region.shape.size = vec3(0.3, 0.3, 0.3); /* little, as a fluid samples walls */
    p->y.wall.region.shape.center.z = -0.15;
    for (int k = 0; k < 2; k++)
        p->fluid[k] = add_fluid(&p->y.h, 100.0, 0.0);
}

/* Adds a body of particles of the first or second fluid that move alike. */
static void add_drops(struct puddle *p, int fluid, size_t n, const struct vec3 *x, struct vec3 v)
{
    add_body(&p->y.h, p->fluid[fluid], R, 1e-3);
    for (size_t k = 0; k < n; k++)
        add_particle(&p->y.h, x[k], v);
}

/* Two particles fall together and touch. The lower one may go down by 0.2 R only, and so may the
 * other, though the two do not approach each other. */
TEST(who_falls_on_a_plane_stops_whom_he_touches)
{
    const struct vec3 lower = {0.0, 0.0, 0.7 * R}, upper = {0.3 * R, 0.0, 2.6 * R};
    const struct vec3 v = {0.1 * R / DT, 0.0, -0.4 * R / DT};
    struct puddle p;
    puddle_begin(&p);
    add_drops(&p, 0, 1, &lower, v);
    add_drops(&p, 1, 1, &upper, v);
    yard_start(&p.y);
    double before = p.y.s.energy.kinetic;
    struct ledger_row row = check_step(&p.y);
    const struct vec3 *x = p.y.s.particles.position;
    check_vec3(vec3_sub(x[0], lower), vec3(0.1 * R, 0.0, -0.2 * R), 1e-8 * R, "lower");
    check_vec3(vec3_sub(x[1], upper), vec3_sub(x[0], lower), 1e-15, "upper");
    check(row.late == 1.0 && row.unresolved == 0.0 && row.nearer == 0.0);
    check(row.kinetic < before);
    yard_end(&p.y);
}

/* A column in which each finds the next one only after that one was stopped. `stages` tell how far
 * this goes; whoever is left is counted. */
static struct ledger_row drop_column(uint32_t stages, struct vec3 moved[4])
{
    static const int ORDER[4] = {0, 2, 1, 3}; /* the first fluid's before the second's */
    const struct vec3 v = {0.0, 0.0, -0.4 * R / DT};
    struct vec3 x[4];
    struct puddle p;
    puddle_begin(&p);
    p.y.h.scene.contact.stages = stages;
    for (int k = 0; k < 4; k++)
        x[k] = vec3(0.3 * R * (k % 2), 0.0, (0.7 + 1.9 * k) * R);
    for (int k = 0; k < 4; k++)
        add_drops(&p, k / 2, 1, &x[ORDER[k]], v);
    yard_start(&p.y);
    struct ledger_row row = check_step(&p.y);
    for (int k = 0; k < 4; k++)
        moved[ORDER[k]] = vec3_sub(p.y.s.particles.position[k], x[ORDER[k]]);
    yard_end(&p.y);
    return row;
}

TEST(a_column_stops_as_far_as_stages_go)
{
    struct vec3 moved[4];
    for (uint32_t stages = 2; stages <= 4; stages++) {
        struct ledger_row row = drop_column(stages, moved);
        for (uint32_t k = 0; k < 4; k++)
            check_close(moved[k].z, k < stages ? -0.2 * R : -0.4 * R, 1e-8 * R, "moved");
        check(row.unresolved == (stages < 4 ? 1.0 : 0.0) && row.nearer == row.unresolved);
    }
}

/* A heap slides into the corner of two walls. Nobody comes nearer to whom he touches in any step,
 * and nothing but gravity and the pressure of fluids gives energy. */
TEST(a_heap_in_a_corner_makes_no_energy)
{
    enum { HEAP = 24, STEPS = 150 };
    struct wall wall[2];
    struct vec3 x[2][HEAP / 2];
    struct puddle p;
    puddle_begin(&p);
    wall[0] = wall[1] = p.y.wall;
    wall[1].region.shape.center = vec3(-0.15, 0.0, 0.0);
    p.y.h.scene.wall = wall;
    p.y.h.scene.n_walls = 2;
    p.y.h.scene.gravity = vec3(0.0, 0.0, -G);
    p.y.h.scene.contact.stages = 100;
    p.y.h.scene.contact.group_min = p.y.h.scene.contact.group_max = SCENE_UNLIMITED;
    for (int k = 0; k < HEAP; k++)
        x[k % 2][k / 2] = vec3((1.0 + 2.1 * (k % 3)) * R, 2.1 * R * (k / 3 % 2),
                               (1.0 + 2.1 * (k / 6 + 0.1 * (k % 2))) * R);
    for (int fluid = 0; fluid < 2; fluid++)
        add_drops(&p, fluid, HEAP / 2, x[fluid], vec3(-2.0, 0.1, -1.0));
    yard_start(&p.y);
    double stopped = 0.0, late = 0.0;
    for (int step = 0; step < STEPS; step++) {
        double before = p.y.s.energy.kinetic + p.y.s.energy.gravitational;
        struct ledger_row row = check_step(&p.y);
        double gain = row.kinetic + row.gravitational - before;
        check(row.nearer == 0.0 && row.unresolved == 0.0);
        check(gain + ledger_value(&row, "pressure_work") <= 1e-12 * fabs(before));
        stopped += row.stopped;
        late += row.late;
    }
    check(stopped > HEAP && late > HEAP);
    yard_end(&p.y);
}

/* A heavy particle falls on one of a fluid above the floor, with sliding contact: the fluid comes
 * down to half a radius, and nobody overlaps. */
TEST(whom_a_solid_presses_on_a_wall_holds_it)
{
    const struct vec3 below = {0.0, 0.0, 0.8 * R}, above = {0.2 * R, 0.0, 3.0 * R};
    struct puddle p;
    hand_scene_begin(&p.y.h);
    p.y.h.scene.contact.method = CONTACT_SLIDING;
    p.y.h.scene.contact.detection = DETECTION_SWEPT;
    p.y.h.scene.contact.stages = 8;
    p.y.h.scene.contact.alpha = 0.0;
    p.y.h.scene.gravity = vec3(0.0, 0.0, -G);
    add_floor(&p.y);
    p.y.wall.holds = HOLDS_FLUIDS;
    p.y.wall.region.shape.size = vec3(0.3, 0.3, 0.3);
    p.y.wall.region.shape.center.z = -0.15;
    add_body(&p.y.h, add_peridynamics(&p.y.h, 1e3, 2.0, 0.0, (double)INFINITY), R, 1e-1);
    add_particle(&p.y.h, above, vec3(0.0, 0.0, -3.0));
    p.fluid[0] = add_fluid(&p.y.h, 100.0, 0.0);
    add_drops(&p, 0, 1, &below, vec3(0.0, 0.0, 0.0));
    yard_start(&p.y);
    const struct vec3 *x = p.y.s.particles.position;
    double lowest = (double)INFINITY;
    for (int step = 0; step < 5; step++) {
        struct ledger_row row = check_step(&p.y);
        check(vec3_norm(vec3_sub(x[1], x[0])) > (1.0 - 1e-9) * 2.0 * R && row.unresolved == 0.0);
        lowest = fmin(lowest, x[1].z);
    }
    check_close(lowest, WALL_NEAREST * R, 1e-8 * R, "lowest");
    yard_end(&p.y);
}
