/* Tethers, which hold particles of a cloth to those that are fixed. */
#include "constraint_stage.h"
#include "constraints/tethers.h"
#include "theory_scenes.h"

/* ---- which anchor, and how far ---- */

static void add_tethers(struct stage *s, const struct pair_list *edges, double slack,
                        const uint8_t *role)
{
    struct error error = {0};
    const struct tether_setting setting = {
        .n = s->candidates.n, .slack = slack, .edges = edges, .length = s->length, .role = role};
    check_equal(tethers_add(&s->set, &setting, &error), STATUS_OK, error.message);
}

/* How far particle i may be from anchor a: it is put far away from all, and pulled towards one. */
static double reach(struct stage *s, size_t i, size_t a)
{
    const struct vec3 far = vec3(1e3 * (double)(i + 1), 2e3, 3e3);
    const struct vec3 before = s->at[i];
    s->at[i] = far;
    iterate(s, CONSTRAINT_TETHERS);
    struct vec3 pulled = vec3_sub(s->at[i], far), to = vec3_sub(s->at[a], far);
    const bool towards =
        vec3_norm(vec3_cross(pulled, to)) < 1e-12 * vec3_norm(pulled) * vec3_norm(to);
    const double left = vec3_norm(vec3_sub(s->at[i], s->at[a]));
    s->at[i] = before;
    return towards ? left : 1e9;
}

/* 0 and 5 are fixed: 0 - 1 - 2 - 3 - 4 - 5, edges of 1 but for the last, and a branch 2 - 6. In
 * space 3 is much nearer to 0 than to 5. */
TEST(the_anchor_is_the_nearest_along_edges)
{
    const uint8_t role[] = {TETHER_HOLDS, TETHER_FREE,  TETHER_FREE, TETHER_FREE,
                            TETHER_FREE,  TETHER_HOLDS, TETHER_FREE, TETHER_FREE};
    struct stage *s = stage_begin(8, false);
    struct pair_list edges = {0};
    const uint32_t end[6][2] = {{0, 1}, {1, 2}, {2, 3}, {2, 6}, {3, 4}, {4, 5}};
    const double length[6] = {1.0, 1.0, 1.0, 0.25, 1.0, 0.1};
    for (size_t e = 0; e < 6; e++) {
        add_pair(&edges, end[e][0], end[e][1]);
        s->length[e] = length[e];
    }
    s->weight[0] = s->weight[5] = 0.0;
    s->at[5] = vec3(-7.0, 20.0, 5.0);
    for (size_t i = 1; i < 8; i++)
        s->at[i] = i == 5 ? s->at[5] : vec3(0.01 * (double)i, 0.0, 0.0);
    add_tethers(s, &edges, 1.0, role);
    s->at[3] = s->at[4] = s->at[5]; /* within reach */
    check_close(reach(s, 1, 0), 2.0, 1e-9, "1");
    check_close(reach(s, 2, 0), 4.0, 1e-9, "2");
    check_close(reach(s, 3, 5), 2.2, 1e-9, "3");
    check_close(reach(s, 4, 5), 0.2, 1e-9, "4");
    check_close(reach(s, 6, 0), 4.5, 1e-9, "6, behind a branch");
    check(reach(s, 7, 0) > 1e8 && reach(s, 7, 5) > 1e8);
    pair_list_free(&edges);
    stage_end(s);
}

/* 0.1 + 0.1 + 0.1 and 0.1 + 0.2, in doubles. */
TEST(of_ways_of_equal_length_the_anchor_with_the_smaller_index_counts)
{
    for (int swap = 0; swap < 2; swap++) {
        uint8_t role[6] = {TETHER_FREE, TETHER_FREE, TETHER_FREE, TETHER_FREE};
        struct stage *s = stage_begin(6, false);
        struct pair_list edges = {0};
        const uint32_t end[5][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 4}, {3, 5}};
        const double length[5] = {0.1, 0.1, 0.1, 0.1, 0.2};
        for (size_t e = 0; e < 5; e++) {
            add_pair(&edges, end[e][0], end[e][1]);
            s->length[e] = length[e] * (swap && e % 2 ? 1.0 + 1e-15 : 1.0);
        }
        role[4] = role[5] = TETHER_HOLDS;
        s->weight[4] = s->weight[5] = 0.0;
        s->at[4] = vec3(1.0, 0.0, 0.0);
        s->at[5] = vec3(0.0, 1.0, 0.0);
        add_tethers(s, &edges, 0.0, role);
        check_close(reach(s, 0, 4), 0.1 + 0.2, 1e-9, "0");
        pair_list_free(&edges);
        stage_end(s);
    }
}

