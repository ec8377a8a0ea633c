/* A run folder made by hand, whose numbers are known. */
#ifndef TESTS_KNOWN_RUN_H
#define TESTS_KNOWN_RUN_H

#include "analysis/summary.h"
#include "base/atomic_file.h"
#include "run_folder.h"

/* Two particles of 2 and 3 kg that fly towards each other: P = (2, 0, 0), L about the origin
 * = (0, 0, 3), kinetic energy 4 + 1.5. */
static struct frame make_initial(void)
{
    random_state = 5;
    struct frame frame = random_initial(2);
    struct particles *p = &frame.particles;
    for (size_t i = 0; i < 2; i++)
        p->state[i] = 0;
    p->mass[0] = 2.0;
    p->mass[1] = 3.0;
    p->position[0] = vec3(-3, 0, 0);
    p->position[1] = vec3(2, 1, 0);
    p->velocity[0] = vec3(2.5, 0, 0);
    p->velocity[1] = vec3(-1, 0, 0);
    frame.step = frame.number = 0;
    frame.time = 0.0;
    return frame;
}

/* No penetration; bodies touch from the third step on. */
static void make_measures(struct measure_row *measure)
{
    for (size_t i = 0; i < 5; i++) {
        measure[i] = (struct measure_row){.energy_start = 7.75};
        if (i >= 2) {
            measure[i].impact_kinetic = 6.0;
            measure[i].impact_speed = 2.0;
            measure[i].energy_available = 8.0;
            measure[i].energy_gain = i == 3 ? 0.125 : 0.0625;
            measure[i].speed_ratio = i == 4 ? 2.25 : 1.0;
            measure[i].interlocked = i == 3 ? 4.0 : 3.0;
            measure[i].separation_time = 0.5;
            measure[i].free_contact_time = 0.125 * (double)i;
            measure[i].sticking = 1.0;
        }
    }
}

/* Five steps: contact in the third; 0.25 J become heat in every step; the ledger closes but for
 * `slip` in each. */
static void make_rows(struct ledger_row *row, double slip)
{
    static const double kinetic[] = {7.5, 7.25, 6.0, 5.0, 6.25};
    for (size_t i = 0; i < 5; i++) {
        double stored_before = i ? 7.75 - 0.25 * (double)i : 7.75; /* E(0) = 2*6.25/2 + 3/2 */
        row[i] = (struct ledger_row){
            .step = (double)i + 1.0,
            .time = 0.5 * ((double)i + 1.0),
            .dt = 0.5,
            .kinetic = kinetic[i],
            .elastic = stored_before - 0.25 - kinetic[i],
            .damping = 0.25,
            .energy_imbalance = slip,
            .momentum_x = 2.0,
            .angular_z = 3.0 + (i == 4 ? 0.7 : 0.0),
            .momentum_scale = 12.5,
            .contacts = i == 2 ? 4.0 : 0.0,
            .approaching = i == 2 ? 3.0 : 0.0,
            .late = i == 2 ? 1.0 : 0.0,
            .nearer = i == 2 ? 3.0 : 0.0,
            .nearer_merged = i == 2 ? 1.0 : 0.0,
            .nearer_depth = i == 2 ? 0.25 : 0.0,
            .unresolved = i == 2 ? 0.5 : 2.0,
            .stages = i == 2 ? 2.0 : 1.0,
            .iterations_first = 10.0 + (double)i,
            .iterations_later = i == 2 ? 3.0 : 0.0,
            .speed_max = 2.5 - 0.25 * (double)i,
            .speed_p999 = i == 4 ? 4.5 : 2.0,
        };
        test_set_term(&row[i], "largest_group", i == 2 ? 3.0 : 1.0);
        if (i == 2) {
            test_set_term(&row[i], "deferred", 1.0);
            test_set_term(&row[i], "deferred_again", 0.5);
            test_set_term(&row[i], "deferred_longest", 6.0);
            test_set_term(&row[i], "splits_with_root", 3.0);
            test_set_term(&row[i], "splits_without_root", 1.0);
        }
    }
}

static void make_run(struct ledger_row *row, struct measure_row *measure, size_t n_first,
                     size_t n_rows)
{
    struct frame initial = make_initial(), frame = make_initial();
    begin();
    write_frame("initial.hdf", &initial);
    frame.ledger = test_ledger(0, NULL, NULL);
    frame.measure = (struct table){MEASURE_WIDTH, measure_columns, 0, NULL};
    write_frame("frames/000000.hdf", &frame);
    for (size_t k = 0; k < 2; k++) {
        size_t from = k ? n_first : 0, to = k ? n_rows : n_first;
        frame.number = k + 1;
        frame.step = to;
        frame.time = row[to - 1].time;
        double value[5 * LEDGER_MOST];
        frame.ledger = test_ledger(to - from, &row[from], value);
        frame.measure =
            (struct table){MEASURE_WIDTH, measure_columns, to - from, (double *)&measure[from]};
        write_frame(k ? "frames/000002.hdf" : "frames/000001.hdf", &frame);
    }
    frame.ledger.value = frame.measure.value = NULL;
    frame_free(&frame);
    frame_free(&initial);
}

static void write_end(const char *text)
{
    struct error error = {0};
    check_equal(atomic_file_write(in_folder("end.json"), text, strlen(text), &error), STATUS_OK,
                error.message);
}

#endif
