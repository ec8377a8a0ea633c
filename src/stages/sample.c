/* ms-sample: makes the initial state of a run from a configuration. */
#include "sample/sample.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/program.h"
#include "config/config.h"
#include "run/continued.h"
#include "run/sample_report.h"
#include "store/frame_scene.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum task { TASK_NONE, TASK_WRITE, TASK_CHECK, TASK_EFFECTIVE, TASK_HELP };

struct arguments {
    size_t n_files, n_settings;
    const char **file, **setting; /* room for one per word of the command line */
    const char *from, *initial; /* the frame to go on from, and what its run began with; or NULL */
    const char *output;
    const char *word; /* keys to explain; NULL: all */
    enum task task;
    bool quiet;
};

enum { OPTION_EFFECTIVE = 256, OPTION_CHECK, OPTION_HELP_CONFIG, OPTION_FROM, OPTION_INITIAL };

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "Read this configuration; later ones override earlier ones", 0},
    {"set", 's', "KEY=VALUE", 0, "Override one value, such as contact.alpha=0.5", 0},
    {"from", OPTION_FROM, "FRAME", 0,
     "Go on from this frame or checkpoint: its configuration is the lowest layer, its particles "
     "and all that they have become are the initial state, and the clock goes on. Bodies may come "
     "and go, and nearly everything but the shape of those that stay may change",
     0},
    {"initial", OPTION_INITIAL, "FILE", 0,
     "The initial frame of the run that FRAME is of, if it is not RUN/initial.hdf", 0},
    {"output", 'o', "FILE", 0, "Write the initial state here (HDF5)", 0},
    {"check", OPTION_CHECK, NULL, 0, "Do everything but write", 0},
    {"effective", OPTION_EFFECTIVE, NULL, 0,
     "Print the effective configuration: every key with its value, defaults included", 0},
    {"help-config", OPTION_HELP_CONFIG, "WORD", OPTION_ARG_OPTIONAL,
     "Print every key with its meaning, or those whose name or meaning contains a word", 0},
    {"quiet", 'q', NULL, 0, "Print no report", 0},
    {0}};

static void set_task(struct arguments *arguments, enum task task)
{
    if (arguments->task != TASK_NONE)
        program_usage("give one of --output, --check, --effective and --help-config, once");
    arguments->task = task;
}