TEST(a_tether_pulls_its_particle_alone_and_only_beyond_its_length)
{
    const uint8_t role[] = {TETHER_HOLDS, TETHER_FREE, TETHER_FREE, TETHER_NONE, TETHER_FREE};
    struct stage *s = stage_begin(5, false);
    struct pair_list edges = {0};
    for (uint32_t k = 0; k < 4; k++) {
        add_pair(&edges, k, k + 1);
        s->length[k] = 1.0;
    }
    s->weight[0] = 0.0;
    s->weight[2] = 0.25;
    s->velocity[0] = vec3(0.0, 0.5, 0.0);
    add_tethers(s, &edges, 0.02, role);
    s->at[1] = vec3(0.0, 1.0199, 0.0);
    s->at[2] = vec3(0.0, 3.04, 0.0);
    s->at[3] = s->at[4] = vec3(0.0, 1e3, 0.0);
    iterate(s, CONSTRAINT_TETHERS);
    check_close(s->at[1].y, 1.0199, 0.0, "within its length");
    check_close(s->at[2].y, 2.04, 1e-9, "beyond it");
    check_close(s->at[4].y, 1e3, 0.0, "behind what can break");
    check_close(s->corrections.support.y, -4.0 * 1.0 / 0.01, 1e-6, "impulse of the anchor");
    check_close(s->corrections.support_work, -400.0 * 0.5, 1e-6, "its work");
    check_close(s->violation[2], 1.0, 1e-9, "violation");
    pair_list_free(&edges);
    stage_end(s);
}

/* ---- cloth ---- */

enum { ROWS = 20, COLUMNS = 8 };

/* A cloth of rigid distances that hangs by its upper edge, on y. */
static void hang(struct hand_scene *h, uint32_t iterations, bool tethered)
{
    begin(h, iterations, 1.0 / 120.0);
    h->scene.gravity = vec3(0.0, G, 0.0);
    h->scene.position.tethered = tethered;
    h->scene.position.slack = 0.02;
    add_body(h, add_springs(h, 1e3, 1e3, 0.0, 0.0), 0.05, 0.2);
    add_block(h, COLUMNS, ROWS, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < COLUMNS; i++)
        h->particles.state[i] = PARTICLE_FIXED;
}

/* How much longer it is at rest. */
static double stretch(uint32_t iterations, bool tethered)
{
    enum { STEPS = 240 };
    struct hand_scene h;
    struct simulation s;
    double mean = 0.0;
    hang(&h, iterations, tethered);
    start(&h, &s);
    for (int k = 0; k < 2 * STEPS; k++) {
        step_once(&s);
        if (k >= STEPS)
            mean += s.particles.position[COLUMNS * (ROWS - 1) + COLUMNS / 2].y / STEPS;
    }
    leave(&h, &s);
    return mean / (0.1 * (ROWS - 1)) - 1.0;
}

/* 1 % beyond the slack is what the distances of the same iteration may add. */
TEST(tethered_cloth_is_hardly_longer_than_the_slack_whatever_the_iterations)
{
    for (uint32_t m = 1; m <= 32; m *= 2) {
        double with = stretch(m, true);
        report(with, "UPP.tether.with-%g", m, 0.0);
        check(with < 0.02 + 0.01);
    }
    double without = stretch(4, false);
    report(without, "UPP.tether.without-%g", 4, 0.0);
    check(without > 0.1);
}

/* It swings sideways, so that anchors pull in every direction. */
TEST(a_tethered_run_is_accounted_for_and_goes_on_to_the_bit_with_any_threads)
{
    struct hand_scene h;
    struct simulation s, again;
    struct error error = {0};
    struct particles copy;
    struct state state;
    double shapes = 0.0;
    hang(&h, 2, true);
    h.scene.gravity.z = 2.0;
    start(&h, &s);
    for (int k = 0; k < 40; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational)), 0.0, 1e-12,
                    "energy");
        shapes += ledger_value(&row, "shape_work");
    }
    check(shapes > 0.0);
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    check_equal(simulation_take_state(&s, &state, &error), STATUS_OK, error.message);
    copy_particles(&copy, &s.particles);
    const struct restart restart = {.time = s.time, .step = s.step, .state = &state};
    omp_set_num_threads(3);
    check_equal(simulation_create(&again, &h.scene, &copy, h.rest, &restart, &error), STATUS_OK,
                error.message);
    for (int k = 0; k < 40; k++) {
        omp_set_num_threads(1);
        struct ledger_row one = step_once(&s);
        omp_set_num_threads(3);
        struct ledger_row other = step_once(&again);
        check(memcmp(&one, &other, sizeof one) == 0);
    }
    check(memcmp(s.particles.position, again.particles.position,
                 s.particles.n * sizeof(struct vec3)) == 0);
    omp_set_num_threads(1);
    simulation_free(&again);
    leave(&h, &s);
    state_free(&state);
}
