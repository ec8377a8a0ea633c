/* Marked pairs at the end of a stage (Section 5.1), judged by the velocities that particles move
 * with, and by those that splitting leaves them with: three particles of equal mass, c touching a
 * and a touching b. By rule 22 c and a are merged; a and b part, and are marked. */
#include "contact/late_rule.h"
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

static struct outcome run(const struct three *t, const char *late)
{
    struct hand_scene h;
    struct simulation s;
    struct outcome out;
    hand_scene_begin(&h);
    h.scene.contact.late = CHOICE_OF(LATE_RULES, late);
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

TEST(what_parts_by_split_velocities_may_be_carried_together)
{
    struct outcome split = run(&carried, "split"), moved = run(&carried, "integrated");
    check_equal(split.row[0].late, 0, "late, split");
    check_equal(split.row[0].stages, 1, "stages, split");
    check_vec3(split.v_a, vec3(-1, 0, 1), 1e-14, "a parts");
    check_close(split.nearer, 1.0 * step, 1e-7, "carried towards b"); /* and 1/2 across */
    check_equal(split.row[0].nearer, 1, "pairs that came nearer");
    check_close(split.row[0].nearer_depth, split.nearer / 0.01, 1e-13, "nearer_depth");
    check_equal(moved.row[0].late, 1, "late, integrated");
    check_equal(moved.row[0].stages, 2, "stages, integrated");
    check_equal(moved.row[0].largest_group, 3, "members");
    check_close(moved.nearer, 0.0, 1e-17, "a and b move together");
    check(moved.row[0].nearer == 0.0 && moved.row[0].nearer_depth < 1e-9);
    check(moved.v_b.x >= moved.v_a.x);
}

TEST(what_is_carried_apart_may_approach_by_split_velocities)
{
    struct outcome split = run(&passed_on, "split"), moved = run(&passed_on, "integrated");
    check_equal(split.row[0].late, 1, "late, split");
    check_equal(split.row[0].largest_group, 3, "members");
    check_close(split.nearer, 0.0, 1e-17, "a and b move together");
    check_equal(moved.row[0].late, 0, "late, integrated");
    check_close(moved.nearer, -0.5 * step, 1e-15, "a and b move apart");
    check_vec3(moved.v_a, vec3(2, 0, 0), 1e-14, "a follows b");
    check_equal(moved.row[1].approaching, 1, "and is merged with it in the next step");
}

TEST(either_is_late_where_one_of_them_is)
{
    check_equal(run(&carried, "either").row[0].late, 1, "carried");
    check_equal(run(&passed_on, "either").row[0].late, 1, "passed on");
}

/* Members of one meta-particle have one velocity: merging them again would change nothing. */
TEST(members_of_one_meta_particle_are_never_late_by_how_they_move)
{
    const struct vec3 x[] = {{0, 0, 0}, {1, 0, 0}}, same[] = {{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
    const struct vec3 towards[] = {{1, 0, 0}, {0, 0, 0}};
    const struct stage_end end = {x, same, towards};
    check(!pair_is_late(LATE_INTEGRATED, &end, (struct pair){0, 1}));
    check(pair_is_late(LATE_SPLIT, &end, (struct pair){0, 1}));
}

/* A cloud of particles of two sizes that lie across each other and move at random, in groups
 * without limit and with as many stages as it takes. Returns how many of the pairs in touch are
 * nearer after one step; the most that one of them sank goes to `deepest`, in the smaller radius.
 */
static size_t sunk_in_a_cloud(const char *late, uint64_t draw, size_t *touching, double *deepest)
{
    enum { N = 60 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.late = CHOICE_OF(LATE_RULES, late);
    h.scene.contact.stages = 64;
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
    double deepest_here = 0.0;
    check_equal(row.unresolved, 0, "unresolved");
    for (size_t k = 0; k < n; k++) {
        uint32_t i = pairs[k].i, j = pairs[k].j;
        double before = vec3_norm(vec3_sub(begun[j], begun[i]));
        double sank =
            before - vec3_norm(vec3_sub(s.particles.position[j], s.particles.position[i]));
        sunk += sank > 1e-15;
        noticed += sank > 1e-9 * (i < N / 2 ? 0.01 : 0.015);
        deepest_here = fmax(deepest_here, sank / (i < N / 2 ? 0.01 : 0.015));
    }
    check_equal(row.nearer, noticed, "nearer");
    check_close(row.nearer_depth, deepest_here, 1e-13, "nearer_depth");
    check_equal(row.nearer_merged, 0, "nearer_merged");
    *deepest = fmax(*deepest, deepest_here);
    simulation_free(&s);
    hand_scene_end(&h);
    return sunk;
}

/* n . (u_j - u_i) >= 0 at the start and straight paths: the distance cannot fall. So without a
 * limit of groups, and with the stages it takes, overlap grows by new contacts alone. */
TEST(by_how_they_move_no_pair_in_touch_sinks_deeper)
{
    const char *rules[] = {"split", "integrated", "either"};
    for (int k = 0; k < 3; k++) {
        size_t sunk = 0, pairs = 0;
        double deepest = 0.0;
        for (uint64_t draw = 0; draw < 200; draw++) {
            size_t touching;
            sunk += sunk_in_a_cloud(rules[k], draw, &touching, &deepest);
            pairs += touching;
        }
        check_equal(sunk > 0, strcmp(rules[k], "split") == 0, rules[k]);
        char name[48];
        snprintf(name, sizeof name, "LATE.sunk.%s", rules[k]);
        measured(name, (double)sunk / (double)pairs);
        snprintf(name, sizeof name, "LATE.deepest.%s", rules[k]);
        measured(name, deepest);
    }
}

TAP_MAIN(TAP_ENTRY(what_parts_by_split_velocities_may_be_carried_together),
         TAP_ENTRY(what_is_carried_apart_may_approach_by_split_velocities),
         TAP_ENTRY(either_is_late_where_one_of_them_is),
         TAP_ENTRY(members_of_one_meta_particle_are_never_late_by_how_they_move),
         TAP_ENTRY(by_how_they_move_no_pair_in_touch_sinks_deeper))
