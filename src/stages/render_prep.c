/* ms-render-prep: turns a frame into data for drawing. */
#include "analysis/drawing.h"
#include "base/atomic_file.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/words.h"
#include "config/config.h"
#include "store/frame_scene.h"
#include "surface/embedded_mesh.h"
#include "surface/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum key {
    KEY_SECTION = 256,
    KEY_THICKNESS,
    KEY_INITIAL,
    KEY_UNDEFORMED,
    KEY_POV,
    KEY_SPHERES,
    KEY_COLOR,
    KEY_CAMERA,
    KEY_LOOK_AT,
    KEY_ANGLE,
    KEY_PRESCRIBED,
    KEY_WITHOUT,
    KEY_SKIN,
    KEY_FORMAT,
    KEY_EMBED,
    KEY_FOLLOW,
    KEY_SURFACE,
    KEY_SPACING,
    KEY_SMOOTH,
    KEY_GROUND,
    KEY_PREVIEW,
    KEY_SIZE,
    KEY_KERNEL
};

static enum status print_to_file(const struct drawing_request *arguments, const struct frame *frame,
                                 const struct frame *initial, struct error *error)
{
    struct atomic_file file;
    if (!arguments->output)
        return drawing_print(arguments, frame, initial, stdout, error);
    if (atomic_file_open(&file, arguments->output, error))
        return STATUS_FAILED;
    enum status status = drawing_print(arguments, frame, initial, file.stream, error);
    if (status == STATUS_OK)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return status;
}

static enum status spare_inputs(const struct drawing_request *arguments, struct error *error)
{
    struct inputs inputs = {0};
    enum status status = inputs_add(&inputs, arguments->frame, error);
    if (!status && arguments->initial)
        status = inputs_add(&inputs, arguments->initial, error);
    if (!status && arguments->embedded)
        status = inputs_add(&inputs, arguments->embedded, error);
    if (!status)
        status = inputs_spare_standard_output(&inputs, error);
    if (!status && arguments->output)
        status = inputs_spare(&inputs, arguments->output, error);
    inputs_free(&inputs);
    return status;
}