static void check_complete(const struct arguments *arguments)
{
    if (arguments->task == TASK_NONE)
        program_usage("nothing to do; give --output FILE, --check or --effective");
    if (arguments->task != TASK_HELP && arguments->n_files == 0 && !arguments->from)
        program_usage("no configuration; give --config FILE");
    if (arguments->initial && !arguments->from)
        program_usage("--initial belongs to --from FRAME");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'c':
        arguments->file[arguments->n_files++] = text;
        return 0;
    case 's':
        arguments->setting[arguments->n_settings++] = text;
        return 0;
    case 'o':
        arguments->output = text;
        set_task(arguments, TASK_WRITE);
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case OPTION_FROM:
        arguments->from = text;
        return 0;
    case OPTION_INITIAL:
        arguments->initial = text;
        return 0;
    case OPTION_CHECK:
        set_task(arguments, TASK_CHECK);
        return 0;
    case OPTION_EFFECTIVE:
        set_task(arguments, TASK_EFFECTIVE);
        return 0;
    case OPTION_HELP_CONFIG:
        arguments->word = text;
        set_task(arguments, TASK_HELP);
        return 0;
    case ARGP_KEY_ARG: /* --help-config WORD is --help-config=WORD */
        if (arguments->task != TASK_HELP || arguments->word)
            return ARGP_ERR_UNKNOWN;
        arguments->word = text;
        return 0;
    case ARGP_KEY_END:
        check_complete(arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options,
                                 parse,
                                 NULL,
                                 "Fill the bodies of a scene with particles.\v"
                                 "Exit status: 0 done; 1 the state could not be written; 2 bad "
                                 "usage or a faulty configuration, nothing was written.",
                                 NULL,
                                 NULL,
                                 NULL};

static enum status state_write(const char *path, const struct config *config,
                               const struct scene *scene, const struct sample *sample,
                               struct error *error)
{
    struct frame frame = {.particles = sample->particles,
                          .rest_position = sample->rest_position,
                          .n_sheets = sample->n_sheets,
                          .sheet = sample->sheet};
    enum status status = config_effective(config, &frame.config, error);
    if (!status)
        status = frame_name_bodies(&frame, scene, error);
    if (!status)
        status = frame_write(path, &frame, error);
    free(frame.body_name);
    free(frame.config);
    return status;
}

static enum status sample(const struct arguments *arguments, const struct config *config,
                          const struct scene *scene, struct error *error)
{
    struct sample sample = {0};
    enum status status = sample_scene(scene, &sample, error);
    if (!status && arguments->task == TASK_WRITE)
        status = state_write(arguments->output, config, scene, &sample, error);
    if (!status && !arguments->quiet)
        status = sample_report_print(stdout, config, scene, &sample, error);
    sample_free(&sample);
    return status;
}

/* The state of the frame instead. */
static enum status go_on(const struct arguments *arguments, struct continued *continued,
                         const struct config *config, const struct scene *scene,
                         struct error *error)
{
    enum status status = continued_make(continued, config, scene, error);
    if (!status && arguments->task == TASK_WRITE)
        status = frame_write(arguments->output, &continued->initial, error);
    if (status || arguments->quiet)
        return status;
    printf("goes on from %s\n", continued->initial.origin);
    return bodies_report_print(stdout, scene, &continued->initial.particles, error);
}

static enum status add_meshes(struct inputs *inputs, const struct shape *shape, struct error *error)
{
    enum status status = STATUS_OK;
    if (shape->kind == SHAPE_MESH)
        status = inputs_add(inputs, shape->file, error);
    for (size_t i = 0; i < shape->n_children && !status; i++)
        status = add_meshes(inputs, &shape->child[i], error);
    return status;
}

/* The inputs of this program are configurations and meshes, and frames to go on from. */
static enum status add_inputs(const struct arguments *arguments, const struct continued *continued,
                              const struct scene *scene, struct inputs *inputs, struct error *error)
{
    enum status status = arguments->from ? inputs_add(inputs, arguments->from, error) : STATUS_OK;
    if (!status && arguments->from)
        status = inputs_add(inputs, continued->initial_path, error);
    for (size_t i = 0; i < arguments->n_files && !status; i++)
        status = inputs_add(inputs, arguments->file[i], error);
    for (size_t b = 0; b < scene->n_bodies && !status; b++)
        status = add_meshes(inputs, &scene->body[b].shape, error);
    for (size_t i = 0; i < scene->n_outlets && !status; i++)
        status = add_meshes(inputs, &scene->outlet[i].region.shape, error);
    for (size_t i = 0; i < scene->n_walls && !status; i++)
        status = add_meshes(inputs, &scene->wall[i].region.shape, error);
    return status;
}

static enum status spare_inputs(const struct arguments *arguments,
                                const struct continued *continued, const struct scene *scene,
                                struct error *error)
{
    struct inputs inputs = {0};
    enum status status = add_inputs(arguments, continued, scene, &inputs, error);
    if (!status)
        status = inputs_spare_standard_output(&inputs, error);
    if (!status && arguments->output)
        status = inputs_spare(&inputs, arguments->output, error);
    inputs_free(&inputs);
    return status;
}

static enum status effective_print(const struct config *config, struct error *error)
{
    char *text = NULL;
    enum status status = config_effective(config, &text, error);
    if (!status)
        fputs(text, stdout);
    free(text);
    return status;
}

static enum status help(const struct arguments *arguments, struct error *error)
{
    if (config_help(stdout, arguments->word) > 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "--help-config: no key has '%.100s' in its name or meaning; --help-config "
                     "alone prints all",
                     arguments->word);
}

static enum status read_config(const struct arguments *arguments, const struct continued *continued,
                               struct config **config, struct error *error)
{
    struct complaints complaints = {0};
    const struct config_base base = {arguments->from, continued->frame.config};
    enum status status =
        config_read(config, arguments->from ? &base : NULL, arguments->n_files, arguments->file,
                    arguments->n_settings, arguments->setting, &complaints, error);
    for (size_t i = 0; i < complaints.n; i++)
        program_message("%s", complaints.line[i]);
    if (complaints.n)
        error->message[0] = '\0'; /* it repeats the first complaint */
    complaints_free(&complaints);
    return status;
}

static enum status run(const struct arguments *arguments, struct error *error)
{
    struct config *config = NULL;
    struct scene scene = {0};
    struct continued continued = {0};
    enum status status = STATUS_OK;
    if (arguments->from)
        status = continued_read(&continued, arguments->from, arguments->initial, error);
    if (!status)
        status = read_config(arguments, &continued, &config, error);
    if (!status)
        status = config_scene(config, &scene, error);
    if (!status)
        status = spare_inputs(arguments, &continued, &scene, error);
    if (!status && arguments->task == TASK_EFFECTIVE)
        status = effective_print(config, error);
    else if (!status && arguments->from)
        status = go_on(arguments, &continued, config, &scene, error);
    else if (!status)
        status = sample(arguments, config, &scene, error);
    scene_free(&scene);
    config_free(config);
    continued_free(&continued);
    return status;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error = {0};
    enum status status = array_create(&arguments.file, (size_t)argc + 1, sizeof *arguments.file,
                                      "the command line", &error);
    if (!status)
        status = array_create(&arguments.setting, (size_t)argc + 1, sizeof *arguments.setting,
                              "the command line", &error);
    if (!status) {
        program_arguments(&argp, argc, argv, &arguments);
        if (arguments.task == TASK_HELP)
            status = help(&arguments, &error);
        else
            status = run(&arguments, &error);
    }
    free(arguments.file);
    free(arguments.setting);
    return program_end(status, &error);
}
