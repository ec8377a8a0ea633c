#include "ledger_rows.h"
#include "measure/stability.h"
#include "tap.h"

/* A fall: the mechanical energy is 5 J, the potential part of it 5 - k. */
static struct stability_input state(double energy, double kinetic, double speed, bool touching)
{
    return (struct stability_input){.energy = energy,
                                    .kinetic = kinetic,
                                    .internal = 0.75 * kinetic,
                                    .speed_max = speed,
                                    .speed_p999 = 0.5 * speed,
                                    .allowed = 3.0,
                                    .before = 5.0,
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
    check_close(row.impact_internal, 3.0, 0.0, "relative to the center of mass");
    check_close(row.energy_gain, 0.0, 0.0, "a loss is no gain");
    check_close(row.speed_ratio, 1.5, 1e-15, "ratio");
    update(&row, state(8.0, 6.0, 30.0, true)); /* a later touch changes nothing about the impact */
    update(&row, state(5.0, 6.0, 3.0, true));
    check_close(row.impact_kinetic, 4.0, 0.0, "kinetic energy at impact");
    check_close(row.energy_gain, 0.75, 1e-15, "gain");
    check_close(row.speed_ratio, 5.0, 1e-15, "ratio");
}

TEST(contact_creates_what_links_do_beyond_none)
{
    struct ledger_row row = {.contact_gain = 8.0};
    test_set_term(&row, "coupling", 1.0);
    check_close(stability_created(test_columns(), &row), 7.0, 0.0, "forces");
    test_set_term(&row, "link_work", -4.0);
    test_set_term(&row, "friction", 1.0);
    check_close(stability_created(test_columns(), &row), 10.0, 0.0, "links that push");
    test_set_term(&row, "link_work", 4.0);
    check_close(stability_created(test_columns(), &row), 7.0, 0.0,
                "links that take energy do not make up for it");
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
    check_close(row.speed_ratio, 0.5 / 3.0, 1e-15, "ratio");
}

/* A grain of 2 kg and 3 m in 4 s: (1e-6 x 3/4)^2 J. Fixed ones do not count. */
TEST(rounding_is_no_impact)
{
    double mass[] = {2.0, 50.0, 1e-9}, radius[] = {3.0, 3.0, 1e-3};
    uint8_t state_of[] = {PARTICLE_FREE, PARTICLE_FREE, PARTICLE_FIXED};
    const struct particles p = {.n = 3, .mass = mass, .radius = radius, .state = state_of};
    const double least = stability_least_energy(&p, 4.0);
    check_close(least, 0.5625e-12, 1e-24, "least energy");
    struct measure_row row = {.energy_start = 0.0};
    struct stability_input s = state(1.0, 0.5 * least, 1.0, true);
    s.least = least;
    update(&row, s);
    check_close(row.impact_kinetic, 0.0, 0.0, "below it");
    check_close(row.unstable, 0.0, 0.0, "unstable");
    s.kinetic = 2.0 * least;
    update(&row, s);
    check_close(row.impact_kinetic, 2.0 * least, 0.0, "above it");
    check_close(row.unstable, 1.0, 0.0, "unstable");
}

/* A body of 1e9 kg rests on one of 8 kg, in steps of 1 ms: gravity gives 0.01 m/s, 5e4 J, in each.
 * What the light one keeps of that is no gain; the energy of a step at once, or three times the
 * speed by energy from nothing, is. */
TEST(what_gravity_gives_in_a_step_is_no_gain)
{
    struct measure_row row = {.energy_start = 0.0};
    struct stability_input s = state(4e-4, 4e-4, 0.02, true);
    s.allowed = 0.0, s.excess = s.before = s.kinetic, s.pull = 0.01, s.pulled = 5e4;
    s.energy = 1e-6;
    update(&row, s);
    check(row.impact_kinetic > 0.0);
    s.energy = 4e-2;
    update(&row, s);
    check(row.energy_gain > 50.0 && row.speed_ratio == 1.0 && row.unstable == 0.0);
    struct measure_row thrown = row;
    s.speed_p999 = 0.04, s.created = s.excess;
    update(&thrown, s);
    check(thrown.speed_ratio == 4.0 && thrown.unstable == 1.0);
    s.speed_p999 = 0.01, s.created = 0.0;
    s.energy = 6e4;
    update(&row, s);
    check(row.unstable == 1.0);
}

TEST(a_gain_is_measured_by_what_was_to_be_had)
{
    struct measure_row row = {.energy_start = 5.0, .stored_start = 1.0};
    struct stability_input s = state(5.0, 2.0, 3.0, true);
    s.brought = 7.0; /* before the impact: the kinetic energy has it */
    s.stored = 1.0;
    update(&row, s);
    check_close(row.energy_available, 2.0, 0.0, "the impact alone");
    s.brought = 1.5;
    update(&row, s);
    check_close(row.energy_brought, 1.5, 0.0, "gravity");
    check_close(row.energy_available, 3.5, 0.0, "and gravity");
    s.brought = -1.0; /* up again */
    update(&row, s);
    check_close(row.energy_available, 3.5, 0.0, "the most so far");
    s.brought = 1.0;
    s.stored = 0.25; /* bonds gave back what they held at the start */
    s.energy = 5.0 + 0.6 * 4.25;
    update(&row, s);
    check_close(row.energy_available, 4.25, 1e-15, "and elastic energy of the start");
    check_close(row.energy_gain, 0.6, 1e-15, "gain");
    check_close(row.unstable, 1.0, 0.0, "more than half");
}

/* Bodies that were pressed before they met others bring what they stored. */
TEST(what_was_stored_at_the_impact_is_there)
{
    struct measure_row row = {.energy_start = 5.0};
    struct stability_input s = state(5.0, 2.0, 3.0, true);
    s.stored = 7.0;
    update(&row, s);
    check_close(row.stored_impact, 7.0, 0.0, "stored");
    check_close(row.energy_available, 2.0, 0.0, "nothing released yet");
    s.stored = 1.0;
    update(&row, s);
    check_close(row.energy_available, 8.0, 0.0, "and what was released");
    s.stored = 9.0;
    update(&row, s);
    check_close(row.energy_available, 8.0, 0.0, "the most so far");
    check_close(row.stored_impact, 7.0, 0.0, "stored then");
}

TEST(what_speeds_are_measured_by_never_falls)
{
    struct measure_row row = {.energy_start = 5.0};
    struct stability_input s = state(5.0, 2.0, 12.0, true);
    s.allowed = 4.0;
    update(&row, s);
    check_close(row.speed_ratio, 1.5, 1e-15, "6 m/s over 4");
    s.allowed = 8.0;
    s.speed_p999 = 20.0;
    update(&row, s);
    check_close(row.speed_ratio, 2.5, 1e-15, "20 over 8");
    s.allowed = 1.0;
    update(&row, s);
    check_close(row.speed_allowed, 8.0, 0.0, "kept");
    check_close(row.speed_ratio, 2.5, 1e-15, "20 over 8 still");
}

TEST(speed_counts_if_energy_out_of_nowhere_can_pay_for_it)
{
    for (int k = 0; k < 2; k++) {
        struct measure_row row = {.energy_start = 5.0};
        struct stability_input s = state(5.0, 2.0, 3.0, true);
        s.created = 0.5;
        update(&row, s);
        s.created = k == 0 ? 0.2 : 0.3;
        s.speed_p999 = 9.1; /* more than 3 x 3 */
        s.excess = 0.75;
        update(&row, s);
        check_close(row.energy_created, k == 0 ? 0.7 : 0.8, 1e-15, "created");
        check(row.speed_ratio > 3.0);
        check_close(row.unstable, k, 0.0, "a whip is not unstable, an explosion is");
        s.speed_p999 = 1.0;
        s.excess = 0.0;
        update(&row, s);
        check_close(row.unstable, k, 0.0, "for good");
    }
}

/* A step of the work of a lid, J, after it pressed 105 J into a block that lay there with 0.5 J. */
struct burst {
    double work;   /* of the lid, J */
    double taken;  /* of that, by friction, J */
    double excess; /* of fast particles, J */
};

/* The ledger has all of it as the lid's work, so that nothing came from nowhere. What a spring
 * throws had its energy before. */
static double verdict_on(struct burst b)
{
    struct measure_row row = {.energy_start = 5.0};
    struct stability_input s = state(5.0, 0.5, 0.4, true);
    update(&row, s);
    s.passed = s.brought = s.supports = 105.0;
    s.energy = 110.0;
    s.stored = 105.0;
    s.before = 0.5;
    update(&row, s);
    check_close(row.unstable, 0.0, 0.0, "pressed, and not fast");
    s.passed = s.brought = s.supports = b.work;
    s.energy += b.work - b.taken;
    s.before = 105.5;
    s.speed_p999 = 90.0;
    s.excess = b.excess;
    update(&row, s);
    check_close(row.energy_gain, 0.0, 0.0, "gain");
    check_close(row.energy_created, 0.0, 0.0, "created");
    return row.unstable;
}

TEST(the_work_of_supports_does_not_pay_for_speed)
{
    check_close(verdict_on((struct burst){.excess = 105.5}), 0.0, 0.0, "thrown by a spring");
    check_close(verdict_on((struct burst){.work = 9.0, .excess = 9.0}), 0.0, 0.0, "while pressed");
    check_close(verdict_on((struct burst){.work = 500.0, .excess = 600.0}), 1.0, 0.0, "burst");
    check_close(verdict_on((struct burst){.work = 500.0, .taken = 500.0, .excess = 16.0}), 1.0, 0.0,
                "burst, and stopped by friction in the same step");
}

TEST(neither_limit_counts_when_it_is_met)
{
    struct measure_row row = {.energy_start = 5.0};
    struct stability_input s = state(6.0, 2.0, 3.0, true);
    s.created = 100.0;
    s.speed_p999 = 9.0;
    s.allowed = 3.0;
    update(&row, s);
    check_close(row.energy_gain, 0.5, 0.0, "gain");
    check_close(row.speed_ratio, 3.0, 0.0, "ratio");
    check_close(row.unstable, 0.0, 0.0, "verdict");
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
        check_close(row.unstable, 1.0, 0.0, "unstable");
    }
}
