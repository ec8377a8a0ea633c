/* The summary of a run folder made by hand, whose numbers are known. */
#include "known_run.h"

static void check_value(const struct analysis *a, const char *key, double expected)
{
    struct value value = summary_value(a, key);
    check_equal(value.kind == VALUE_NUMBER || value.kind == VALUE_TRUTH, 1, key);
    check_close(value.number, expected, 1e-13 * fabs(expected), key);
}

static void check_none(const struct analysis *a, const char *key)
{
    check_equal(summary_value(a, key).kind, VALUE_NONE, key);
}

/* Reads the run in the folder; the caller frees both. */
static void read_analysis(struct record *run, struct analysis *analysis)
{
    struct error error = {0};
    check_equal(record_read(folder, run, &error), STATUS_OK, error.message);
    analysis_create(run, 1, analysis);
}

TEST(the_summary_has_the_known_numbers)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    row[2].momentum_scale = 1e6; /* a particle that is fast for a step hides no drift */
    make_measures(measure);
    measure[2].penetrated = 3;
    measure[3].penetrated = measure[4].penetrated = 2;
    measure[2].penetrated_mass = 7.5;
    measure[4].penetrated_mass = 5.0;
    measure[2].crossings = 4;
    measure[3].crossings = 1;
    measure[2].overlap_max = 0.125;
    measure[3].deflection = 0.5;
    measure[4].deflection = 0.25;
    make_run(row, measure, 2, 5);
    write_end("{\n  \"reason\": \"stop.energy_gain exceeded\",\n  \"step\": 5\n}\n");
    read_analysis(&record, &a);
    check_value(&a, "particles", 2);
    check_value(&a, "frames", 3);
    check_value(&a, "steps", 5);
    check_value(&a, "time", 2.5);
    check_equal(summary_value(&a, "end").kind, VALUE_TEXT, "end");
    check_contains(summary_value(&a, "end").text, "stop.energy_gain exceeded");
    check_value(&a, "penetrated_max", 3);
    check_value(&a, "penetrated_final", 2);
    check_value(&a, "penetrated_mass_max", 7.5);
    check_value(&a, "penetrated_mass_final", 5.0);
    check_value(&a, "crossings", 5);
    check_value(&a, "overlap_max", 0.125);
    check_value(&a, "deflection_max", 0.5);
    check_value(&a, "deflection_final", 0.25);
    check_value(&a, "impact_step", 3);
    check_value(&a, "impact_time", 1.5);
    check_value(&a, "impact_speed", 2.0);
    check_value(&a, "impact_kinetic", 6.0);
    check_value(&a, "energy_gain", 0.125);
    check_value(&a, "speed_ratio", 2.25);
    check_value(&a, "interlocked_max", 4);
    check_value(&a, "interlocked_final", 3);
    check_value(&a, "free_contact_time_final", 0.5);
    check_value(&a, "separation_time", 0.5);
    check_value(&a, "sticking", 1);
    check_value(&a, "energy_start", 7.75);
    check_value(&a, "unstable", 0);
    check_none(&a, "not_finite");
    check_value(&a, "momentum_drift", 0.0);
    check_value(&a, "energy_imbalance_relative", 0.0);
    check_value(&a, "damping", 1.25);
    check_value(&a, "energy_final", 6.5);
    check_value(&a, "energy_kept", 1.0 - (7.0 - 6.5) / 8.0);
    check_value(&a, "splits_with_root_fraction", 0.75);
    check_value(&a, "deferred_fraction", 0.25);
    check_value(&a, "deferred_again_fraction", 0.5);
    check_value(&a, "deferred_longest", 6);
    check_value(&a, "nearer", 3);
    check_value(&a, "nearer_merged", 1);
    check_value(&a, "nearer_fraction", 0.75);
    check_value(&a, "nearer_unexplained", 1.5);
    check_value(&a, "nearer_depth_max", 0.25);
    check_value(&a, "largest_group", 3);
    check_value(&a, "later_stage_fraction", 0.2);
    check_value(&a, "iterations_first_mean", 12);
    check_value(&a, "later_iteration_ratio", 0.25);
    check_none(&a, "no such key");
    check_none(&a, "fragments");
    check_none(&a, "debris_fraction");
    check_none(&a, "through_crack_step");
    check_none(&a, "speed_before_ratio");
    check_value(&a, "angular_drift", 0.7 / 3.0);
    analysis_free(&a);
    record_free(&record);
    end();
}

