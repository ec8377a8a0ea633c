#include "analysis/picture.h"

#include "analysis/frame_puffs.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Hides the particles of a body; false if there is none of this name. */
static bool hide_body(const struct frame *frame, const char *name, size_t length, uint8_t *hidden)
{
    const struct particles *p = &frame->particles;
    size_t b = 0;
    while (b < frame->n_bodies &&
           (strncmp(frame->body_name[b], name, length) != 0 || frame->body_name[b][length] != '\0'))
        b++;
    for (size_t i = 0; i < p->n; i++)
        hidden[i] |= p->body[i] == b;
    return b < frame->n_bodies;
}

enum status picture_hide_absent(const struct frame *frame, const struct seen *seen,
                                uint8_t **hidden, struct error *error)
{
    const struct particles *p = &frame->particles;
    if (array_create(hidden, p->n, 1, "marks of particles", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        (*hidden)[i] = !particle_is_here(p->state[i]) &&
                       !(seen->prescribed && p->state[i] == PARTICLE_PRESCRIBED);
    for (const char *word = seen->without; word && *word;) {
        const size_t length = strcspn(word, ",");
        if (!hide_body(frame, word, length, *hidden))
            return error_set(error, STATUS_INVALID,
                             "--without: there is no body '%.*s'; name those that the picture "
                             "should not show",
                             (int)length, word);
        word += length + (word[length] == ',');
    }
    return STATUS_OK;
}

struct cut picture_cut(const struct plane *plane)
{
    bool behind = vec3_dot(plane->away, plane->normal) > 0.0;
    return behind ? (struct cut){plane->normal, plane->offset}
                  : (struct cut){vec3_scale(-1.0, plane->normal), -plane->offset};
}

static enum status place_camera(const struct view *view, struct camera *camera, struct error *error)
{
    if (view->location)
        camera->location = *view->location;
    if (view->look_at)
        camera->look_at = *view->look_at;
    bool given = view->location || view->look_at;
    if (!given || vec3_norm(vec3_sub(camera->location, camera->look_at)) > 0.0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "the camera is where it looks, at %g,%g,%g; move --camera or --look-at",
                     camera->location.x, camera->location.y, camera->location.z);
}

enum status picture_camera(const struct picture *picture, struct camera *camera,
                           struct error *error)
{
    uint8_t *hidden;
    const struct view *view = picture->view;
    const struct seen seen = {.prescribed = picture->seen.prescribed}; /* the same without bodies */
    enum status status = picture_hide_absent(view->all, &seen, &hidden, error);
    if (!status)
        *camera = camera_for(&view->all->particles, hidden, view->angle);
    free(hidden);
    return status ? status : place_camera(view, camera, error);
}

/* `hidden` marks the particles that are absent. This adds those in front of the plane and those
 * that surfaces stand for. */
static enum status print_all(FILE *stream, const struct picture *picture,
                             const struct frame_surface *surface, const struct puffs *puffs,
                             const uint8_t *color, uint8_t *hidden, struct error *error)
{
    const struct particles *p = &picture->frame->particles;
    struct camera camera;
    enum status status = picture->view ? picture_camera(picture, &camera, error) : STATUS_OK;
    if (status)
        return status;
    for (size_t i = 0; i < p->n; i++)
        hidden[i] |= (picture->plane && plane_depth(picture->plane, p->position[i]) < 0.0) ||
                     (surface->chosen && surface->chosen[p->body[i]]);
    if (picture->view)
        pov_print_scene(stream, p, color, hidden, &camera);
    else
        pov_print_spheres(stream, p, color, hidden);
    pov_print_smoke(stream, puffs);
    if (picture->view && picture->view->ground)
        pov_print_ground(stream, *picture->view->ground);
    struct cut cut = picture->plane ? picture_cut(picture->plane) : (struct cut){0};
    frame_surface_print_pov(stream, surface, picture->plane ? &cut : NULL);
    return STATUS_OK;
}

static enum status find_surface(const struct picture *picture, const uint8_t *hidden,
                                struct frame_surface *surface, struct error *error)
{
    if (!picture->surface)
        return STATUS_OK;
    struct surface_setting setting = *picture->surface;
    setting.path = picture->path;
    setting.hidden = hidden;
    return frame_surface_create(surface, &setting, picture->frame, error);
}

enum status picture_print(FILE *stream, const struct picture *picture, struct error *error)
{
    uint8_t *hidden = NULL, *color = NULL;
    struct frame_surface surface = {0};
    struct puffs puffs = {0};
    const struct frame *frame = picture->frame;
    enum status status = picture_hide_absent(frame, &picture->seen, &hidden, error);
    if (!status)
        status = array_create(&color, frame->particles.n, 1, "colors of particles", error);
    if (!status)
        status = frame_colors(frame, picture->path, picture->coloring, color, error);
    if (!status)
        status = find_surface(picture, hidden, &surface, error);
    if (!status)
        status = frame_puffs_create(&puffs, frame, picture->path, picture->plane, error);
    if (!status)
        status = print_all(stream, picture, &surface, &puffs, color, hidden, error);
    frame_puffs_free(&puffs);
    frame_surface_free(&surface);
    free(color);
    free(hidden);
    return status;
}
