/* Lasting contact: M36 (rest) and M09 (stages) in miniature. */
#include "scenes.h"

/* `n` loose particles one above the other on a fixed one, each 1 % inside the next. */
static void stack(struct hand_scene *h, int n, uint32_t stages, double alpha)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    h->scene.contact.stages = stages;
    h->scene.contact.alpha = alpha;
    size_t loose = add_loose(h);
    add_body(h, loose, 0.01, 1e-3);
    fix_from(h, add_particle(h, vec3(0, 0, 0), vec3(0, 0, 0)));
    for (int k = 1; k <= n; k++) {
        add_body(h, loose, 0.01, 1e-3);
        add_particle(h, vec3(0, 0, 0.0198 * k), vec3(0, 0, 0));
    }
}

/* A step that changes no bit is followed by others that change none, whatever their number. */
enum { RESTING = 20000 };

static void measured_stages(const char *what, int n, int stages, double value)
{
    char name[48];
    snprintf(name, sizeof name, "%s-%d.stages-%d", what, n, stages);
    measured(name, value);
}

/* Largest displacement over the radius after `steps` steps. */
static double drift(struct hand_scene *h, int steps, struct ledger_row *row)
{
    struct simulation s;
    size_t n = h->particles.n;
    struct vec3 begun[64];
    memcpy(begun, h->particles.position, n * sizeof *begun);
    start(h, &s);
    double unresolved = 0.0;
    for (int k = 0; k < steps; k++) {
        *row = step_once(&s);
        unresolved += row->unresolved;
    }
    row->unresolved = unresolved;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, vec3_norm(vec3_sub(s.particles.position[i], begun[i])) / 0.01);
    simulation_free(&s);
    hand_scene_end(h);
    return largest;
}

TEST(a_particle_rests_on_a_fixed_one)
{
    struct hand_scene h;
    struct ledger_row row;
    stack(&h, 1, 2, 1.0);
    double moved = drift(&h, RESTING, &row);
    check_close(moved, 0.0, 0.0, "drift over the radius");
    check_equal(row.unresolved, 0, "unresolved");
    measured("M36.pair", moved);
    check_close(row.support_impulse_z, 9.81e-3 * row.dt, 1e-18, "the support carries the weight");
}

TEST(two_particles_side_by_side_rest_on_fixed_ones)
{
    struct hand_scene h;
    struct ledger_row row;
    stack(&h, 1, 2, 1.0);
    size_t loose = 0;
    add_body(&h, loose, 0.01, 1e-3);
    fix_from(&h, add_particle(&h, vec3(0.0199, 0, 0), vec3(0, 0, 0)));
    add_body(&h, loose, 0.01, 1e-3);
    add_particle(&h, vec3(0.0199, 0, 0.0198), vec3(0, 0, 0));
    double moved = drift(&h, RESTING, &row);
    check_close(moved, 0.0, 0.0, "drift over the radius");
    measured("M36.two-pairs", moved);
}

/* A particle that leaves a fixed one more slowly than its weight brings it back within the step is
 * late in every step. By the paper's rule it is merged with the velocity of the step's beginning,
 * and splitting returns alpha of that energy, while the impulse of the weight goes into the
 * support: with alpha = 1 it stays where it is and keeps, for ever, a velocity that moves nothing.
 * Returns the velocity at the end over that at the start. */
static double kept(double alpha)
{
    struct hand_scene h;
    struct simulation s;
    stack(&h, 1, 2, alpha);
    const double begun = 0.5 * 9.81 * h.scene.time.max_step;
    h.particles.velocity[1].z = begun;
    start(&h, &s);
    for (int k = 0; k < 1000; k++)
        step_once(&s);
    check_close(s.particles.position[1].z, 0.0198, 0.0, "place");
    double left = s.particles.velocity[1].z / begun;
    simulation_free(&s);
    hand_scene_end(&h);
    return left;
}

