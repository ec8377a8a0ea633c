/* A run folder made by hand, whose numbers are known. */
#include "analysis/compare.h"
#include "analysis/shape_distance.h"
#include "analysis/summary.h"
#include "base/atomic_file.h"
#include "frame_random.h"
#include "store/frame_list.h"
#include "tap.h"

#include <sys/stat.h>

static char folder[] = "/tmp/test_summary.XXXXXX";

static char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void begin(void)
{
    if (!mkdtemp(folder) || mkdir(in_folder("frames"), 0777))
        abort();
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    check_equal(system(command), 0, "the folder is removed");
}

static void write_frame(const char *name, const struct frame *frame)
{
    struct error error = {0};
    check_equal(frame_write(in_folder(name), frame, &error), STATUS_OK, error.message);
}

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
            .deferred = i == 2 ? 1.0 : 0.0,
            .deferred_again = i == 2 ? 0.5 : 0.0,
            .deferred_longest = i == 2 ? 6.0 : 0.0,
            .nearer = i == 2 ? 3.0 : 0.0,
            .nearer_merged = i == 2 ? 1.0 : 0.0,
            .nearer_depth = i == 2 ? 0.25 : 0.0,
            .unresolved = i == 2 ? 0.5 : 2.0,
            .largest_group = i == 2 ? 3.0 : 1.0,
            .splits_with_root = i == 2 ? 3.0 : 0.0,
            .splits_without_root = i == 2 ? 1.0 : 0.0,
            .stages = i == 2 ? 2.0 : 1.0,
            .iterations_first = 10.0 + (double)i,
            .iterations_later = i == 2 ? 3.0 : 0.0,
            .speed_max = 2.5 - 0.25 * (double)i,
            .speed_p999 = i == 4 ? 4.5 : 2.0,
        };
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
        frame.number = frame.step = to;
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
    check_equal(analysis_create(run, analysis, &error), STATUS_OK, error.message);
}

TEST(the_summary_has_the_known_numbers)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_rows(row, 0.0);
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
    check_value(&a, "energy_kept", 1.0 - (7.0 - 6.5) / 6.0);
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
    /* center of mass (0, 0.6, 0): the farther particle is the first, at (-3, 0, 0) */
    check_value(&a, "angular_drift", 0.7 / (12.5 * sqrt(9.0 + 0.36)));
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
                1.0 - (7.0 - 6.5) / 6.0); /* as much in as out since the impact */
    check_none(&a, "angular_drift");
    analysis_free(&a);
    record_free(&record);
    end();
}

TEST(no_energy_is_kept_of_what_flows_on)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    struct record record;
    struct analysis a;
    make_inlets(row, measure);
    measure[4].energy_passed += 1.0;
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_none(&a, "energy_kept");
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
        row[i].coupling_impulse_x = i == 1 ? -3.0 : i == 2 ? 1.0 : 0.0;
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
    make_measures(measure);
    make_run(row, measure, 2, 5);
    read_analysis(&record, &a);
    check_value(&a, "energy_imbalance_relative", 0.5 / 7.5);
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
        strcpy(folder, "/tmp/test_summary.XXXXXX");
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

static void check_refused(const char *complaint)
{
    struct record record;
    struct error error = {0};
    check_equal(record_read(folder, &record, &error), STATUS_INVALID, "status");
    check_contains(error.message, complaint);
    check(record.ledger.value == NULL);
}

TEST(a_folder_that_is_no_whole_run_is_refused)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    row[2].step = 4.0;
    make_measures(measure);
    make_run(row, measure, 2, 5);
    check_refused("frames/000002.hdf: step 4 comes after step 2");
    rename(in_folder("frames/000001.hdf"), in_folder("frames/later"));
    check_refused("frames/000002.hdf: step 4 comes after step 0");
    rename(in_folder("frames/later"), in_folder("frames/000001.hdf"));
    rename(in_folder("frames/000000.hdf"), in_folder("frames/0001.hdf"));
    check_refused("two frames of one number");
    rename(in_folder("frames/0001.hdf"), in_folder("frames/000000.hdf"));
    unlink(in_folder("frames/000002.hdf"));
    struct frame other = random_frame(3, 1);
    write_frame("frames/000003.hdf", &other);
    check_refused("frames/000003.hdf: has 3 particles, the initial frame has 2");
    frame_free(&other);
    write_end("{}");
    unlink(in_folder("frames/000003.hdf"));
    check_refused("end.json: is not what ms-simulate writes");
    unlink(in_folder("frames/000001.hdf"));
    unlink(in_folder("frames/000000.hdf"));
    check_refused("frames: has no frames");
    rmdir(in_folder("frames"));
    check_refused("frames: cannot be read: No such file");
    unlink(in_folder("initial.hdf"));
    check_refused("initial.hdf: cannot be read: No such file");
    unlink(in_folder("end.json"));
    rmdir(folder);
}

