/* ms-analyze: from the frames of a run to numbers, and how far two runs are apart. */
#include "analysis/body_history.h"
#include "analysis/compare.h"
#include "analysis/fragment_history.h"
#include "analysis/shape_distance.h"
#include "analysis/spectrum.h"
#include "analysis/summary.h"
#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/inputs.h"
#include "base/program.h"
#include "measure/measures.h"
#include "step/ledger.h"
#include "store/frame_list.h"
#include "store/frame_scene.h"
#include "store/record.h"

#include <stdlib.h>
#include <sys/stat.h>

enum key { KEY_COMPARE = 256, KEY_FIELDS, KEY_SHAPE_DISTANCE, KEY_BODY };

struct arguments;
typedef int action(const struct arguments *arguments);

struct arguments {
    action *run;      /* what to do */
    const char *name; /* the option that asked for it, NULL: none did */
    int n_wanted;     /* positional arguments */
    int n;
    const char *input[2];
    const char *output; /* folder, NULL: the run's own */
    const char *body;
};

static void print_metrics(FILE *stream, const struct analysis *a)
{
    const struct table table[] = {a->record->ledger, a->record->measure, a->derived};
    bool measured = a->record->measure.n_columns > 0;
    const struct table without[] = {a->record->ledger, a->derived};
    tables_print_csv(stream, measured ? 3 : 2, measured ? table : without);
}

static const char *const *body_names(const struct analysis *a)
{
    return (const char *const *)a->record->initial.body_name;
}

static void print_bodies(FILE *stream, const struct analysis *a)
{
    struct table table = body_history_table(a->bodies);
    table_print_named_csv(stream, &table, body_names(a));
}

static void print_spectrum(FILE *stream, const struct analysis *a)
{
    struct table table = spectrum_table(a->spectrum);
    table_print_named_csv(stream, &table, body_names(a));
}

static void print_layers(FILE *stream, const struct analysis *a)
{
    struct table table = layers_table(a->layers);
    table_print_named_csv(stream, &table, body_names(a));
}

static void print_fragments(FILE *stream, const struct analysis *a)
{
    struct table table = fragment_history_table(a->fragments);
    table_print_named_csv(stream, &table, body_names(a));
}

static enum status write_result(const char *folder, const char *name,
                                void (*print)(FILE *, const struct analysis *),
                                const struct analysis *analysis, struct error *error)
{
    char *path;
    struct atomic_file file;
    enum status status = path_join(folder, name, &path, error);
    if (status == STATUS_OK)
        status = atomic_file_open(&file, path, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    print(file.stream, analysis);
    return atomic_file_commit(&file, error);
}

static const struct {
    const char *name;
    void (*print)(FILE *, const struct analysis *);
} results[] = {
    {"metrics.csv", print_metrics},     {"bodies.csv", print_bodies},
    {"spectrum.csv", print_spectrum},   {"layers.csv", print_layers},
    {"fragments.csv", print_fragments}, {"summary.json", summary_print},
};

static enum status write_results(const char *folder, const struct analysis *analysis,
                                 struct error *error)
{
    enum status status = folder_make(folder, error);
    for (size_t i = 0; i < sizeof results / sizeof *results && status == STATUS_OK; i++)
        status = write_result(folder, results[i].name, results[i].print, analysis, error);
    return status;
}

static enum status add_run(struct inputs *inputs, const char *folder, struct error *error)
{
    static const char *const name[] = {"initial.hdf", "end.json"};
    struct frame_list list = {0};
    enum status status = frame_list_read(folder, &list, error);
    for (size_t i = 0; i < list.n && !status; i++)
        status = inputs_add(inputs, list.frame[i].path, error);
    frame_list_free(&list);
    for (size_t i = 0; i < sizeof name / sizeof *name && !status; i++) {
        char *path;
        status = path_join(folder, name[i], &path, error);
        if (!status)
            status = inputs_add(inputs, path, error);
        free(path);
    }
    return status;
}

/* Frames and run folders, whatever was given. */
static enum status find_inputs(const struct arguments *arguments, struct inputs *inputs,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < arguments->n && !status; i++) {
        struct stat there;
        bool folder = stat(arguments->input[i], &there) == 0 && S_ISDIR(there.st_mode);
        status = folder ? add_run(inputs, arguments->input[i], error)
                        : inputs_add(inputs, arguments->input[i], error);
    }
    return status;
}

