/* ms-render-prep: from a frame to what is drawn. */
#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/program.h"
#include "store/section.h"
#include "surface/pov.h"

#include <stdlib.h>
#include <string.h>

enum key {
    KEY_SECTION = 256,
    KEY_THICKNESS,
    KEY_INITIAL,
    KEY_POV,
    KEY_CAMERA,
    KEY_LOOK_AT,
    KEY_ANGLE,
    KEY_WAITING
};

struct arguments {
    const char *frame, *initial, *output;
    bool section, pov, thick, camera, look_at, waiting;
    double plane[4]; /* normal, offset */
    double thickness;
    double location[3], target[3], angle;
};

/* "1,2,3": exactly n numbers. */
static void read_numbers(const char *option, const char *text, size_t n, double *value)
{
    char copy[256], *next = copy;
    if (strlen(text) >= sizeof copy)
        program_usage("--%s: too long: '%.40s...'", option, text);
    strcpy(copy, text);
    size_t count = 0;
    for (char *word; (word = strsep(&next, ",")); count++) {
        const char *fault = count < n ? number_read(word, &value[count]) : NULL;
        if (fault)
            program_usage("--%s: '%s' %s", option, word, fault);
    }
    if (count != n)
        program_usage("--%s: %zu numbers in '%s'; %zu are needed", option, count, text, n);
}

static void read_positive(const char *option, const char *text, double below, double *value)
{
    read_numbers(option, text, 1, value);
    if (!(*value > 0.0 && *value < below))
        program_usage("--%s: %s is out of range; give a number above 0%s", option, text,
                      isfinite(below) ? " and below 180" : "");
}

static struct vec3 vector(const double value[3])
{
    return vec3(value[0], value[1], value[2]);
}

static enum status check_initial(const struct frame *frame, const struct frame *initial,
                                 const struct arguments *arguments, struct error *error)
{
    if (frame->particles.n != initial->particles.n || strcmp(frame->config, initial->config) != 0)
        return error_set(error, STATUS_INVALID,
                         "%s is not the initial frame of %s: other particles or configuration",
                         arguments->initial, arguments->frame);
    return STATUS_OK;
}