static enum status prepare(const struct drawing_request *arguments, struct error *error)
{
    struct frame frame = {0}, initial = {0};
    enum status status = spare_inputs(arguments, error);
    if (!status)
        status = frame_read(arguments->frame, &frame, error);
    if (status)
        return status;
    if (arguments->initial)
        status = frame_read(arguments->initial, &initial, error);
    if (status == STATUS_OK && arguments->initial)
        status = frame_check_initial(&frame, arguments->frame, &initial, arguments->initial, error);
    if (status == STATUS_OK)
        status = print_to_file(arguments, &frame, arguments->initial ? &initial : NULL, error);
    frame_free(&initial);
    frame_free(&frame);
    return status;
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write there instead of to standard output", 0},
    {"section", KEY_SECTION, "NX,NY,NZ,OFFSET", 0,
     "The plane at OFFSET meters along the normal; of anything but a table, what is in front of it "
     "is cut away",
     1},
    {"thickness", KEY_THICKNESS, "METERS", 0,
     "Take particles with their center at most half of this from the plane; with --skin, make "
     "cloths "
     "as thick as this, and their surfaces closed",
     1},
    {"prescribed", KEY_PRESCRIBED, NULL, 0, "Show the fluid upstream of inlets, too", 1},
    {"without", KEY_WITHOUT, "BODY,...", 0,
     "Show all but these bodies, such as the gas that hides its smoke", 1},
    {"initial", KEY_INITIAL, "FILE", 0,
     "The run's initial frame: adds each particle's displacement since then; --skin needs it; with "
     "--pov, the camera is where it sees all of that frame, and so does not move from frame to "
     "frame",
     1},
    {"undeformed", KEY_UNDEFORMED, NULL, 0,
     "Take and place particles where they were in the initial frame: a map of a body's face", 1},
    {"pov", KEY_POV, NULL, 0, "Write a POV-Ray scene instead of a table", 2},
    {"spheres", KEY_SPHERES, NULL, 0,
     "Write the particles alone, for a POV-Ray scene of your own to include", 2},
    {"skin", KEY_SKIN, "BODY,...", 0,
     "Write the surfaces of these solids and cloths, with both sides of their cracks, or with all "
     "of those that have one: fluids and loose particles have none",
     2},
    {"surface", KEY_SURFACE, "FLUID,...", 0,
     "Write the closed surfaces of these fluids, or of all; with --pov or --spheres, draw them so "
     "instead of as spheres. FLUID: a body, or a model for all bodies of it; those of one material "
     "have one surface",
     2},
    {"spacing", KEY_SPACING, "RADII", 0,
     "Of the lattice on which --surface is found, in the largest radius of particles; default 1; "
     "1.5 has half the triangles",
     2},
    {"kernel", KEY_KERNEL, "KERNEL", 0,
     "Of --surface: isotropic (the default; flat where a fluid rests), or anisotropic (sharper "
     "edges)",
     2},
    {"smooth", KEY_SMOOTH, "N", 0,
     "Smooth the surface of fluids N times, by at most half a radius, and keep its volume; default "
     "10",
     2},
    {"ground", KEY_GROUND, "METERS", 0, "Draw the ground at this height, with shadows; needs --pov",
     2},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "Of a surface: ply (the default), obj, stl, vtk, or pov, for a scene to include", 2},
    {"embed", KEY_EMBED, "FILE", 0,
     "Write this mesh instead, as it follows the one body of --skin: in the body's frame, or a "
     "file "
     "as the body's own",
     2},
    {"follow", KEY_FOLLOW, "HOW", 0,
     "How the mesh of --embed follows: least-squares (the default; an affine map fitted to the "
     "particles around each vertex, which stood on a lattice), or kernel (the deformation "
     "gradients of "
     "particles within two spacings of each vertex, weighted; also of relaxed bodies)",
     2},
    {"preview", KEY_PREVIEW, NULL, 0,
     "Write a quick picture of the particles, as PNG, or as PPM into a FILE whose name ends so; "
     "with --initial, its camera is the same for all frames of the run",
     2},
    {"size", KEY_SIZE, "WIDTH,HEIGHT", 0, "Of the preview, pixels; default 800,600", 2},
    {"color", KEY_COLOR, "BY", 0,
     "Color by body (the default), fragment or damage; the last two need bodies that can break", 2},
    {"camera", KEY_CAMERA, "X,Y,Z", 0, "Where the camera is, m; default: so that all is seen", 2},
    {"look-at", KEY_LOOK_AT, "X,Y,Z", 0, "Where it looks, m; default: the middle of all", 2},
    {"angle", KEY_ANGLE, "DEGREES", 0, "Its angle of view; default 35", 2},
    {0}};

static void check_skin(const struct drawing_request *arguments)
{
    if (!arguments->skin && arguments->embedded)
        program_usage("--embed needs --skin");
    if (!arguments->embedded && arguments->follow >= 0)
        program_usage("--follow needs --embed");
    if (!arguments->skin)
        return;
    if (arguments->pov || arguments->spheres || arguments->surface)
        program_usage("--pov, --spheres, --surface and --skin are outputs; give one");
    if (arguments->undeformed || arguments->seen.prescribed || arguments->seen.without)
        program_usage("--undeformed, --prescribed and --without are of no use with --skin");
    if (arguments->colored && arguments->format != MESH_POV)
        program_usage("--color needs --format pov with --skin; other formats have all of body, "
                      "fragment and damage");
    if (arguments->embedded && (arguments->section || arguments->thick))
        program_usage("--section and --thickness are of no use with --embed");
}

static void check_surface(const struct drawing_request *arguments)
{
    bool drawn = arguments->pov || arguments->spheres;
    if (arguments->format >= 0 && !arguments->skin && (!arguments->surface || drawn))
        program_usage("--format needs --skin, or --surface without --pov and --spheres");
    if (!arguments->surface && (arguments->spaced || arguments->smooth || arguments->kerneled))
        program_usage("--spacing, --smooth and --kernel need --surface");
    if (!arguments->surface || drawn)
        return;
    if (arguments->section && arguments->format != MESH_POV)
        program_usage("--section needs --format pov with --surface, whose surfaces are closed");
    if (arguments->thick || arguments->initial || arguments->undeformed || arguments->colored)
        program_usage("--thickness, --initial, --undeformed and --color are of no use with "
                      "--surface");
}