TEST(reading_a_run_survives_every_failed_allocation)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    make_measures(measure);
    make_run(row, measure, 2, 5);
    write_end("{ \"reason\": \"complete\" }");
    enum status status = STATUS_FAILED;
    long n = 0;
    for (; n < 1000 && status != STATUS_OK; n++) {
        struct record record;
        struct analysis a;
        struct error error = {0};
        memory_fail_after(n);
        status = record_read(folder, &record, &error);
        if (status == STATUS_OK) {
            status = analysis_create(&record, &a, &error);
            memory_fail_after(-1);
            if (status == STATUS_OK)
                analysis_free(&a);
            record_free(&record);
        }
        memory_fail_after(-1);
        check(status == STATUS_OK || strstr(error.message, "out of memory"));
    }
    check(n > 20 && n < 1000);
    end();
}

TEST(an_index_lists_every_frame)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    make_measures(measure);
    make_run(row, measure, 2, 5);
    struct error error = {0};
    char text[16384] = "";
    check_equal(frame_index_write(folder, &error), STATUS_OK, error.message);
    FILE *file = fopen(in_folder("frames.xmf"), "r");
    check(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    check_contains(text, "frames/000000.hdf:/position");
    check_contains(text, "frames/000001.hdf:/velocity");
    check_contains(text, "frames/000002.hdf:/id");
    check_contains(text, "<Time Value=\"2.5\"/>");
    check_contains(text, "</Xdmf>\n");
    end();
}

struct seen {
    size_t n;
    struct difference last;
};

static void see(const struct difference *difference, void *context)
{
    struct seen *seen = context;
    seen->n++;
    seen->last = *difference;
}

/* Flips one bit of each array in turn: exactly that field is reported. */
TEST(comparing_finds_one_flipped_bit)
{
    random_state = 9;
    struct frame a = random_frame(20, 3);
    random_state = 9;
    struct frame b = random_frame(20, 3);
    struct {
        const char *field;
        void *data;
        size_t size, element;
    } part[] = {
        {"position", b.particles.position, 480, 24},
        {"velocity", b.particles.velocity, 480, 24},
        {"mass", b.particles.mass, 160, 8},
        {"radius", b.particles.radius, 160, 8},
        {"body", b.particles.body, 80, 4},
        {"state", b.particles.state, 20, 1},
        {"warm_start", state_data(&b.state, "warm_start"), 480, 24},
        {"group", b.group, 80, 4},
        {"fragment", b.fragment, 80, 4},
        {"penetrated", b.penetrated, 80, 4},
        {"damage", state_data(&b.state, "damage"), 80, 4},
        {"ledger", b.ledger.value, 3 * 8 * test_columns()->n, 8 * test_columns()->n},
        {"measure", b.measure.value, 3 * 8 * MEASURE_WIDTH, 8 * MEASURE_WIDTH},
        {"broken", state_data(&b.state, "broken"), state_find(&b.state, "broken")->rows * 8, 8},
        {"time", &b.time, 8, 8},
        {"config", b.config, 10, 1},
        {"step", &b.step, 8, 8},
    };
    struct error error = {0};
    size_t n;
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
        for (int trial = 0; trial < 20; trial++) {
            size_t at = random_bits() % part[k].size;
            char *byte = (char *)part[k].data + at, mask = (char)(1 << random_bits() % 4);
            struct seen seen = {0};
            *byte = (char)(*byte ^ mask);
            check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
            *byte = (char)(*byte ^ mask);
            check_equal(n, 1, part[k].field);
            check_equal(seen.n, 1, part[k].field);
            check(seen.last.field && strcmp(seen.last.field, part[k].field) == 0);
            check_equal(seen.last.n_different, 1, part[k].field);
            check_equal(seen.last.first, at / part[k].element, part[k].field);
        }
    struct seen seen = {0};
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(n, 0, "no difference");
    frame_free(&a);
    frame_free(&b);
}

TEST(comparing_goes_by_the_names_of_columns)
{
    struct frame a = random_frame(20, 2), b = a;
    struct column column[LEDGER_MOST];
    struct error error = {0};
    struct seen seen = {0};
    size_t n;
    check_equal(a.ledger.n_columns, test_columns()->n, "columns");
    memcpy(column, a.ledger.column, test_columns()->n * sizeof *column);
    column[3].name = "another";
    b.ledger.column = column;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(n, 1, "differences");
    check_contains(seen.last.reason, "has other columns");
    frame_free(&a);
}

