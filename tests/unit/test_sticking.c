#include "measure/sticking.h"
#include "tap.h"

enum { HELD = 1, APART = 2 };

static void update(struct measure_row *row, int how, double interlocked)
{
    const struct sticking_input input = {
        .dt = 0.25, .touching = !(how & APART), .held = how & HELD, .size = 3.0, .wave = 0.125};
    struct measure_row next = {.impact_speed = row->impact_speed, .interlocked = interlocked};
    sticking_update(row, &input, &next);
    *row = next;
}

TEST(contact_that_nothing_holds_ends_in_time_or_sticks)
{
    struct measure_row row = {.impact_speed = 6.0};
    for (int k = 1; k <= 6; k++) {
        update(&row, 0, 0.0);
        check_close(row.separation_time, 3.0 / 6.0 + 4.0 * 0.125, 0.0, "flight and four waves");
        check_close(row.free_contact_time, 0.25 * k, 0.0, "time without a break");
        check_close(row.sticking, k > 4, 0.0, "above the time of parting, not at it");
    }
    update(&row, APART, 0.0);
    check_close(row.free_contact_time, 0.0, 0.0, "they parted after all");
    check_close(row.sticking, 0.0, 0.0, "verdict");
    update(&row, 0, 0.0);
    check_close(row.free_contact_time, 0.25, 0.0, "from the beginning");
}

TEST(what_is_pressed_may_touch_for_ever)
{
    struct measure_row row = {.impact_speed = 6.0};
    for (int k = 0; k < 100; k++)
        update(&row, HELD, 0.0);
    check_close(row.free_contact_time, 0.0, 0.0, "free_contact_time");
    check_close(row.sticking, 0.0, 0.0, "verdict");
}

TEST(a_center_inside_another_particle_sticks_held_or_not)
{
    struct measure_row row = {.impact_speed = 6.0};
    update(&row, HELD, 1.0);
    check_close(row.sticking, 1.0, 0.0, "interlocked");
    check_close(row.interlocked_steps, 1.0, 0.0, "for a step");
    update(&row, HELD, 0.0);
    check_close(row.interlocked_steps, 1.0, 0.0, "and no longer");
    check_close(row.sticking, 0.0, 0.0, "free again");
}

TEST(nothing_sticks_before_the_impact)
{
    struct measure_row row = {0};
    for (int k = 0; k < 100; k++)
        update(&row, 0, 0.0);
    check_close(row.free_contact_time, 0.0, 0.0, "free_contact_time");
    check_close(row.separation_time, 0.0, 0.0, "separation_time");
    check_close(row.sticking, 0.0, 0.0, "verdict");
}
