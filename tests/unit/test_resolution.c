#include "measure/resolution.h"
#include "tap.h"

static void update(struct measure_row *row, double numerical_dissipation, double beyond_radius,
                   double relative_displacement)
{
    const struct resolution_input input = {.numerical_dissipation = numerical_dissipation,
                                           .beyond_radius = beyond_radius,
                                           .relative_displacement = relative_displacement};
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
    row.energy_available = 9.0; /* 1 J of it is of common motion */
    update(&row, 1.5, 0.0, 0.0);
    update(&row, -0.5, 0.0, 0.0); /* an integrator may also gain */
    check_close(row.numerical_dissipation_since_impact, 1.0, 0.0, "lost");
    check_close(row.numerical_dissipation_fraction, 0.125, 0.0, "share");
}

/* Two grains that meet and go on together have no energy but that of their common motion. */
TEST(nothing_lost_of_nothing_is_nothing)
{
    static const double rounding[] = {0.0, 1e-15, -1e-15};
    for (int own = 0; own < 3; own++)
        for (int lost = 0; lost < 3; lost++) {
            struct measure_row row = {
                .impact_kinetic = 4.0, .impact_internal = rounding[own], .energy_available = 4.0};
            update(&row, rounding[lost], 0.0, 0.0);
            check_close(row.numerical_dissipation_fraction, 0.0, 0.0, "share");
        }
    struct measure_row row = {.impact_kinetic = 4.0, .energy_available = 4.0};
    update(&row, 0.5, 0.0, 0.0); /* from nowhere */
    check(isinf(row.numerical_dissipation_fraction));
}

static void make_elastic(struct measure_row *row, double linearization, double energy)
{
    const struct resolution_input input = {.linearization = linearization, .energy = energy};
    struct measure_row next = {0};
    resolution_update(row, &input, &next);
    *row = next;
}

/* A burst is seen whatever backward Euler took before and takes afterwards, and what comes and goes
 * adds up to nothing. */
TEST(elastic_energy_from_nothing_is_the_rise_above_the_lowest_sum)
{
    struct measure_row row = {0};
    make_elastic(&row, -5.0, 4.0);
    check_close(row.linearization_gain, 0.0, 0.0, "taken");
    make_elastic(&row, 3.0, 7.0);
    make_elastic(&row, 2.0, 6.0);
    make_elastic(&row, -4.0, 2.0);
    check_close(row.linearization_gain, 1.0, 0.0, "left");
    check_close(row.linearization_gain_so_far, 5.0, 0.0, "most");
    check_close(row.energy_so_far, 7.0, 0.0, "energy");
    for (int k = 0; k < 100; k++)
        make_elastic(&row, k % 2 == 0 ? 3.0 : -3.0, 1.0);
    check_close(row.linearization_gain_so_far, 5.0, 0.0, "to and fro");
    make_elastic(&row, NAN, NAN);
    check(isinf(row.linearization_gain_so_far) && isinf(row.energy_so_far));
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

/* The mean is that over time, whatever the steps. */
TEST(unsolved_steps_are_counted_and_compression_is_averaged)
{
    static const double left[] = {0.5, 1.0, 3.0, 1.5, 0.0};
    static const double unresolved[] = {0.0, 2.0, 0.0, 3.0, 1.0};
    static const double error[] = {0.04, 0.0, 0.01, 0.02, 0.0}, dt[] = {1.0, 2.0, 1.0, 2.0, 4.0};
    struct measure_row row = {0};
    double time = 0.0;
    for (int k = 0; k < 5; k++) {
        struct measure_row next = {0};
        time += dt[k];
        const struct resolution_input input = {.unresolved = unresolved[k],
                                               .pressure_left = left[k],
                                               .density_error = error[k],
                                               .time = time,
                                               .dt = dt[k]};
        resolution_update(&row, &input, &next);
        row = next;
    }
    check(row.unresolved_steps == 3.0 && row.unresolved_so_far == 3.0);
    check(row.unsolved_steps == 2.0 && row.pressure_left_so_far == 3.0);
    check_close(row.density_error_so_far, 0.009, 1e-17, "0.09 s in 10 s");
}

/* x'' = -omega^2 x by backward Euler over half a period, from rest velocity 1. */
static double oscillator_kept(double dt, double contact)
{
    double omega = M_PI / contact, x = 0.0, v = 1.0;
    long steps = lround(contact / dt);
    for (long k = 0; k < steps; k++) {
        v = (v - dt * omega * omega * x) / (1.0 + omega * omega * dt * dt);
        x += dt * v;
    }
    return v * v + omega * omega * x * x;
}

TEST(backward_euler_leaves_a_vibration_what_the_estimate_says)
{
    const double contact = 6.6e-4;
    for (int n = 1; n <= 1024; n *= 4) {
        double kept = oscillator_kept(contact / n, contact);
        check_close(resolution_rebound_kept(contact / n, contact), kept, 1e-12, "kept");
    }
}

TEST(the_step_that_is_asked_for_leaves_all_but_the_limit)
{
    double dt = resolution_rebound_step(0.02);
    check(dt < 0.02 / 90.0 && dt > 0.02 / 97.0);
    check_close(resolution_rebound_kept(dt, 0.02), 1.0 - resolution_fraction_limit, 1e-3, "kept");
    check(resolution_rebound_kept(dt, 0.02) >= 1.0 - resolution_fraction_limit);
    check(resolution_rebound_kept(1.0, 0.02) <=
          resolution_rebound_kept(0.02, 0.02)); /* 50 times as long */
}
