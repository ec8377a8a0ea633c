#include "measure/stability.h"
#include "tap.h"

/* A fall: the mechanical energy is 5 J, the potential part of it 5 - k. */
static struct stability_input state(double energy, double kinetic, double speed, bool touching)
{
    return (struct stability_input){.energy = energy,
                                    .kinetic = kinetic,
                                    .speed_max = speed,
                                    .speed_p999 = 0.5 * speed,
                                    .touching = touching};
}

static void update(struct measure_row *row, struct stability_input input)
{
    struct measure_row next = {0};
    stability_update(row, &input, &next);
    *row = next;
}

TEST(nothing_is_compared_before_the_impact)
{
    struct measure_row row = {.energy_start = 5.0};
    update(&row, state(7.0, 1.0, 2.0, false));
    check_close(row.impact_kinetic, 0.0, 0.0, "impact");
    check_close(row.energy_gain, 0.0, 0.0, "gain");
    check_close(row.speed_ratio, 0.0, 0.0, "ratio");
}

TEST(gain_and_ratio_are_the_largest_since_the_impact)
{
    struct measure_row row = {.energy_start = 5.0};
    update(&row, state(5.0, 3.0, 2.0, false));
    update(&row, state(5.0, 4.0, 3.0, true)); /* the impact */
    update(&row, state(4.5, 1.0, 9.0, false));
    check_close(row.energy_start, 5.0, 0.0, "start");
    check_close(row.impact_kinetic, 4.0, 0.0, "kinetic energy at impact");
    check_close(row.impact_speed, 3.0, 0.0, "speed at impact");
    check_close(row.energy_gain, 0.0, 0.0, "a loss is no gain");
    check_close(row.speed_ratio, 1.5, 1e-15, "ratio");
    update(&row, state(8.0, 6.0, 30.0, true)); /* a later touch changes nothing about the impact */
    update(&row, state(5.0, 6.0, 3.0, true));
    check_close(row.impact_kinetic, 4.0, 0.0, "kinetic energy at impact");
    check_close(row.energy_gain, 0.75, 1e-15, "gain");
    check_close(row.speed_ratio, 5.0, 1e-15, "ratio");
}

TEST(what_flows_in_and_out_is_no_gain)
{
    struct measure_row row = {.energy_start = 5.0};
    struct stability_input more = state(8.0, 2.0, 3.0, true), less = state(4.0, 1.0, 3.0, true);
    more.passed = 3.0;
    less.passed = -4.0;
    update(&row, more);
    check_close(row.energy_gain, 0.0, 0.0, "brought in");
    update(&row, less);
    check_close(row.energy_passed, -1.0, 0.0, "in less out");
    check_close(row.energy_gain, 0.0, 0.0, "taken out");
    update(&row, state(5.0, 2.0, 3.0, true));
    check_close(row.energy_gain, 0.5, 1e-15, "from nowhere");
}

TEST(a_touch_at_rest_is_no_impact_yet)
{
    struct measure_row row = {.energy_start = 5.0};
    update(&row, state(5.0, 0.0, 0.0, true));
    update(&row, state(5.0, 0.5, 1.0, true));
    check_close(row.impact_kinetic, 0.5, 0.0, "kinetic energy at impact");
    check_close(row.speed_ratio, 0.5, 1e-15, "ratio");
}

TEST(what_is_not_finite_is_unstable_for_good)
{
    const double lost[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 3; k++) {
        struct measure_row row = {.energy_start = 5.0};
        update(&row, state(5.0, 4.0, 3.0, true));
        update(&row, state(lost[k], 4.0, 3.0, true));
        check(row.energy_gain > 1e300);
        check(row.speed_ratio < 1.0);
        update(&row, state(5.0, 4.0, lost[k], true));
        check(row.speed_ratio > 1e300);
        update(&row, state(5.0, 4.0, 3.0, true));
        check(row.energy_gain > 1e300 && row.speed_ratio > 1e300);
    }
}

TAP_MAIN(TAP_ENTRY(nothing_is_compared_before_the_impact),
         TAP_ENTRY(gain_and_ratio_are_the_largest_since_the_impact),
         TAP_ENTRY(what_flows_in_and_out_is_no_gain), TAP_ENTRY(a_touch_at_rest_is_no_impact_yet),
         TAP_ENTRY(what_is_not_finite_is_unstable_for_good))