static void check_preview(const struct drawing_request *arguments)
{
    if (arguments->pov || arguments->spheres || arguments->skin || arguments->surface)
        program_usage("--pov, --spheres, --skin, --surface and --preview are outputs; give one");
    if (arguments->thick || arguments->undeformed || arguments->embedded ||
        arguments->format >= 0 || arguments->grounded || arguments->spaced || arguments->smooth)
        program_usage("--thickness, --undeformed, --embed, --format, --spacing, --smooth and "
                      "--ground are of no use with --preview");
}

static void check_arguments(const struct drawing_request *arguments)
{
    bool camera = arguments->camera || arguments->look_at || arguments->angle > 0.0;
    bool particles = arguments->pov || arguments->spheres;
    bool scene = particles || arguments->skin || arguments->surface;
    if (!arguments->frame)
        program_usage("no frame given");
    if (arguments->preview) {
        check_preview(arguments);
        return;
    }
    if (arguments->size[0] > 0.0)
        program_usage("--size needs --preview");
    if (!scene && !arguments->section)
        program_usage("nothing to do; give --section, --pov, --spheres, --skin, --surface or "
                      "--preview");
    if (arguments->pov && arguments->spheres)
        program_usage("--pov and --spheres are two outputs; give one");
    check_skin(arguments);
    check_surface(arguments);
    if (!scene && !arguments->thick)
        program_usage("--section needs --thickness");
    if (particles && (arguments->thick || arguments->undeformed))
        program_usage("--thickness and --undeformed are of no use with --%s",
                      arguments->pov ? "pov" : "spheres");
    if (arguments->spheres && arguments->initial)
        program_usage("--initial is of no use with --spheres");
    if (!arguments->pov && (camera || arguments->grounded))
        program_usage(
            "--camera, --look-at and --angle need --pov or --preview, and --ground needs --pov");
    if (!scene && arguments->colored)
        program_usage("--color needs --pov, --spheres, --skin or --preview");
    if (arguments->undeformed && !arguments->initial)
        program_usage("--undeformed needs --initial");
}

static int read_format(const char *text)
{
    int format = word_position(MESH_FORMAT_WORDS, text);
    if (format < 0)
        program_usage("--format: '%s' is no format; there are ply, obj, stl, vtk and pov", text);
    return format;
}

static int read_follow(const char *text)
{
    int follow = word_position(MESH_FOLLOW_WORDS, text);
    if (follow < 0)
        program_usage("--follow: '%s' is no way to follow; there are least-squares and kernel",
                      text);
    return follow;
}

static enum coloring read_coloring(const char *text)
{
    static const char *const names[] = {"body", "fragment", "damage"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(text, names[k]) == 0)
            return (enum coloring)k;
    program_usage("--color: '%s' is no coloring; there are body, fragment and damage", text);
}

static void read_size(const char *text, double size[2])
{
    program_numbers("size", text, 2, size);
    for (int k = 0; k < 2; k++)
        if (!(size[k] >= 1.0 && size[k] <= PIXELS_SIDE_MAX) || size[k] != floor(size[k]))
            program_usage("--size: %g is no number of pixels; give whole numbers from 1 to %d",
                          size[k], PIXELS_SIDE_MAX);
}

static void read_passes(struct drawing_request *a, const char *text)
{
    a->smooth = true;
    program_numbers("smooth", text, 1, &a->passes);
    if (!(a->passes >= 0.0 && a->passes <= 1000.0 && a->passes == floor(a->passes)))
        program_usage("--smooth: %s is out of range; give a whole number from 0 to 1000", text);
}

static void read_kernel(struct drawing_request *a, const char *text)
{
    int kernel = word_position(FLUID_KERNEL_WORDS, text);
    if (kernel < 0)
        program_usage("--kernel: '%s' is no kernel; there are isotropic and anisotropic", text);
    a->kerneled = true;
    a->kernel = (enum fluid_kernel)kernel;
}