TEST(comparing_says_how_much_and_where)
{
    struct frame a = random_initial(20);
    struct frame b = a;
    struct error error = {0};
    struct seen seen = {0};
    size_t n;
    b.particles.mass = random_array(20, sizeof(double));
    for (size_t i = 0; i < 20; i++)
        a.particles.mass[i] = b.particles.mass[i] = 2.0;
    b.particles.mass[7] = 2.5;
    b.particles.mass[11] = 1.875;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(seen.last.n_different, 2, "entries");
    check_equal(seen.last.first, 7, "the first");
    check_close(seen.last.max_abs, 0.5, 0.0, "absolute");
    check_close(seen.last.max_rel, 0.2, 1e-16, "relative");
    b.particles.mass[11] = (double)NAN;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check(isnan(seen.last.max_abs));
    free(b.particles.mass);
    b = a;
    b.rest_position = NULL;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check(!seen.last.comparable);
    check_contains(seen.last.reason, "only in the first");
    frame_free(&a);
}

TEST(the_distance_of_shapes_is_that_of_their_particles)
{
    struct table table;
    struct error error = {0};
    begin();
    random_state = 3;
    struct frame frame = random_initial(50);
    double expected = 0.0;
    for (int run = 0; run < 2; run++) {
        char name[64];
        mkdir(in_folder(run ? "b" : "a"), 0777);
        mkdir(in_folder(run ? "b/frames" : "a/frames"), 0777);
        write_frame(run ? "b/initial.hdf" : "a/initial.hdf", &frame);
        for (int k = 0; k < 3; k++) {
            struct frame moved = frame;
            moved.number = (uint64_t)k;
            moved.time = 0.1 * k;
            moved.particles.position = random_array(50, sizeof(struct vec3));
            for (size_t i = 0; i < 50; i++) { /* body 1 moves in run b alone, body 0 in both */
                double far = i == 0 || frame.particles.body[i] == 0 ? 9.0 : run * k * (double)i;
                moved.particles.position[i] = frame.particles.position[i];
                moved.particles.position[i].y += far;
                if (k == 2 && run && frame.particles.body[i] == 1)
                    expected += far * far;
            }
            snprintf(name, sizeof name, "%s/frames/%06d.hdf", run ? "b" : "a", k);
            write_frame(name, &moved);
            free(moved.particles.position);
        }
    }
    unlink(in_folder("b/frames/000001.hdf"));
    double count = 0.0, largest = 0.0;
    for (size_t i = 0; i < 50; i++)
        if (frame.particles.body[i] == 1) {
            count += 1.0;
            largest = 2.0 * (double)i;
        }
    if (frame.particles.body[0] == 1)
        expected -= 81.0;
    check_equal(
        shape_distance_create(in_folder("a"), in_folder("b"), frame.body_name[1], &table, &error),
        STATUS_OK, error.message);
    check_equal(table.n_rows, 2, "common frames");
    const struct shape_distance_row *row = (const struct shape_distance_row *)table.value;
    check_close(row[0].rms, 0.0, 0.0, "at the start");
    check_close(row[1].frame, 2.0, 0.0, "number");
    check_close(row[1].time, 0.2, 0.0, "time");
    check_close(row[1].rms, sqrt(expected / count), 1e-12, "rms");
    check_close(row[1].max, largest, 1e-12, "max");
    free(table.value);
    check_equal(shape_distance_create(in_folder("a"), in_folder("b"), "wall", &table, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "has no body 'wall'; there are ball, cloth");
    frame_free(&frame);
    end();
}

TAP_MAIN(TAP_ENTRY(the_summary_has_the_known_numbers),
         TAP_ENTRY(fracture_has_its_keys_where_something_can_break),
         TAP_ENTRY(gravity_and_supports_account_for_momentum),
         TAP_ENTRY(sums_of_impulses_lose_nothing),
         TAP_ENTRY(what_flows_in_and_out_accounts_for_momentum),
         TAP_ENTRY(no_energy_is_kept_of_what_flows_on),
         TAP_ENTRY(a_drift_has_the_part_that_coupling_causes_and_a_rest),
         TAP_ENTRY(energy_that_is_not_accounted_for_shows_in_the_imbalance),
         TAP_ENTRY(each_sign_of_instability_counts),
         TAP_ENTRY(without_contact_of_bodies_there_is_no_impact),
         TAP_ENTRY(a_folder_that_is_no_whole_run_is_refused),
         TAP_ENTRY(reading_a_run_survives_every_failed_allocation),
         TAP_ENTRY(an_index_lists_every_frame), TAP_ENTRY(comparing_finds_one_flipped_bit),
         TAP_ENTRY(comparing_goes_by_the_names_of_columns),
         TAP_ENTRY(comparing_says_how_much_and_where),
         TAP_ENTRY(the_distance_of_shapes_is_that_of_their_particles))