/* A body that can break, and falls apart in the fourth step. */
static void make_fracture(struct measure_row *measure)
{
    make_measures(measure);
    for (size_t i = 0; i < 5; i++) {
        measure[i].fragments = i < 3 ? 1.0 : (double)i;
        measure[i].chunks = i < 3 ? 1.0 : 2.0;
        measure[i].largest_fraction = i < 3 ? 1.0 : 0.75;
        measure[i].debris_fraction = i < 4 ? 0.0 : 0.0625;
        measure[i].detached_fraction = i < 3 ? 0.0 : 0.1875;
        measure[i].through_crack = i < 3 ? 0.0 : 2.0;
        measure[i].overlap_depth = 0.125 * (double)i;
        measure[i].overlap_before = 0.0625;
        measure[i].depth_before = 0.375;
        measure[i].speed_before = 5.0;
    }
}

TEST(fracture_has_its_keys_where_something_can_break)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    make_fracture(measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "fragments", 4);
    check_value(&a, "chunks", 2);
    check_value(&a, "largest_fraction", 0.75);
    check_value(&a, "debris_fraction", 0.0625);
    check_value(&a, "detached_fraction", 0.1875);
    check_value(&a, "through_crack_step", 4);
    check_value(&a, "through_crack_time", 2.0);
    check_value(&a, "overlap_depth_max", 0.5);
    check_value(&a, "overlap_before", 0.0625);
    check_value(&a, "depth_before", 0.375);
    check_value(&a, "speed_before", 5.0);
    check_value(&a, "speed_before_ratio", 2.5);
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(gravity_and_supports_account_for_momentum)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    for (size_t i = 0; i < 5; i++) {
        row[i].gravity_impulse_z = -2.0;
        row[i].support_impulse_z = i == 4 ? 1.5 : 0.0;
        row[i].momentum_z = -2.0 * (double)(i + 1) + (i == 4 ? 1.5 : 0.0) + (i == 3 ? 0.125 : 0.0);
    }
    make_measures(measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "momentum_drift", 0.125 / 12.5);
    check_none(&a, "angular_drift");
    check_none(&a, "end");
    analysis_free(&a);
    record_free(&record);
    end();
}

/* 0.5 kg flow in with each step, 1.25 kg flow out with the last one. */
static void make_inlets(struct ledger_row *row, struct measure_row *measure)
{
    make_rows(row, 0.0);
    make_measures(measure);
    for (size_t i = 0; i < 5; i++) {
        row[i].inlet_impulse_y = 3.0;
        row[i].outlet_impulse_y = i == 4 ? 2.0 : 0.0;
        row[i].momentum_y = 3.0 * (double)(i + 1) - (i == 4 ? 2.0 : 0.0) + (i == 3 ? 0.25 : 0.0);
        row[i].inlet_mass = 0.5;
        row[i].outlet_mass = i == 4 ? 1.25 : 0.0;
        row[i].inlet_energy = 2.0;
        row[i].outlet_energy = i == 4 ? 4.0 : 0.0;
        measure[i].energy_passed = 2.0 * (double)(i + 1) - row[i].outlet_energy;
    }
}

