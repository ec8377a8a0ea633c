/* ms-sample: makes the initial state of a run from a configuration. */
#include "sample/sample.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/program.h"
#include "config/config.h"
#include "sample/sample_warnings.h"
#include "step/memory_need.h"
#include "store/frame.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum task { TASK_NONE, TASK_WRITE, TASK_CHECK, TASK_EFFECTIVE, TASK_HELP };

struct arguments {
    size_t n_files, n_settings;
    const char **file, **setting; /* room for one per word of the command line */
    const char *output;
    const char *word; /* keys to explain; NULL: all */
    enum task task;
    bool quiet;
};

enum { OPTION_EFFECTIVE = 256, OPTION_CHECK, OPTION_HELP_CONFIG };

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "Read this configuration; later ones override earlier ones", 0},
    {"set", 's', "KEY=VALUE", 0, "Override one value, such as contact.alpha=0.5", 0},
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
    if (arguments->task != TASK_HELP && arguments->n_files == 0)
        program_usage("no configuration; give --config FILE");
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

/* Body b and the copies that follow it. */
static size_t n_copies(const struct scene *scene, size_t b)
{
    size_t n = 1;
    while (b + n < scene->n_bodies && scene->body[b + n].copy > 0)
        n++;
    return n;
}

/* The name of body b, "brick-1 to brick-1000" of copies. */
static void body_text(const struct scene *scene, size_t b, char *text, size_t size)
{
    const size_t n = n_copies(scene, b);
    if (n == 1)
        snprintf(text, size, "%s", scene->body[b].name);
    else
        snprintf(text, size, "%.140s to %.140s", scene->body[b].name, scene->body[b + n - 1].name);
}

static void report_print(const struct scene *scene, const struct sample *sample)
{
    printf("%-24s %10s %13s %9s %10s  %s\n", "body", "particles", "volume", "error", "thinnest",
           "size");
    printf("%-24s %10s %13s %9s %10s  %s\n", "", "", "m^3", "%", "spacings", "m");
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b)) {
        const struct sample_report *report = &sample->report[b];
        char name[300];
        body_text(scene, b, name, sizeof name);
        printf("%-24s %10zu %13.6g %9.3f %10.2f  %.4g x %.4g x %.4g\n", name, report->particles,
               report->volume, 100 * report->volume_error,
               report->thinnest / (2 * scene->body[b].radius), report->extent.x, report->extent.y,
               report->extent.z);
    }
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b))
        if (sample->report[b].left_out > 0)
            printf("%s: triangles without area, left out of its mesh: %zu\n", scene->body[b].name,
                   sample->report[b].left_out);
    printf("memory to simulate: about %.2g GB\n",
           memory_need(scene, &sample->particles, sample->rest_position) / 1e9);
}

/* What cracks in the bodies cost, all zero for those that cannot break (scene->n_bodies). */
static enum status fracture_find(const struct scene *scene, const struct sample *sample,
                                 struct fracture_report **report, struct error *error)
{
    enum status status =
        array_create(report, scene->n_bodies, sizeof **report, "reports on bodies", error);
    for (size_t b = 0, first = 0; b < scene->n_bodies && !status; b++) {
        const struct material *material = scene_material_of(scene, b);
        const size_t n = sample->report[b].particles;
        if (material_breaks(material))
            status = material->model->fracture(&scene->body[b], material, n,
                                               sample->rest_position + first, &(*report)[b], error);
        first += n;
    }
    return status;
}

/* At which strain the bonds of bodies that can break do so, and what a crack across them costs. */
static void fracture_print(const struct scene *scene, const struct fracture_report *report)
{
    bool any = false;
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b)) {
        if (!material_breaks(scene_material_of(scene, b)))
            continue;
        if (!any)
            printf("%-24s %10s   %s\n%-24s %10s   %s\n", "bodies that can break", "critical",
                   "a crack across its x, y, z axis costs", "", "stretch", "J/m^2");
        printf("%-24s %10.4g   %.4g, %.4g, %.4g\n", scene->body[b].name, report[b].critical_stretch,
               report[b].energy[0], report[b].energy[1], report[b].energy[2]);
        any = true;
    }
}

/* The names are one block of memory: first the pointers, then the texts. */
static enum status names_create(char ***names, const struct scene *scene, struct error *error)
{
    size_t n = scene->n_bodies, length = n * sizeof **names;
    for (size_t b = 0; b < n; b++)
        length += strlen(scene->body[b].name) + 1;
    enum status status = array_create(names, length, 1, "the names of bodies", error);
    if (status)
        return status;
    char *text = (char *)(*names + n);
    for (size_t b = 0; b < n; b++) {
        size_t size = strlen(scene->body[b].name) + 1;
        (*names)[b] = memcpy(text, scene->body[b].name, size);
        text += size;
    }
    return STATUS_OK;
}

static enum status state_write(const char *path, const struct config *config,
                               const struct scene *scene, const struct sample *sample,
                               struct error *error)
{
    struct frame frame = {.particles = sample->particles,
                          .rest_position = sample->rest_position,
                          .n_bodies = scene->n_bodies,
                          .n_sheets = sample->n_sheets,
                          .sheet = sample->sheet};
    enum status status = config_effective(config, &frame.config, error);
    if (!status)
        status = names_create(&frame.body_name, scene, error);
    if (!status)
        status = frame_write(path, &frame, error);
    free(frame.body_name);
    free(frame.config);
    return status;
}

/* What was sampled, in words, and what to beware of. */
static enum status all_print(const struct config *config, const struct scene *scene,
                             const struct sample *sample, struct error *error)
{
    char *text = NULL;
    struct fracture_report *fracture = NULL;
    enum status status = config_effective(config, &text, error);
    if (!status)
        status = fracture_find(scene, sample, &fracture, error);
    if (!status) {
        report_print(scene, sample);
        fracture_print(scene, fracture);
        sample_print_warnings(stdout, scene, sample, fracture, text);
    }
    free(fracture);
    free(text);
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
        status = all_print(config, scene, &sample, error);
    sample_free(&sample);
    return status;
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

/* The inputs of this program are configurations and meshes. */
static enum status add_inputs(const struct arguments *arguments, const struct scene *scene,
                              struct inputs *inputs, struct error *error)
{
    enum status status = STATUS_OK;
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

static enum status spare_inputs(const struct arguments *arguments, const struct scene *scene,
                                struct error *error)
{
    struct inputs inputs = {0};
    enum status status = add_inputs(arguments, scene, &inputs, error);
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

static enum status run(const struct arguments *arguments, struct error *error)
{
    struct complaints complaints = {0};
    struct config *config = NULL;
    enum status status = config_read(&config, arguments->n_files, arguments->file,
                                     arguments->n_settings, arguments->setting, &complaints, error);
    for (size_t i = 0; i < complaints.n; i++)
        program_message("%s", complaints.line[i]);
    if (complaints.n)
        error->message[0] = '\0'; /* it repeats the first complaint */
    complaints_free(&complaints);
    struct scene scene = {0};
    if (!status)
        status = config_scene(config, &scene, error);
    if (!status)
        status = spare_inputs(arguments, &scene, error);
    if (!status && arguments->task == TASK_EFFECTIVE)
        status = effective_print(config, error);
    else if (!status)
        status = sample(arguments, config, &scene, error);
    scene_free(&scene);
    config_free(config);
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
