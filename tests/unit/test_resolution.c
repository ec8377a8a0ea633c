#include "measure/resolution.h"
#include "tap.h"

static void update(struct measure_row *row, double numerical_dissipation, double beyond_radius,
                   double relative_displacement)
{
    const struct resolution_input input = {numerical_dissipation, beyond_radius,
                                           relative_displacement};
    struct measure_row next = {.impact_kinetic = row->impact_kinetic,
                               .impact_internal = row->impact_internal,
                               .energy_available = row->energy_available};
    resolution_update(row, &input, &next);
    *row = next;
}

TEST(what_is_lost_counts_from_the_impact_on)
{
    struct measure_row row = {0};
    update(&row, 7.0, 0.0, 0.0);
    check_close(row.numerical_dissipation_since_impact, 0.0, 0.0, "before the impact");
    check_close(row.numerical_dissipation_fraction, 0.0, 0.0, "before the impact");
    row.impact_kinetic = 4.0; /* at the end of that step */
    row.impact_internal = 3.0;
    row.energy_available = 9.0;
    update(&row, 1.5, 0.0, 0.0);
    update(&row, -0.5, 0.0, 0.0); /* an integrator may also gain */
    check_close(row.numerical_dissipation_since_impact, 1.0, 0.0, "lost");
    check_close(row.numerical_dissipation_fraction, 0.125, 0.0, "share");
}

TEST(steps_that_go_too_far_are_counted)
{
    struct measure_row row = {0};
    update(&row, 0.0, 0.0, 1.0 + 1e-12);
    check(row.beyond_radius_steps == 0.0 && row.relative_displacement_steps == 0.0);
    update(&row, 0.0, 3.0, 0.5);
    check(row.beyond_radius_steps == 1.0 && row.relative_displacement_steps == 0.0);
    update(&row, 0.0, 1.0, 1.01);
    check(row.beyond_radius_steps == 2.0 && row.relative_displacement_steps == 1.0);
    update(&row, 0.0, 0.0, 0.0);
    check(row.beyond_radius_steps == 2.0 && row.relative_displacement_steps == 1.0);
}

TAP_MAIN(TAP_ENTRY(what_is_lost_counts_from_the_impact_on),
         TAP_ENTRY(steps_that_go_too_far_are_counted))
