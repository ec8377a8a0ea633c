#include "step/waves.h"

#include "base/memory.h"

#include <stdlib.h>

/* Sum of the positions of a body's particles, and their number. */
struct middle {
    struct vec3 sum;
    double n;
};

static enum status measure_sizes(struct waves *w, const struct scene *scene,
                                 const struct particles *p, const struct vec3 *rest,
                                 struct error *error)
{
    struct middle *middle;
    if (array_create(&middle, w->n_bodies, sizeof *middle, "bodies", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        middle[p->body[i]].sum = vec3_add(middle[p->body[i]].sum, rest[i]);
        middle[p->body[i]].n += 1.0;
    }
    for (size_t i = 0; i < p->n; i++) {
        struct body_wave *b = &w->body[p->body[i]];
        struct middle *m = &middle[p->body[i]];
        struct vec3 arm = vec3_axpy(rest[i], -1.0 / m->n, m->sum);
        b->size = fmax(b->size, 2.0 * (vec3_norm(arm) + p->radius[i]));
        b->radius = p->radius[i];
        b->moves |= p->state[i] != PARTICLE_FIXED && !scene->body[p->body[i]].inlet.given;
    }
    free(middle);
    return STATUS_OK;
}

static enum status find_speeds(struct waves *w, const struct particles *p, const struct vec3 *rest,
                               size_t n_systems, struct system *const *system, struct error *error)
{
    double *speed;
    enum status status = STATUS_OK;
    if (array_create(&speed, w->n_bodies, sizeof *speed, "bodies", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n_systems && !status; k++)
        if (system[k]->class->wave_speeds)
            status = system[k]->class->wave_speeds(system[k], p, rest, w->n_bodies, speed, error);
    for (size_t b = 0; b < w->n_bodies; b++)
        w->body[b].speed = speed[b];
    free(speed);
    return status;
}

static void find_times(struct waves *w)
{
    w->particle = w->shortest = (double)INFINITY;
    for (size_t k = 0; k < w->n_bodies; k++) {
        struct body_wave *b = &w->body[k];
        bool waves = b->speed > 0.0;
        b->particle = waves ? 2.0 * b->radius / b->speed : (double)INFINITY;
        b->body = waves ? b->size / b->speed : (double)INFINITY;
        if (!b->moves)
            continue;
        w->size = fmax(w->size, b->size);
        w->particle = fmin(w->particle, b->particle);
        w->shortest = fmin(w->shortest, b->body);
        if (waves)
            w->longest = fmax(w->longest, b->body);
    }
}

enum status waves_create(struct waves *w, const struct scene *scene, const struct particles *p,
                         const struct vec3 *rest, size_t n_systems, struct system *const *system,
                         struct error *error)
{
    *w = (struct waves){.n_bodies = scene->n_bodies};
    if (array_create(&w->body, w->n_bodies, sizeof *w->body, "bodies", error))
        return STATUS_FAILED;
    enum status status = measure_sizes(w, scene, p, rest, error);
    if (!status)
        status = find_speeds(w, p, rest, n_systems, system, error);
    if (!status)
        find_times(w);
    return status;
}

void waves_free(struct waves *w)
{
    free(w->body);
    *w = (struct waves){0};
}