/* `folder` gets the results; NULL: they go to standard output. */
static enum status spare_inputs(const struct arguments *arguments, const char *folder,
                                struct error *error)
{
    struct inputs inputs = {0};
    enum status status = find_inputs(arguments, &inputs, error);
    if (!status)
        status = inputs_spare_standard_output(&inputs, error);
    for (size_t i = 0; folder && i < sizeof results / sizeof *results && !status; i++) {
        char *path;
        status = path_join(folder, results[i].name, &path, error);
        if (!status)
            status = inputs_spare(&inputs, path, error);
        free(path);
    }
    inputs_free(&inputs);
    return status;
}

/* What needs the particles of every frame. */
struct history {
    struct body_history bodies;
    struct spectrum spectrum;
    struct layers layers;
    struct fragment_history fragments;
};

static void history_free(struct history *history)
{
    body_history_free(&history->bodies);
    spectrum_free(&history->spectrum);
    layers_free(&history->layers);
    fragment_history_free(&history->fragments);
}

static enum status add_frame(struct history *history, const char *path, struct error *error)
{
    struct frame frame;
    enum status status = frame_read(path, &frame, error);
    if (status != STATUS_OK)
        return status;
    status = body_history_add(&history->bodies, &frame, error);
    if (status == STATUS_OK)
        status = spectrum_add(&history->spectrum, &frame, error);
    if (status == STATUS_OK)
        status = layers_add(&history->layers, &frame, error);
    if (status == STATUS_OK)
        status = fragment_history_add(&history->fragments, &frame, error);
    frame_free(&frame);
    return status ? error_prefix(error, "%s", path) : STATUS_OK;
}

static enum status history_read(const struct record *record, const char *folder,
                                struct history *history, struct error *error)
{
    struct scene scene;
    struct frame_list list = {0};
    *history = (struct history){0};
    enum status status = frame_scene(&record->initial, folder, &scene, error);
    if (status == STATUS_OK)
        status = frame_list_read(folder, &list, error);
    body_history_begin(&history->bodies, record->initial.n_bodies, scene.gravity);
    fragment_history_begin(&history->fragments, &scene);
    if (status == STATUS_OK)
        status = spectrum_begin(&history->spectrum, &scene, &record->initial, error);
    if (status == STATUS_OK)
        status = layers_begin(&history->layers, &scene, error);
    for (size_t i = 0; i < list.n && status == STATUS_OK; i++)
        status = add_frame(history, list.frame[i].path, error);
    frame_list_free(&list);
    scene_free(&scene);
    return status;
}

static enum status create_analysis(const char *folder, const struct record *record,
                                   struct analysis *analysis, struct error *error)
{
    enum status status = analysis_create(record, analysis, error);
    return status ? error_prefix(error, "%s", folder) : STATUS_OK;
}

static int analyze_run(const struct arguments *arguments)
{
    struct error error = {0};
    struct record record;
    struct history history = {0};
    struct analysis analysis = {0};
    const char *folder = arguments->output ? arguments->output : arguments->input[0];
    enum status status = record_read(arguments->input[0], &record, &error);
    if (status == STATUS_OK)
        status = spare_inputs(arguments, folder, &error);
    if (status == STATUS_OK)
        status = create_analysis(arguments->input[0], &record, &analysis, &error);
    if (status == STATUS_OK)
        status = history_read(&record, arguments->input[0], &history, &error);
    if (status == STATUS_OK) {
        analysis.bodies = &history.bodies;
        analysis.spectrum = &history.spectrum;
        analysis.layers = &history.layers;
        analysis.fragments = &history.fragments;
        status = write_results(folder, &analysis, &error);
    }
    analysis_free(&analysis);
    history_free(&history);
    record_free(&record);
    return program_end(status, &error);
}

/* The exit status is that of cmp: 0 identical, 1 different, 2 trouble. */
static int compare(const struct arguments *arguments)
{
    struct error error = {0};
    bool identical;
    enum status status = spare_inputs(arguments, NULL, &error);
    if (status == STATUS_OK)
        status =
            compare_paths(stdout, arguments->input[0], arguments->input[1], &identical, &error);
    if (status != STATUS_OK) {
        program_message("%s", error.message);
        return 2;
    }
    return identical ? 0 : 1;
}