/* Impulses that cancel leave what came between them, however large they are. */
TEST(sums_of_impulses_lose_nothing)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_inlets(row, measure);
    row[2].gravity_impulse_x += 1e17;
    row[2].support_impulse_x += 3.0;
    row[2].inlet_impulse_x -= 1e17;
    row[2].outlet_impulse_x += 3.0;
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "momentum_drift", 0.25 / 12.5);
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(what_flows_in_and_out_accounts_for_momentum)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_inlets(row, measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "momentum_drift", 0.25 / 12.5);
    check_value(&a, "inlet_mass", 2.5);
    check_value(&a, "outlet_mass", 1.25);
    check_value(&a, "inlet_energy", 10.0);
    check_value(&a, "outlet_energy", 4.0);
    check_value(&a, "energy_kept",
                1.0 - (7.0 - 6.5) / 8.0); /* as much in as out since the impact */
    check_none(&a, "angular_drift");
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(what_came_in_and_is_not_there_was_lost)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_inlets(row, measure);
    measure[4].energy_passed += 1.0;
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "energy_kept", 1.0 - (7.0 + 1.0 - 6.5) / 8.0);
    analysis_free(&a);
    record_free(&record);
    end();
}

/* Of a drift of (-2, 0, 0.125), the coupling explains (-2, 0, 0). */
TEST(a_drift_has_the_part_that_coupling_causes_and_a_rest)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    for (size_t i = 0; i < 5; i++) {
        test_set_term(&row[i], "coupling_impulse_x", i == 1 ? -3.0 : i == 2 ? 1.0 : 0.0);
        row[i].momentum_x += i == 1 ? -3.0 : i > 1 ? -2.0 : 0.0;
        test_set_term(&row[i], "residual_impulse_y", i == 3 ? 0.5 : 0.0);
        row[i].momentum_y += i >= 3 ? 0.5 : 0.0;
        row[i].momentum_z = i == 4 ? 0.125 : 0.0;
    }
    make_measures(measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "momentum_drift", 3.0 / 12.5);
    check_value(&a, "coupling_drift", 3.0 / 12.5);
    check_value(&a, "solver_drift", 0.5 / 12.5);
    check_value(&a, "momentum_remainder", 0.125 / 12.5);
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(energy_that_is_not_accounted_for_shows_in_the_imbalance)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    row[1].energy_imbalance = 0.5;
    row[3].energy_imbalance = -0.25;
    for (size_t k = 0; k < 5; k++) { /* heights on both sides of their origin do not cancel */
        row[k].kinetic = 2.0;
        row[k].elastic = 1.0;
        row[k].gravitational = 5.0 - 10.0 * (double)(k % 2);
        row[k].numerical_dissipation = 0.5;
        row[k].linearization = -0.25;
    }
    make_measures(measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "energy_imbalance_relative", 0.5 / 8.0);
    check_value(&a, "lost_by_steps", 3.75);
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(each_sign_of_instability_counts)
{
    for (int k = 0; k < 4; k++) {
        struct ledger_row row[5];
        struct measure_row measure[5];
        struct record record;
        struct analysis a;
        make_rows(row, 0.0);
        make_measures(measure);
        if (k == 1)
            measure[4].unstable = 1.0;
        if (k == 2)
            measure[1].interlocked = (double)NAN;
        if (k == 3)
            row[3].residual = (double)NAN;
        make_run(row, measure, 2, 5);
        read_analysis(&record, &a);
        check_value(&a, "unstable", k > 0);
        if (k == 3)
            check_contains(summary_value(&a, "not_finite").text, "residual");
        analysis_free(&a);
        record_free(&record);
        end();
    }
}

TEST(without_contact_of_bodies_there_is_no_impact)
{
    struct ledger_row row[5];
    struct measure_row measure[5] = {{0}};
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    const char *none[] = {"impact_step", "impact_speed",    "energy_gain", "speed_ratio",
                          "energy_kept", "separation_time", "end"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check_none(&a, none[i]);
    check_value(&a, "unstable", 0);
    check_value(&a, "sticking", 0);
    analysis_free(&a);
    record_free(&record);
    end();
}
