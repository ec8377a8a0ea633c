/* Groups of constraints that work on several particles at once, against one after the other. */
#include "constraint_stage.h"
#include "naive_contacts.h"

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
    for (int split = 0; split < 2; split++)
        for (int threads = 1; threads <= 3; threads++) {
            struct contact_setting setting;
            omp_set_num_threads(threads);
            struct stage *s = heap(split, &setting);
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