static int measure_distance(const struct arguments *arguments)
{
    struct error error = {0};
    struct table table = {0};
    if (!arguments->body)
        program_usage("--shape-distance needs --body NAME");
    enum status status = spare_inputs(arguments, NULL, &error);
    if (status == STATUS_OK)
        status = shape_distance_create(arguments->input[0], arguments->input[1], arguments->body,
                                       &table, &error);
    if (status == STATUS_OK)
        tables_print_csv(stdout, 1, &table);
    free(table.value);
    return program_end(status, &error);
}

static int print_fields(const struct arguments *arguments)
{
    (void)arguments;
    fields_print(stdout);
    columns_print(stdout, "Columns of ledger, and of metrics.csv", LEDGER_WIDTH, ledger_columns);
    columns_print(stdout, "Columns of measure, and of metrics.csv", MEASURE_WIDTH, measure_columns);
    columns_print(stdout, "Further columns of metrics.csv", DERIVED_WIDTH, derived_columns);
    columns_print(stdout, "Columns of bodies.csv", BODY_WIDTH, body_columns);
    columns_print(stdout, "Columns of spectrum.csv", SPECTRUM_WIDTH, spectrum_columns);
    columns_print(stdout, "Columns of layers.csv", LAYER_WIDTH, layer_columns);
    columns_print(stdout, "Columns of fragments.csv", FRAGMENT_WIDTH, fragment_columns);
    columns_print(stdout, "Columns of --shape-distance", SHAPE_DISTANCE_WIDTH,
                  shape_distance_columns);
    summary_print_keys(stdout);
    return 0;
}

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0,
     "Write the results there, in a folder that is made if need be, instead of into the run's", 0},
    {"compare", KEY_COMPARE, NULL, 0,
     "Say in which fields two frames or two runs differ; exit status 0 if in none, 1 if in some, "
     "2 for trouble",
     1},
    {"shape-distance", KEY_SHAPE_DISTANCE, NULL, 0,
     "Write, as CSV, how far the shapes of a body are apart in two runs, frame by frame", 1},
    {"body", KEY_BODY, "NAME", 0, "The body for --shape-distance", 1},
    {"fields", KEY_FIELDS, NULL, 0, "Explain every field of a frame and every column and key", 1},
    {0}};

static void choose(struct arguments *arguments, const char *name, action *run, int n_wanted)
{
    if (arguments->name && arguments->name != name)
        program_usage("--%s and --%s are different tasks; give one", arguments->name, name);
    arguments->name = name;
    arguments->run = run;
    arguments->n_wanted = n_wanted;
}

static void check_arguments(const struct arguments *arguments)
{
    static const char *const wanted[] = {"no argument", "one run folder",
                                         "two frames or run folders"};
    if (arguments->n != arguments->n_wanted)
        program_usage("%d given, but this needs %s", arguments->n, wanted[arguments->n_wanted]);
    if (arguments->output && arguments->run != analyze_run)
        program_usage("--output is of no use with --%s, which writes to standard output",
                      arguments->name);
    if (arguments->body && arguments->run != measure_distance)
        program_usage("--body is for --shape-distance");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == 'o')
        arguments->output = text;
    else if (key == KEY_BODY)
        arguments->body = text;
    else if (key == KEY_COMPARE)
        choose(arguments, "compare", compare, 2);
    else if (key == KEY_SHAPE_DISTANCE)
        choose(arguments, "shape-distance", measure_distance, 2);
    else if (key == KEY_FIELDS)
        choose(arguments, "fields", print_fields, 0);
    else if (key == ARGP_KEY_ARG && arguments->n < 2)
        arguments->input[arguments->n++] = text;
    else if (key == ARGP_KEY_END)
        check_arguments(arguments);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "RUN\n--compare A B\n--shape-distance A B --body NAME\n--fields",
        "Turns the frames of a run into RUN/metrics.csv (a row per time step), RUN/bodies.csv (a "
        "row per frame and body), RUN/spectrum.csv (a row per frame and sheet), RUN/layers.csv (a "
        "row per frame, fluid and layer), RUN/fragments.csv (a row per frame and fragment) and "
        "RUN/summary.json.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.run = analyze_run, .n_wanted = 1};
    program_arguments(&argp, argc, argv, &arguments);
    return arguments.run(&arguments);
}
