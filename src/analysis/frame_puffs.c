#include "analysis/frame_puffs.h"

#include "analysis/frame_diffuse.h"
#include "base/memory.h"
#include "store/frame_scene.h"

#include <stdlib.h>

/* Optical depth of a young puff, and its radius in those of fluids. With four puffs in the volume
 * of a particle of fluid, as in UPP's plumes, smoke of seven spacings lets a third of the light
 * through. */
static const double first_depth = 0.05, first_radius = 2.0;

static double radius_of_puffs(const struct scene *scene)
{
    double largest = 0.0;
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene_body_flows(scene, b))
            largest = fmax(largest, first_radius * scene->body[b].radius);
    return largest;
}

/* Adds a particle, of which a part `age` of its lifetime is over. */
static void add(struct puffs *puffs, struct vec3 position, double radius, double age)
{
    const double wider = 1.0 + age;
    puffs->position[puffs->n] = position;
    puffs->radius[puffs->n] = (float)(wider * radius);
    puffs->depth[puffs->n++] = (float)(first_depth * (1.0 - age) / (wider * wider));
}

static enum status add_all(struct puffs *puffs, const struct frame *frame, const char *path,
                           const struct frame_diffuse *d, const struct plane *plane,
                           struct error *error)
{
    struct scene scene;
    enum status status = frame_scene(frame, path, &scene, error);
    if (status)
        return status;
    const double radius = radius_of_puffs(&scene);
    status = frame_diffuse_check(d, scene.n_diffuse, error);
    for (size_t k = 0; k < d->n && !status; k++)
        if (!plane || plane_depth(plane, d->position[k]) >= 0.0)
            add(puffs, d->position[k], radius,
                fmin((frame->time - d->birth[k]) / scene.diffuse[d->source[k]].lifetime, 1.0));
    scene_free(&scene);
    return status;
}

enum status frame_puffs_create(struct puffs *puffs, const struct frame *frame, const char *path,
                               const struct plane *plane, struct error *error)
{
    struct frame_diffuse d;
    *puffs = (struct puffs){0};
    enum status status = frame_diffuse_find(frame, &d, error);
    if (status)
        return error_prefix(error, "%s", path);
    if (d.n == 0)
        return STATUS_OK;
    if (array_create(&puffs->position, d.n, sizeof *puffs->position, "smoke", error) ||
        array_create(&puffs->radius, d.n, sizeof *puffs->radius, "smoke", error) ||
        array_create(&puffs->depth, d.n, sizeof *puffs->depth, "smoke", error))
        return STATUS_FAILED;
    return add_all(puffs, frame, path, &d, plane, error);
}

void frame_puffs_free(struct puffs *puffs)
{
    free(puffs->position);
    free(puffs->radius);
    free(puffs->depth);
    *puffs = (struct puffs){0};
}