TEST(with_alpha_1_a_particle_at_rest_may_keep_a_velocity)
{
    measured("REST.kept.alpha-1", kept(1.0));
    measured("REST.kept.alpha-0", kept(0.0));
    check_close(kept(1.0), 1.0, 1e-12, "velocity kept");
    check_close(kept(0.0), 0.0, 0.0, "velocity kept");
}

/* M09: with one stage the contact that gravity closes during the step goes unnoticed. */
TEST(one_stage_is_not_enough_for_rest)
{
    struct hand_scene h;
    struct ledger_row row;
    double sunk[4];
    for (uint32_t stages = 1; stages <= 4; stages++) {
        stack(&h, 1, stages, 1.0);
        sunk[stages - 1] = drift(&h, 100, &row);
        check_equal(row.unresolved > 0.0, stages == 1, "unresolved");
        measured_stages("M09.pair", 1, (int)stages, sunk[stages - 1] / 100.0); /* radii per step */
    }
    check(sunk[0] > 0.01);
    check(sunk[1] == 0.0 && sunk[2] == 0.0 && sunk[3] == 0.0);
}

/* Each stage finds the next contact of a column of loose particles: n of them rest with n + 1
 * stages. With the paper's two the second already sinks, slowly (finding, M36). */
TEST(a_column_needs_a_stage_for_each_contact)
{
    for (int n = 2; n <= 5; n++) {
        for (int stages = 1; stages <= 6; stages++) {
            struct hand_scene h;
            struct ledger_row row;
            stack(&h, n, (uint32_t)stages, 1.0);
            double sunk = drift(&h, 300, &row);
            measured_stages("M36.column", n, stages, sunk / 300.0); /* radii per step */
            if (stages > n)
                check(sunk == 0.0 && row.unresolved == 0.0);
            else
                check(sunk > 0.01 && row.unresolved > 0.0);
        }
    }
}

TEST(with_enough_stages_a_column_rests_for_long)
{
    struct hand_scene h;
    struct ledger_row row;
    stack(&h, 2, 3, 1.0);
    double moved = drift(&h, RESTING, &row);
    check_close(moved, 0.0, 0.0, "drift over the radius");
    measured("M36.column-2.stages-3.long", moved);
}

/* Bonds carry what the contacts of the second stage stop: three elastic blocks, one on the other,
 * on a fixed plate. Returns the farthest any particle moved in a second, over the radius, after
 * they settled. */
static double settle(uint32_t stages)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.contact.stages = stages;
    size_t m = add_peridynamics(&h, 80.0, 2.0, 1e-3, (double)INFINITY);
    add_body(&h, add_loose(&h), 0.01, 8e-3);
    fix_from(&h, add_block(&h, 6, 6, 1, vec3(-0.05, -0.05, 0.0), vec3(0, 0, 0)));
    for (int b = 0; b < 3; b++) {
        add_body(&h, m, 0.01, 8e-3);
        add_block(&h, 3, 3, 3, vec3(-0.03, -0.03, 0.0198 + 0.0598 * b), vec3(0, 0, 0));
    }
    start(&h, &s);
    while (s.time < 0.5)
        step_once(&s);
    struct vec3 settled[200];
    memcpy(settled, s.particles.position, s.particles.n * sizeof *settled);
    while (s.time < 1.5)
        step_once(&s);
    double farthest = 0.0;
    for (size_t i = 0; i < s.particles.n; i++)
        farthest = fmax(farthest, vec3_norm(vec3_sub(s.particles.position[i], settled[i])) / 0.01);
    simulation_free(&s);
    hand_scene_end(&h);
    return farthest;
}

TEST(a_pile_of_elastic_blocks_rests)
{
    double moved[3];
    for (uint32_t stages = 1; stages <= 3; stages++) {
        moved[stages - 1] = settle(stages);
        measured_stages("M36.pile", 3, (int)stages, moved[stages - 1]);
    }
    check(moved[0] > 0.1);
    check(moved[1] < 1e-3);
    check(moved[2] < 1e-3);
}
