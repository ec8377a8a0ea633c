#include "step/guided.h"

#include "base/memory.h"
#include "shape/prescribed.h"

#include <stdlib.h>

/* The index of the motion that moves particle i; the number of motions if none does. */
static size_t motion_of(const struct prescribed_regions *regions, const struct particles *p,
                        const struct vec3 *rest, size_t i)
{
    size_t m = 0, n = regions->scene->n_prescribed;
    if (p->state[i] != PARTICLE_FIXED)
        return n;
    while (m < n && !prescribed_moves(regions, m, p->body[i], rest[i], true))
        m++;
    return m;
}

static void add(struct guided *guided, const struct scene *scene, const struct particles *p,
                const struct vec3 *rest, size_t i, size_t motion)
{
    const struct body *body = &scene->body[p->body[i]];
    guided->particle[guided->n] = (uint32_t)i;
    guided->motion[guided->n] = (uint32_t)motion;
    guided->start[guided->n++] = vec3_add(body->position, prescribed_offset(body, rest[i]));
}

enum status guided_create(struct guided *guided, const struct scene *scene,
                          const struct particles *p, const struct vec3 *rest, struct error *error)
{
    struct prescribed_regions regions;
    *guided = (struct guided){0};
    if (scene->n_prescribed == 0)
        return STATUS_OK;
    enum status status = prescribed_regions_create(&regions, scene, error);
    if (!status &&
        (array_create(&guided->particle, p->n, sizeof *guided->particle, "motions", error) ||
         array_create(&guided->motion, p->n, sizeof *guided->motion, "motions", error) ||
         array_create(&guided->start, p->n, sizeof *guided->start, "motions", error)))
        status = STATUS_FAILED;
    for (size_t i = 0; i < p->n && !status; i++) {
        size_t m = motion_of(&regions, p, rest, i);
        if (m < scene->n_prescribed)
            add(guided, scene, p, rest, i, m);
    }
    prescribed_regions_free(&regions);
    return status;
}

void guided_free(struct guided *guided)
{
    free(guided->particle);
    free(guided->motion);
    free(guided->start);
    *guided = (struct guided){0};
}

void guided_set_speeds(const struct guided *guided, const struct scene *scene, double time,
                       struct particles *p)
{
    for (size_t k = 0; k < guided->n; k++)
        p->velocity[guided->particle[k]] =
            prescribed_velocity(&scene->prescribed[guided->motion[k]], guided->start[k], time);
}

void guided_lead(const struct guided *guided, const struct scene *scene, double end, double dt,
                 struct particles *p)
{
    for (size_t k = 0; k < guided->n; k++) {
        uint32_t i = guided->particle[k];
        struct vec3 moved =
            prescribed_displacement(&scene->prescribed[guided->motion[k]], guided->start[k], end);
        struct vec3 place = vec3_add(guided->start[k], moved);
        p->velocity[i] = vec3_scale(1.0 / dt, vec3_sub(place, p->position[i]));
    }
}