/* Options that choose particles; false if `key` is none of them. */
static bool parse_choice(struct drawing_request *a, int key, char *text)
{
    if (key == KEY_SECTION) {
        a->section = true;
        program_numbers("section", text, 4, a->plane);
    } else if (key == KEY_THICKNESS) {
        a->thick = true;
        program_positive("thickness", text, (double)INFINITY, &a->thickness);
    } else if (key == KEY_INITIAL) {
        a->initial = text;
    } else if (key == KEY_PRESCRIBED) {
        a->seen.prescribed = true;
    } else if (key == KEY_WITHOUT) {
        a->seen.without = text;
    } else if (key == KEY_UNDEFORMED) {
        a->undeformed = true;
    } else {
        return false;
    }
    return true;
}

static bool parse_mesh(struct drawing_request *a, int key, char *text)
{
    if (key == KEY_PREVIEW) {
        a->preview = true;
    } else if (key == KEY_SIZE) {
        read_size(text, a->size);
    } else if (key == KEY_SKIN) {
        a->skin = text;
    } else if (key == KEY_FORMAT) {
        a->format = read_format(text);
    } else if (key == KEY_EMBED) {
        a->embedded = text;
    } else if (key == KEY_FOLLOW) {
        a->follow = read_follow(text);
    } else if (key == KEY_SURFACE) {
        a->surface = text;
    } else if (key == KEY_SPACING) {
        a->spaced = true;
        program_positive("spacing", text, (double)INFINITY, &a->spacing);
    } else if (key == KEY_SMOOTH) {
        read_passes(a, text);
    } else if (key == KEY_KERNEL) {
        read_kernel(a, text);
    } else {
        return false;
    }
    return true;
}

static bool parse_scene(struct drawing_request *a, int key, char *text)
{
    if (key == KEY_POV) {
        a->pov = true;
    } else if (key == KEY_SPHERES) {
        a->spheres = true;
    } else if (key == KEY_COLOR) {
        a->colored = true;
        a->coloring = read_coloring(text);
    } else if (key == KEY_CAMERA) {
        a->camera = true;
        program_numbers("camera", text, 3, a->location);
    } else if (key == KEY_LOOK_AT) {
        a->look_at = true;
        program_numbers("look-at", text, 3, a->target);
    } else if (key == KEY_ANGLE) {
        program_positive("angle", text, 180.0, &a->angle);
    } else if (key == KEY_GROUND) {
        a->grounded = true;
        program_numbers("ground", text, 1, &a->ground);
    } else {
        return false;
    }
    return true;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct drawing_request *a = state->input;
    if (parse_choice(a, key, text) || parse_mesh(a, key, text) || parse_scene(a, key, text))
        return 0;
    if (key == 'o') {
        a->output = text;
    } else if (key == ARGP_KEY_ARG && !a->frame) {
        a->frame = text;
    } else if (key == ARGP_KEY_END) {
        check_arguments(a);
        a->angle = a->angle > 0.0 ? a->angle : 35.0;
        a->format = a->format < 0 ? MESH_PLY : a->format;
        a->follow = a->follow < 0 ? FOLLOW_LEAST_SQUARES : a->follow;
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
        "Turns a frame into data for drawing: a cross-section as CSV, or text for POV-Ray.\v"
        "A section is a table of particles, the farthest first: id; u, v, depth in meters; radius, "
        "body, speed, group, fragment, damage, penetrated. Within the plane, v points along z "
        "(along y if the plane is horizontal), u along the horizontal direction with a positive x "
        "component (y if there is none), depth away from the eye that sees u to the right and v "
        "upwards.\n\nBy fragment, the largest fragment of each body has a calm color, debris is "
        "grey, a chunk keeps its color from frame to frame, and bodies that cannot break have "
        "the color of --color=body. By damage, matplotlib's magma_r runs from no bond broken to "
        "all, and bodies that cannot break are calm. Fluids are blue in all.\n\nSurfaces are "
        "closed (cloths with a --thickness), each "
        "fragment's "
        "its own; those of solids carry body, fragment and damage as numbers of vertices where the "
        "format has room for them. For POV-Ray, particles without a whole bond are spheres.",
        NULL,
        NULL,
        NULL};
    struct drawing_request arguments = {.format = -1, .follow = -1, .passes = 10.0};
    struct error error = {0};
    program_arguments(&argp, argc, argv, &arguments);
    return program_end(prepare(&arguments, &error), &error);
}
