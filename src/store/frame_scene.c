#include "store/frame_scene.h"

#include "base/memory.h"
#include "config/config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The names are one block of memory: first the pointers, then the texts. */
enum status frame_name_bodies(struct frame *frame, const struct scene *scene, struct error *error)
{
    char **name;
    size_t n = scene->n_bodies, length = n * sizeof *name;
    for (size_t b = 0; b < n; b++)
        length += strlen(scene->body[b].name) + 1;
    if (array_create(&name, length, 1, "the names of bodies", error))
        return STATUS_FAILED;
    char *text = (char *)(name + n);
    for (size_t b = 0; b < n; b++) {
        size_t size = strlen(scene->body[b].name) + 1;
        name[b] = memcpy(text, scene->body[b].name, size);
        text += size;
    }
    free(frame->body_name);
    frame->body_name = name;
    frame->n_bodies = n;
    return STATUS_OK;
}

static enum status check_particle(const struct frame *frame, size_t i, const struct body *body,
                                  const char *path, struct error *error)
{
    double radius = frame->particles.radius[i], mass = frame->particles.mass[i];
    const uint32_t *of = frame->particles.body;
    if (i > 0 && of[i] < of[i - 1])
        return error_set(error, STATUS_INVALID,
                         "%s: particle %zu is of body %u, the one before it of body %u; particles "
                         "should be in the order of bodies",
                         path, i, of[i], of[i - 1]);
    if (radius != body->radius)
        return error_set(error, STATUS_INVALID,
                         "%s: radius of particle %zu is %g m; body '%s' has particles of %g m",
                         path, i, radius, body->name, body->radius);
    if (mass != body->particle_mass)
        return error_set(error, STATUS_INVALID,
                         "%s: mass of particle %zu is %g kg; body '%s' has particles of %g kg",
                         path, i, mass, body->name, body->particle_mass);
    return STATUS_OK;
}

enum status frame_fits_scene(const struct frame *frame, const struct scene *scene, const char *path,
                             struct error *error)
{
    enum status status = STATUS_OK;
    if (frame->n_bodies != scene->n_bodies)
        return error_set(error, STATUS_INVALID, "%s: has %zu bodies, its configuration %zu", path,
                         frame->n_bodies, scene->n_bodies);
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (strcmp(frame->body_name[b], scene->body[b].name) != 0)
            return error_set(error, STATUS_INVALID,
                             "%s: body %zu is '%.100s'; its configuration calls it '%.100s'", path,
                             b, frame->body_name[b], scene->body[b].name);
    for (size_t i = 0; i < frame->particles.n && !status; i++)
        status = check_particle(frame, i, &scene->body[frame->particles.body[i]], path, error);
    return status;
}

/* What particles weigh whose mass is that of their shape, whose volume only sampling knows. */
static void take_masses(const struct frame *frame, struct scene *scene)
{
    const struct particles *p = &frame->particles;
    for (size_t i = 0; i < p->n; i++) {
        bool first = i == 0 || p->body[i] != p->body[i - 1];
        if (first && p->body[i] < scene->n_bodies &&
            scene->body[p->body[i]].mass_from == MASS_FROM_VOLUME)
            scene->body[p->body[i]].particle_mass = p->mass[i];
    }
}

enum status frame_scene(const struct frame *frame, const char *path, struct scene *scene,
                        struct error *error)
{
    struct config *config = NULL;
    struct complaints complaints = {0};
    *scene = (struct scene){0};
    if (!frame->config)
        return error_set(error, STATUS_INVALID, "%s: has no configuration; make one with ms-sample",
                         path);
    enum status status = config_parse(&config, path, frame->config, &complaints, error);
    if (!status)
        status = config_scene(config, scene, error);
    if (status == STATUS_INVALID && complaints.n > 0)
        error_set(error, STATUS_INVALID, "%s", complaints.line[0]);
    complaints_free(&complaints);
    config_free(config);
    if (!status)
        take_masses(frame, scene);
    if (!status)
        status = frame_fits_scene(frame, scene, path, error);
    if (status)
        scene_free(scene);
    return status;
}

/* The first particle that is of other bodies in two sets; the smaller number of particles if there
 * is none. */
static size_t first_other(const struct particles *a, const struct particles *b)
{
    size_t i = 0;
    while (i < a->n && i < b->n && a->body[i] == b->body[i])
        i++;
    return i;
}

bool frame_same_origin(const struct frame *a, const struct frame *b)
{
    if (!a->origin || !b->origin)
        return !a->origin && !b->origin;
    return strcmp(a->origin, b->origin) == 0;
}

enum status frame_check_initial(const struct frame *frame, const char *path,
                                const struct frame *initial, const char *initial_path,
                                struct error *error)
{
    const struct particles *now = &frame->particles, *was = &initial->particles;
    const char *own = path, *other = initial_path;
    struct config_difference difference;
    if (!initial->rest_position || !frame->config || !initial->config)
        return error_set(error, STATUS_INVALID,
                         "%s: not an initial frame; give the one that the run of %s began with",
                         other, own);
    if (config_difference(initial->config, frame->config, &difference))
        return error_set(error, STATUS_INVALID,
                         "%s is not the initial frame of %s, in whose run %s is %s instead of %s; "
                         "give the one that it began with",
                         other, own, difference.key, difference.b, difference.a);
    if (!frame_same_origin(frame, initial))
        return error_set(error, STATUS_INVALID,
                         "%s is not the initial frame of %s, whose run went on from another frame; "
                         "give the one that it began with",
                         other, own);
    if (now->n != was->n)
        return error_set(error, STATUS_INVALID,
                         "%s is not the initial frame of %s, which has %zu particles instead of "
                         "%zu; give the one that its run began with",
                         other, own, now->n, was->n);
    size_t i = first_other(now, was);
    if (i < now->n)
        return error_set(error, STATUS_INVALID,
                         "%s is not the initial frame of %s, whose particle %zu is of body %u "
                         "instead of %u; give the one that its run began with",
                         other, own, i, now->body[i], was->body[i]);
    return STATUS_OK;
}
