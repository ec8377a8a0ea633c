/* Marked pairs at the end of a stage (Section 5.1), judged by the velocities that particles move
 * with, not by those that splitting leaves them with: three particles of equal mass, c touching a
 * and a touching b. By rule 22 c and a are merged; a and b part, and are marked. */
#include "scenes.h"

static const double step = 1e-4;

struct three {
    struct vec3 c, v_a, v_b, v_c; /* a lies at the origin, b at 1.99 r along x */
};

/* What became of them in two steps. */
struct outcome {
    struct ledger_row row[2];
    double nearer; /* by what a and b approached in the first step, m */
    struct vec3 v_a, v_b;
};

static double gap(const struct simulation *s)
{
    return vec3_norm(vec3_sub(s->particles.position[1], s->particles.position[0]));
}

static struct outcome run(const struct three *t)
{
    struct hand_scene h;
    struct simulation s;
    struct outcome out;
    hand_scene_begin(&h);
    h.scene.time.max_step = step;
    size_t loose = add_loose(&h);
    const struct vec3 position[] = {{0, 0, 0}, {0.0199, 0, 0}, t->c};
    const struct vec3 velocity[] = {t->v_a, t->v_b, t->v_c};
    for (int k = 0; k < 3; k++) {
        add_body(&h, loose, 0.01, 1e-3);
        add_particle(&h, position[k], velocity[k]);
    }
    start(&h, &s);
    double before = gap(&s), energy = s.energy.kinetic;
    struct vec3 momentum = s.totals.momentum;
    out.row[0] = step_once(&s);
    out.nearer = before - gap(&s);
    out.v_a = s.particles.velocity[0];
    out.v_b = s.particles.velocity[1];
    out.row[1] = step_once(&s);
    for (int k = 0; k < 2; k++) {
        check_close(out.row[k].kinetic, energy, 1e-14 * energy, "energy");
        check_vec3(row_momentum(&out.row[k]), momentum, 1e-18, "momentum");
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return out;
}

/* c comes from below and slides along x: the two move at (v_a + v_c) / 2, towards b; split, each
 * has its own sliding velocity again, and a parts from b. */
static const struct three carried = {
    .c = {0, 0, -0.0199}, .v_a = {-1, 0, 0}, .v_b = {0, 0, 0}, .v_c = {3, 0, 1}};

/* c hits a from behind: the two move at 1 m/s, b leads by 1.5 m/s; split, a has the 2 m/s. */
static const struct three passed_on = {
    .c = {-0.0199, 0, 0}, .v_a = {0, 0, 0}, .v_b = {1.5, 0, 0}, .v_c = {2, 0, 0}};

TEST(what_parts_by_split_velocities_is_late_if_it_is_carried_together)
{
    struct outcome moved = run(&carried);
    check_equal(moved.row[0].late, 1, "late");
    check_equal(moved.row[0].stages, 2, "stages");
    check_equal(ledger_value(&moved.row[0], "largest_group"), 3, "members");
    check_close(moved.nearer, 0.0, 1e-17, "a and b move together");
    check(moved.row[0].nearer == 0.0 && moved.row[0].nearer_depth < 1e-9);
    check(moved.v_b.x >= moved.v_a.x);
}

TEST(what_is_carried_apart_is_not_late_though_it_approaches_by_split_velocities)
{
    struct outcome moved = run(&passed_on);
    check_equal(moved.row[0].late, 0, "late");
    check_close(moved.nearer, -0.5 * step, 1e-15, "a and b move apart");
    check_vec3(moved.v_a, vec3(2, 0, 0), 1e-14, "a follows b");
    check_equal(moved.row[1].approaching, 1, "and is merged with it in the next step");
}

/* A cloud of particles of two sizes that lie across each other and move at random, in groups
 * without limit. Returns how many of the pairs in touch are nearer after one step, of which the
 * ledger must know; that are no more than those that are late after the last stage. */
static size_t sunk_in_a_cloud(uint64_t draw, uint32_t stages, size_t *touching)
{
    enum { N = 60 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.stages = stages;
    h.scene.contact.group_max = SCENE_UNLIMITED;
    size_t loose = add_loose(&h);
    for (uint64_t k = 0; k < N; k++) {
        if (k == 0)
            add_body(&h, loose, 0.01, 1e-3);
        if (k == N / 2)
            add_body(&h, loose, 0.015, 5e-3);
        add_particle(&h, vec3_scale(0.05, random_vector(3 * draw, k)),
                     random_vector(3 * draw + 1, k));
    }
    start(&h, &s);
    size_t n = *touching = s.touching.n, sunk = 0, noticed = 0;
    struct pair pairs[N * N];
    struct vec3 begun[N];
    memcpy(pairs, s.touching.pair, n * sizeof *pairs);
    memcpy(begun, s.particles.position, sizeof begun);
    struct ledger_row row = step_once(&s);
    double deepest = 0.0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = pairs[k].i, j = pairs[k].j;
        double before = vec3_norm(vec3_sub(begun[j], begun[i]));
        double sank =
            before - vec3_norm(vec3_sub(s.particles.position[j], s.particles.position[i]));
        sunk += sank > 1e-15;
        noticed += sank > 1e-9 * (i < N / 2 ? 0.01 : 0.015);
        deepest = fmax(deepest, sank / (i < N / 2 ? 0.01 : 0.015));
    }
    check_equal(row.nearer, noticed, "nearer");
    check_close(row.nearer_depth, deepest, 1e-13, "nearer_depth");
    check(row.nearer <= row.unresolved);
    check_equal(row.nearer_merged, 0, "nearer_merged");
    simulation_free(&s);
    hand_scene_end(&h);
    return sunk;
}

/* n . (u_j - u_i) >= 0 at the start and straight paths: the distance cannot fall. So without a
 * limit of groups, and with the stages it takes, overlap grows by new contacts alone. */
TEST(no_pair_in_touch_sinks_deeper)
{
    size_t sunk = 0, pairs = 0, touching;
    for (uint64_t draw = 0; draw < 200; draw++, pairs += touching)
        sunk += sunk_in_a_cloud(draw, 64, &touching);
    check_equal(sunk, 0, "pairs that sank");
    measured("M40.cloud.sunk", (double)sunk / (double)pairs);
}

TEST(with_one_stage_they_do_and_are_counted)
{
    size_t sunk = 0, touching;
    for (uint64_t draw = 0; draw < 20; draw++)
        sunk += sunk_in_a_cloud(draw, 1, &touching);
    check(sunk > 20);
}