/* What is not there: fluid that is gone, and, unless it is wanted, fluid that waits to flow in. */
static enum status hide_absent(const struct arguments *arguments, const struct frame *frame,
                               uint8_t **hidden, struct error *error)
{
    const struct particles *p = &frame->particles;
    if (array_create(hidden, p->n, 1, "marks of particles", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        (*hidden)[i] = !particle_is_here(p->state[i]) &&
                       !(arguments->waiting && p->state[i] == PARTICLE_DRIVEN);
    return STATUS_OK;
}

static enum status print_section(const struct arguments *arguments, const struct frame *frame,
                                 const struct frame *initial, const struct plane *plane,
                                 FILE *stream, struct error *error)
{
    struct section section;
    uint8_t *hidden;
    enum status status = hide_absent(arguments, frame, &hidden, error);
    if (status)
        return status;
    status = section_create(frame, hidden, plane, arguments->thickness, &section, error);
    free(hidden);
    if (status)
        return status;
    if (section.n_not_finite > 0)
        program_message("%s: %zu particles have no finite position and are left out",
                        arguments->frame, section.n_not_finite);
    section_print(stream, &section, frame, initial);
    section_free(&section);
    return STATUS_OK;
}

/* With a plane, what is in front of it is cut away. */
static enum status print_scene(const struct arguments *arguments, const struct frame *frame,
                               const struct plane *plane, FILE *stream, struct error *error)
{
    const struct particles *p = &frame->particles;
    uint8_t *hidden;
    if (hide_absent(arguments, frame, &hidden, error))
        return STATUS_FAILED;
    struct camera camera = camera_for(p, hidden, arguments->angle);
    for (size_t i = 0; arguments->section && i < p->n; i++)
        hidden[i] |= plane_depth(plane, p->position[i]) < 0.0;
    if (arguments->camera)
        camera.location = vector(arguments->location);
    if (arguments->look_at)
        camera.look_at = vector(arguments->target);
    pov_print(stream, p, frame->n_bodies, (const char *const *)frame->body_name, hidden, &camera);
    free(hidden);
    return STATUS_OK;
}

static enum status print(const struct arguments *arguments, const struct frame *frame,
                         const struct frame *initial, FILE *stream, struct error *error)
{
    struct plane plane = {0};
    enum status status = STATUS_OK;
    if (arguments->section)
        status = plane_create(vector(arguments->plane), arguments->plane[3], &plane, error);
    if (status)
        return error_prefix(error, "--section");
    if (arguments->pov)
        return print_scene(arguments, frame, &plane, stream, error);
    return print_section(arguments, frame, initial, &plane, stream, error);
}

static enum status print_to_file(const struct arguments *arguments, const struct frame *frame,
                                 const struct frame *initial, struct error *error)
{
    struct atomic_file file;
    if (!arguments->output)
        return print(arguments, frame, initial, stdout, error);
    if (atomic_file_open(&file, arguments->output, error))
        return STATUS_FAILED;
    enum status status = print(arguments, frame, initial, file.stream, error);
    if (status == STATUS_OK)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return status;
}

static enum status prepare(const struct arguments *arguments, struct error *error)
{
    struct frame frame, initial = {0};
    enum status status = frame_read(arguments->frame, &frame, error);
    if (status)
        return status;
    if (arguments->initial)
        status = frame_read(arguments->initial, &initial, error);
    if (status == STATUS_OK && arguments->initial)
        status = check_initial(&frame, &initial, arguments, error);
    if (status == STATUS_OK)
        status = print_to_file(arguments, &frame, arguments->initial ? &initial : NULL, error);
    frame_free(&initial);
    frame_free(&frame);
    return status;
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write there instead of to standard output", 0},
    {"section", KEY_SECTION, "NX,NY,NZ,OFFSET", 0,
     "The plane at OFFSET meters along the normal; with --pov, what is in front of it is cut away",
     1},
    {"thickness", KEY_THICKNESS, "METERS", 0,
     "Take particles with their center at most half of this from the plane", 1},
    {"waiting", KEY_WAITING, NULL, 0, "Show the fluid upstream of the mouths of inflows, too", 1},
    {"initial", KEY_INITIAL, "FILE", 0, "Add each particle's displacement since this frame", 1},
    {"pov", KEY_POV, NULL, 0, "Write a POV-Ray scene instead of a table", 2},
    {"camera", KEY_CAMERA, "X,Y,Z", 0, "Where the camera is, m; default: so that all is seen", 2},
    {"look-at", KEY_LOOK_AT, "X,Y,Z", 0, "Where it looks, m; default: the middle of all", 2},
    {"angle", KEY_ANGLE, "DEGREES", 0, "Its angle of view; default 35", 2},
    {0}};

static void check_arguments(const struct arguments *arguments)
{
    bool camera = arguments->camera || arguments->look_at || arguments->angle > 0.0;
    if (!arguments->frame)
        program_usage("no frame given");
    if (!arguments->pov && !arguments->section)
        program_usage("nothing to do; give --section or --pov");
    if (!arguments->pov && !arguments->thick)
        program_usage("--section needs --thickness");
    if (arguments->pov && (arguments->thick || arguments->initial))
        program_usage("--thickness and --initial are of no use with --pov");
    if (!arguments->pov && camera)
        program_usage("--camera, --look-at and --angle need --pov");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    if (key == 'o') {
        a->output = text;
    } else if (key == KEY_SECTION) {
        a->section = true;
        read_numbers("section", text, 4, a->plane);
    } else if (key == KEY_THICKNESS) {
        a->thick = true;
        read_positive("thickness", text, (double)INFINITY, &a->thickness);
    } else if (key == KEY_INITIAL) {
        a->initial = text;
    } else if (key == KEY_WAITING) {
        a->waiting = true;
    } else if (key == KEY_POV) {
        a->pov = true;
    } else if (key == KEY_CAMERA) {
        a->camera = true;
        read_numbers("camera", text, 3, a->location);
    } else if (key == KEY_LOOK_AT) {
        a->look_at = true;
        read_numbers("look-at", text, 3, a->target);
    } else if (key == KEY_ANGLE) {
        read_positive("angle", text, 180.0, &a->angle);
    } else if (key == ARGP_KEY_ARG && !a->frame) {
        a->frame = text;
    } else if (key == ARGP_KEY_END) {
        check_arguments(a);
        a->angle = a->angle > 0.0 ? a->angle : 35.0;
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "FRAME",
        "Turns a frame into what is drawn: a cross-section as CSV, or a POV-Ray scene.\v"
        "A section is a table of particles, the farthest first: id; u, v, depth in meters; radius, "
        "body, speed, group, fragment, damage, wrong_side. Within the plane, v points along z "
        "(along y if the plane is horizontal), u along the horizontal direction with a positive x "
        "component (y if there is none), depth away from the eye that sees u to the right and v "
        "upwards.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct error error = {0};
    program_arguments(&argp, argc, argv, &arguments);
    return program_end(prepare(&arguments, &error), &error);
}
