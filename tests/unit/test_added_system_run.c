/* A run with a system that the programs do not have (test_added_system.c): its frames, stop and
 * resume, and the tables made of it. */
#include "analysis/analysis.h"
#include "base/folder.h"
#include "run/run.h"
#include "store/field.h"
#include "tether_scenes.h"

#include <stdarg.h>

static char folder[] = "/tmp/test_added_system.XXXXXX";

static const char *in_folder(const char *format, ...)
{
    static char path[4][256];
    static int turn;
    va_list arguments;
    turn = (turn + 1) % 4;
    int used = snprintf(path[turn], sizeof path[turn], "%s/", folder);
    va_start(arguments, format);
    vsnprintf(path[turn] + used, sizeof path[turn] - (size_t)used, format, arguments);
    va_end(arguments);
    return path[turn];
}

/* The initial frame, as ms-sample writes it. */
static void write_initial(const char *path)
{
    struct setup setup;
    struct error error = {0};
    char name[4][8], *names[4] = {name[0], name[1], name[2], name[3]};
    layer_setup(&setup, "sequential", 1.0, 1.0);
    for (size_t b = 0; b < setup.scene.n_bodies && b < 4; b++)
        snprintf(name[b], sizeof name[b], "%s", setup.scene.body[b].name);
    struct frame frame = {.particles = setup.sample.particles,
                          .rest_position = setup.sample.rest_position,
                          .n_bodies = setup.scene.n_bodies,
                          .body_name = names,
                          .n_sheets = setup.sample.n_sheets,
                          .sheet = setup.sample.sheet};
    if (config_effective(setup.config, &frame.config, &error) || frame_write(path, &frame, &error))
        give_up(&error);
    free(frame.config);
    setup_free(&setup);
}

/* Goes on until the end, or stops after some steps, as ms-simulate does. */
static void go_on(const char *run_folder, bool resume, int most_steps)
{
    struct run run;
    struct error error = {0};
    enum status status =
        run_open(&run, in_folder("straight/initial.hdf"), run_folder, resume, 0.0, &error);
    if (!status)
        status = run_begin(&run, &error);
    for (int k = 0; !status && run_ended(&run) == RUN_GOES_ON && k < most_steps; k++)
        status = run_step(&run, &error);
    if (!status)
        status = run_ended(&run) == RUN_GOES_ON ? run_checkpoint(&run, &error)
                                                : run_finish(&run, run_ended(&run), &error);
    if (status)
        give_up(&error);
    run_close(&run);
}

static void check_same_file(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    int one = 0, other = 0;
    long n = 0;
    if (!x || !y)
        abort();
    for (; one == other && one != EOF; n++) {
        one = getc(x);
        other = getc(y);
    }
    fclose(x);
    fclose(y);
    if (!check(one == other && n > 1000))
        printf("#   %s and %s, byte %ld\n", a, b, n);
}

/* Its fields in the last frame, and its columns in the rows of all steps. */
static void check_record(const char *run_folder)
{
    struct record record;
    struct frame last;
    struct error error = {0};
    if (record_read(run_folder, &record, &error) ||
        frame_read(in_folder("straight/frames/000003.hdf"), &last, &error))
        give_up(&error);
    const double *heat = frame_state(&last, "tether_heat");
    const struct vec3 *anchor = frame_state(&last, "tether_anchor");
    const float *tension = frame_state(&last, "tether_tension");
    double taken = 0.0, heats = 0.0, longest = 0.0, stiff = 0.0;
    const struct column_stats *damping = run_stats_column(&record.stats, "tether_damping"),
                              *extension = run_stats_column(&record.stats, "tether_longest");
    if (!check(heat && anchor && tension && damping && extension))
        give_up(&error);
    taken = damping->sum;
    for (size_t i = 0; i < last.particles.n; i++) {
        heats += heat[i];
        if (strcmp(last.body_name[last.particles.body[i]], "ball") == 0 ||
            strcmp(last.body_name[last.particles.body[i]], "layer") == 0)
            longest = fmax(longest, vec3_norm(vec3_sub(last.particles.position[i], anchor[i])));
        else
            check(heat[i] == 0.0 && (double)tension[i] == 0.0);
        stiff = fmax(stiff, (double)tension[i]);
    }
    check_close(heats, taken, 1e-12 * taken, "heat of all particles, J");
    check(taken > 0.1 && longest > 0.01 && stiff > 40.0 * 0.01);
    check_close(extension->last, longest, 0.0, "longest extension, m");
    frame_free(&last);
    record_free(&record);
}

static void check_metrics(const char *run_folder)
{
    struct record record;
    struct analysis analysis;
    struct error error = {0};
    char line[8192] = "";
    if (record_read(run_folder, &record, &error))
        give_up(&error);
    analysis_create(&record, 1, &analysis);
    if (analysis_read_frames(&analysis, run_folder, &error) ||
        analysis_write(&analysis, run_folder, &error))
        give_up(&error);
    FILE *stream = fopen(in_folder("straight/metrics.csv"), "r");
    check(stream && fgets(line, sizeof line, stream));
    check_contains(line, ",damping,tether_damping,tether_longest,");
    if (stream)
        fclose(stream);
    analysis_free(&analysis);
    record_free(&record);
}

/* A run, and one that stopped between two frames and went on. */
TEST(a_run_stops_and_goes_on_to_the_same_bytes)
{
    struct error error = {0};
    char command[128];
    if (!mkdtemp(folder) || folder_make(in_folder("straight"), &error) ||
        folder_make(in_folder("stopped"), &error))
        abort();
    write_initial(in_folder("straight/initial.hdf"));
    go_on(in_folder("straight"), false, 1000);
    go_on(in_folder("stopped"), false, 13);
    go_on(in_folder("stopped"), true, 1000);
    for (int k = 0; k <= 3; k++)
        check_same_file(in_folder("straight/frames/%06d.hdf", k),
                        in_folder("stopped/frames/%06d.hdf", k));
    check_record(in_folder("straight"));
    check_metrics(in_folder("straight"));
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_equal(system(command), 0, "removed");
}

TEST(its_fields_are_explained)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        abort();
    fields_print(stream);
    for (size_t k = 0; run_tables[k]; k++)
        run_table_explain(stream, run_tables[k]);
    fclose(stream);
    check_contains(text, "tether_anchor");
    check_contains(text, "dissipated by the particle's tether");
    check_contains(text, "dissipated by dampers of tethers");
    free(text);
}
