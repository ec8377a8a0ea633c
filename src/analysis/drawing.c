/* Chooses the drawing that a request asks for, and prints it with the request's settings. */
#include "analysis/drawing.h"
#include "analysis/frame_preview.h"
#include "analysis/frame_skin.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct vec3 vector(const double value[3])
{
    return vec3(value[0], value[1], value[2]);
}

static enum status print_section(const struct drawing_request *request, const struct frame *frame,
                                 const struct frame *initial, const struct plane *plane,
                                 FILE *stream, struct error *error)
{
    struct section section;
    uint8_t *hidden = NULL;
    enum status status = picture_hide_absent(frame, &request->seen, &hidden, error);
    const struct vec3 *position =
        request->undeformed ? initial->particles.position : frame->particles.position;
    if (!status)
        status = section_create(position, frame->particles.n, hidden, plane, request->thickness,
                                &section, error);
    free(hidden);
    if (status)
        return status;
    section_print(stream, &section, frame, initial);
    section_free(&section);
    if (request->undeformed)
        return STATUS_OK;
    return section_print_diffuse(stream, frame, request->frame, plane, request->thickness,
                                 initial != NULL, error);
}

static struct surface_setting surface_setting(const struct drawing_request *request)
{
    return (struct surface_setting){
        .path = request->frame,
        .bodies = request->surface,
        .options = {request->spacing, request->kernel, (unsigned)request->passes}};
}

static enum status print_picture(const struct drawing_request *request, const struct frame *frame,
                                 const struct frame *initial, const struct plane *plane,
                                 FILE *stream, struct error *error)
{
    struct vec3 location = vector(request->location), target = vector(request->target);
    struct surface_setting surface = surface_setting(request);
    struct view view = {.all = initial ? initial : frame,
                        .location = request->camera ? &location : NULL,
                        .look_at = request->look_at ? &target : NULL,
                        .angle = request->angle,
                        .ground = request->grounded ? &request->ground : NULL};
    struct picture picture = {.path = request->frame,
                              .frame = frame,
                              .seen = request->seen,
                              .coloring = request->coloring,
                              .plane = request->section ? plane : NULL,
                              .surface = request->surface ? &surface : NULL,
                              .view = request->pov ? &view : NULL};
    return picture_print(stream, &picture, error);
}

static enum status print_surface(const struct drawing_request *request, const struct frame *frame,
                                 const struct plane *plane, FILE *stream, struct error *error)
{
    struct frame_surface surface = {0};
    struct surface_setting setting = surface_setting(request);
    uint8_t *hidden = NULL;
    enum status status = picture_hide_absent(frame, &request->seen, &hidden, error);
    setting.hidden = hidden;
    if (!status)
        status = frame_surface_create(&surface, &setting, frame, error);
    struct cut cut = request->section ? picture_cut(plane) : (struct cut){0};
    if (!status && request->format == MESH_POV)
        frame_surface_print_pov(stream, &surface, request->section ? &cut : NULL);
    else if (!status)
        status = frame_surface_print(stream, &surface, (enum mesh_format)request->format, error);
    frame_surface_free(&surface);
    free(hidden);
    return status;
}

/* If the request has a plane, what is in front of it is cut away. */
static enum status print_skin(const struct drawing_request *request, const struct frame *frame,
                              const struct frame *initial, const struct plane *plane, FILE *stream,
                              struct error *error)
{
    struct frame_skin skin;
    uint8_t *hidden = NULL;
    const struct particles *p = &frame->particles;
    initial = initial ? initial : frame;
    if (!initial->rest_position)
        return error_set(error, STATUS_INVALID,
                         "%s: holds no unstressed positions; --skin needs --initial with the "
                         "initial frame of the run",
                         request->initial ? request->initial : request->frame);
    if (array_create(&hidden, p->n, 1, "marks of particles", error))
        return STATUS_FAILED;
    for (size_t i = 0; request->section && i < p->n; i++)
        hidden[i] = plane_depth(plane, p->position[i]) < 0.0;
    const struct skin_setting setting = {
        .path = request->frame,
        .bodies = request->skin,
        .embedded = request->embedded,
        .follow = (enum mesh_follow)request->follow,
        .thickness = request->thickness,
        .hidden = hidden,
        .lone_apart = request->format == MESH_POV,
    };
    enum status status = frame_skin_create(&skin, &setting, frame, initial, error);
    if (!status)
        status = frame_skin_print(stream, &skin, &setting, frame, (enum mesh_format)request->format,
                                  request->coloring, error);
    frame_skin_free(&skin);
    free(hidden);
    return status;
}

static enum status print_preview(const struct drawing_request *request, const struct frame *frame,
                                 const struct frame *initial, const struct plane *plane,
                                 FILE *stream, struct error *error)
{
    struct vec3 location = vector(request->location), target = vector(request->target);
    size_t length = request->output ? strlen(request->output) : 0;
    bool given = request->size[0] > 0.0;
    struct view view = {.all = initial ? initial : frame,
                        .location = request->camera ? &location : NULL,
                        .look_at = request->look_at ? &target : NULL,
                        .angle = request->angle};
    const struct frame_preview preview = {
        .picture = {.path = request->frame,
                    .frame = frame,
                    .seen = request->seen,
                    .coloring = request->coloring,
                    .plane = request->section ? plane : NULL,
                    .view = &view},
        .width = given ? (size_t)request->size[0] : 800,
        .height = given ? (size_t)request->size[1] : 600,
        .pixmap = length > 4 && strcmp(request->output + length - 4, ".ppm") == 0};
    return frame_preview_print(stream, &preview, error);
}

enum status drawing_print(const struct drawing_request *request, const struct frame *frame,
                          const struct frame *initial, FILE *stream, struct error *error)
{
    struct plane plane = {0};
    enum status status = STATUS_OK;
    if (request->section)
        status = plane_create(vector(request->plane), request->plane[3], &plane, error);
    if (status)
        return error_prefix(error, "--section");
    if (request->preview)
        return print_preview(request, frame, initial, &plane, stream, error);
    if (request->pov || request->spheres)
        return print_picture(request, frame, initial, &plane, stream, error);
    if (request->surface)
        return print_surface(request, frame, &plane, stream, error);
    if (request->skin)
        return print_skin(request, frame, initial, &plane, stream, error);
    return print_section(request, frame, initial, &plane, stream, error);
}
