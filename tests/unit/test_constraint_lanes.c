/* Groups of constraints that work on several particles at once, against one after the other. */
#include "constraint_stage.h"
#include "naive_contacts.h"

/* Fields of any direction, some of them missing. */
static void draw_fields(struct field_point field[MOST])
{
    uint64_t draw = 4444;
    for (uint32_t i = 0; i < MOST; i++) {
        const struct vec3 out = drawn_vector(&draw);
        const enum field_rule rule = i % 7 == 2   ? FIELD_NONE
                                     : i % 3 == 0 ? FIELD_DEPTH
                                                  : FIELD_ONE_SIDED;
        const double depth = rule == FIELD_NONE ? 0.0 : 0.05 + uniform(&draw);
        field[i] = (struct field_point){vec3_scale(1.0 / vec3_norm(out), out), depth, rule};
    }
}

/* Contacts among particles of many sizes and masses, some of them fixed, two at one place. */
static struct stage *heap(bool split, struct contact_setting *setting)
{
    struct pair_list pairs;
    struct stage *s = soup(split, &pairs);
    uint64_t draw = 9999;
    s->near = pairs;
    s->at[pairs.pair[7].j] = s->at[pairs.pair[7].i];
    s->candidates.averaging.omega = 1.2;
    for (uint32_t i = 0; i < MOST; i++) {
        s->radius[i] = 0.1 + 0.3 * uniform(&draw);
        s->weight[i] = i % 29 == 3 ? 0.0 : s->weight[i];
        s->start[i] = vec3_add(s->at[i], vec3(0.05 * uniform(&draw), 0.05 * uniform(&draw), 0.0));
    }
    *setting = (struct contact_setting){
        .n = MOST, .radius = s->radius, .friction = 0.2, .static_friction = 0.3};
    struct error error = {0};
    check_equal(contacts_add(&s->set, setting, &error), STATUS_OK, error.message);
    return s;
}

static void check_against_naive(const struct stage *s, const struct contact_setting *setting)
{
    double number[MOST];
    size_t acting = 0, idle = 0;
    for (size_t i = 0; i < MOST; i++)
        number[i] = naive_number(&s->candidates, s->radius, i);
    for (size_t i = 0; i < MOST; i++) {
        struct vec3 shift, rubbed;
        double violation;
        naive_contacts(&s->candidates, setting, number, i, &shift, &rubbed, &violation);
        check(vec3_equal(shift, s->shift[i]) && vec3_equal(rubbed, s->rubbed[i]));
        check(violation == s->violation[i]);
        acting += number[i] > 0.0;
        idle += number[i] == 0.0;
    }
    check(acting > MOST / 2 && idle > 0);
}

TEST(contacts_side_by_side_are_those_one_after_the_other_to_the_bit)
{
    struct field_point field[MOST];
    draw_fields(field);
    for (int kind = 0; kind < 4; kind++)
        for (int threads = 1; threads <= 3; threads++) {
            struct contact_setting setting;
            omp_set_num_threads(threads);
            struct stage *s = heap(kind % 2, &setting);
            s->candidates.field = kind < 2 ? NULL : field;
            struct constraint *group = s->set.group[CONSTRAINT_CONTACTS];
            find(s, CONSTRAINT_CONTACTS);
            for (int k = 0; k < 4; k++) {
                group->class->solve(group, &s->candidates, &s->corrections);
                check_against_naive(s, &setting);
                for (size_t i = 0; i < MOST; i++)
                    s->at[i] = vec3_add(s->at[i], s->shift[i]);
            }
            stage_end(s);
        }
}

/* A grain in two others and in the floor, as deep everywhere: an average of three contacts, two
 * pairs and a plane, is a third of each. */
TEST(pairs_and_walls_are_averaged_together)
{
    const struct wall floor = {.name = "floor",
                               .region = {.shape = {.kind = SHAPE_BOX, .size = {8.0, 8.0, 2.0}},
                                          .position = {0.0, 0.0, -1.0},
                                          .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                               .keep = KEEP_OUTSIDE,
                               .holds = HOLDS_ALL};
    struct wall wall[1] = {floor};
    const struct scene scene = {.n_walls = 1, .wall = wall};
    const bool flows[3] = {false};
    struct stage *s = stage_begin(3, false);
    struct walls *walls;
    struct error error = {0};
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    const struct contact_setting setting = {
        .n = 3, .radius = s->radius, .flows = flows, .walls = walls};
    add_pair(&s->near, 0, 1);
    add_pair(&s->near, 0, 2);
    s->at[0] = s->start[0] = vec3(0.0, 0.0, 0.4);
    s->at[1] = s->start[1] = vec3(0.9, 0.0, 0.4);
    s->at[2] = s->start[2] = vec3(0.0, 0.9, 0.4);
    check_equal(contacts_add(&s->set, &setting, &error), STATUS_OK, error.message);
    find(s, CONSTRAINT_CONTACTS);
    iterate(s, CONSTRAINT_CONTACTS);
    check_close(s->shift[0].x, -0.05 / 3.0, 1e-12, "away from one");
    check_close(s->shift[0].y, -0.05 / 3.0, 1e-12, "away from the other");
    check_close(s->shift[0].z, 0.1 / 3.0, 1e-12, "up");
    check_close(s->shift[1].x, 0.025, 1e-12, "of one that touches two");
    stage_end(s);
    walls_free(walls);
}

/* A particle that was far from all walls is not measured anew until it may have come near. What it
 * did before must not show. */
TEST(walls_are_found_wherever_a_particle_was_before)
{
    enum { STEPS = 200 };
    struct wall tank[1] = {{.name = "tank",
                            .region = {.shape = {.kind = SHAPE_BOX, .size = {8.0, 8.0, 8.0}},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                            .keep = KEEP_INSIDE,
                            .holds = HOLDS_ALL}};
    const struct scene scene = {.n_walls = 1, .wall = tank};
    bool flows[MOST] = {false};
    uint64_t draw = 77;
    size_t touching = 0;
    struct walls *walls;
    struct error error = {0};
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    struct stage *old = stage_begin(MOST, false);
    const struct contact_setting setting = {
        .n = MOST, .radius = old->radius, .flows = flows, .walls = walls};
    check_equal(contacts_add(&old->set, &setting, &error), STATUS_OK, error.message);
    for (int step = 0; step < STEPS; step++) {
        struct stage *new = stage_begin(MOST, false);
        check_equal(contacts_add(&new->set, &setting, &error), STATUS_OK, error.message);
        for (size_t i = 0; i < MOST; i++) {
            const double far = i % 2 ? 0.2 : 4.0;
            const struct vec3 way =
                vec3(far * (2.0 * uniform(&draw) - 1.0), far * (2.0 * uniform(&draw) - 1.0), 0.0);
            old->at[i] = vec3_add(old->at[i], way);
            if (fabs(old->at[i].x) > 3.8 || fabs(old->at[i].y) > 3.8)
                old->at[i] = vec3_scale(0.5, old->at[i]);
            new->at[i] = old->at[i];
        }
        find(old, CONSTRAINT_CONTACTS);
        find(new, CONSTRAINT_CONTACTS);
        iterate(old, CONSTRAINT_CONTACTS);
        iterate(new, CONSTRAINT_CONTACTS);
        for (size_t i = 0; i < MOST; i++) {
            check(vec3_equal(old->shift[i], new->shift[i]));
            touching += vec3_norm(old->shift[i]) > 0.0;
        }
        stage_end(new);
    }
    check(touching > STEPS);
    stage_end(old);
    walls_free(walls);
}
