/* ms-analyze: computes numbers from the frames of a run, and compares runs. */
#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "analysis/digest.h"
#include "analysis/shape_distance.h"
#include "analysis/summary.h"
#include "base/inputs.h"
#include "base/program.h"
#include "store/frame_list.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

enum key { KEY_COMPARE = 256, KEY_FIELDS, KEY_TABLES, KEY_SHAPE_DISTANCE, KEY_BODY, KEY_EVERY };

struct arguments;
typedef int action(const struct arguments *arguments);

struct arguments {
    action *run;      /* what to do */
    const char *name; /* option that chose the action; NULL: none */
    int n_wanted;     /* positional arguments */
    int n;
    const char *input[2];
    const char *output; /* folder, NULL: the run's own */
    const char *body;
    bool quiet;
    size_t every; /* metrics.csv has a row for every so many steps; 0: the option is not given */
};

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

/* Collects the files that will be read; each argument is a frame or a run folder. */
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

/* Refuses to overwrite an input. `folder` gets the results; if it is NULL, they go to standard
 * output. */
static enum status spare_inputs(const struct arguments *arguments, const char *folder,
                                struct error *error)
{
    struct inputs inputs = {0};
    enum status status = find_inputs(arguments, &inputs, error);
    if (!status)
        status = inputs_spare_standard_output(&inputs, error);
    for (size_t i = 0; folder && analysis_file(i) && !status; i++) {
        char *path;
        status = path_join(folder, analysis_file(i), &path, error);
        if (!status)
            status = inputs_spare(&inputs, path, error);
        free(path);
    }
    inputs_free(&inputs);
    return status;
}

static int analyze_run(const struct arguments *arguments)
{
    struct error error = {0};
    struct record record;
    struct analysis analysis = {0};
    const char *input = arguments->input[0];
    const char *folder = arguments->output ? arguments->output : input;
    size_t every = arguments->every ? arguments->every : 1;
    enum status status = record_read(input, &record, &error);
    if (status == STATUS_OK)
        status = spare_inputs(arguments, folder, &error);
    if (status == STATUS_OK) {
        analysis_create(&record, every, &analysis);
        status = analysis_read_frames(&analysis, input, &error);
    }
    if (status == STATUS_OK)
        status = analysis_write(&analysis, folder, &error);
    if (status == STATUS_OK && !arguments->quiet)
        digest_print(stdout, &analysis);
    analysis_free(&analysis);
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
    for (size_t i = 0; run_tables[i]; i++)
        run_table_explain(stdout, run_tables[i]);
    columns_print(stdout, "Columns of --shape-distance", SHAPE_DISTANCE_WIDTH,
                  shape_distance_columns);
    summary_print_keys(stdout);
    return 0;
}

static int print_tables(const struct arguments *arguments)
{
    (void)arguments;
    for (size_t i = 0; run_tables[i]; i++)
        printf("%-15s a row per %s\n", run_tables[i]->file, run_tables[i]->rows);
    return 0;
}

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0,
     "Write the results there, in a folder that is made if need be, instead of into the run's", 0},
    {"every", KEY_EVERY, "N", 0,
     "Give metrics.csv a row for every N-th step and for the last, instead of for "
     "each: for runs of very many steps. Sums and extremes in summary.json are still "
     "those of all steps",
     0},
    {"quiet", 'q', NULL, 0, "Do not print what one looks at first", 0},
    {"compare", KEY_COMPARE, NULL, 0,
     "Say in which fields two frames or two runs differ; exit status 0 if in none, 1 if in some, "
     "2 for trouble",
     1},
    {"shape-distance", KEY_SHAPE_DISTANCE, NULL, 0,
     "Write, as CSV, how far the shapes of a body are apart in two runs, frame by frame", 1},
    {"body", KEY_BODY, "NAME", 0, "The body for --shape-distance", 1},
    {"fields", KEY_FIELDS, NULL, 0, "Explain every field of a frame and every column and key", 1},
    {"tables", KEY_TABLES, NULL, 0, "Name the tables of a run, and what has a row in each", 1},
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
    if (arguments->every && arguments->run != analyze_run)
        program_usage("--every is of no use with --%s, which writes no metrics.csv",
                      arguments->name);
    if (arguments->quiet && arguments->run != analyze_run)
        program_usage("--quiet is of no use with --%s, which says nothing else", arguments->name);
    if (arguments->body && arguments->run != measure_distance)
        program_usage("--body is for --shape-distance");
}

static size_t read_every(const char *text)
{
    double value;
    program_numbers("every", text, 1, &value);
    if (!(value >= 1.0 && value <= 1e9 && value == floor(value)))
        program_usage("--every: %s is out of range; give a whole number from 1 to 1000000000",
                      text);
    return (size_t)value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == 'o')
        arguments->output = text;
    else if (key == 'q')
        arguments->quiet = true;
    else if (key == KEY_BODY)
        arguments->body = text;
    else if (key == KEY_EVERY)
        arguments->every = read_every(text);
    else if (key == KEY_COMPARE)
        choose(arguments, "compare", compare, 2);
    else if (key == KEY_SHAPE_DISTANCE)
        choose(arguments, "shape-distance", measure_distance, 2);
    else if (key == KEY_FIELDS)
        choose(arguments, "fields", print_fields, 0);
    else if (key == KEY_TABLES)
        choose(arguments, "tables", print_tables, 0);
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
        "RUN\n--compare A B\n--shape-distance A B --body NAME\n--fields\n--tables",
        "Turns the frames of a run into tables, which --tables names, and RUN/summary.json, the "
        "run in a few numbers and its effective configuration.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.run = analyze_run, .n_wanted = 1};
    program_arguments(&argp, argc, argv, &arguments);
    return arguments.run(&arguments);
}
