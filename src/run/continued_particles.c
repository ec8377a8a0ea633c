/* What changes of bodies that stay: which particles are held, their mass, velocity and spin. */
#include "run/continued_parts.h"
#include "sample/sample_hold.h"
#include "shape/prescribed.h"

static void hold_body(const struct hold *was, const struct hold *is, size_t n,
                      const struct vec3 *rest, size_t first, struct particles *p)
{
    for (size_t i = 0; i < n; i++) {
        const bool held = hold_has(is, i, rest[i], rest[i]);
        if (held == hold_has(was, i, rest[i], rest[i]))
            continue;
        p->state[first + i] = held ? PARTICLE_FIXED : PARTICLE_FREE;
        if (held)
            p->velocity[first + i] = vec3(0.0, 0.0, 0.0);
    }
}

/* The end of the particles of the body of particle `first`. */
static size_t end_of_body(const struct particles *p, size_t first)
{
    size_t end = first;
    while (end < p->n && p->body[end] == p->body[first])
        end++;
    return end;
}

/* Holds and releases particles by their unstressed places. */
static enum status hold(struct continued *c, const struct body_map *map,
                        const struct prescribed_regions *was, const struct prescribed_regions *is,
                        struct error *error)
{
    struct particles *p = &c->initial.particles;
    enum status status = STATUS_OK;
    for (size_t first = 0, end; first < p->n && !status; first = end) {
        const size_t b = p->body[first];
        const struct vec3 *rest = c->initial.rest_position + first;
        struct hold before = {0}, now = {0};
        end = end_of_body(p, first);
        if (map->added[b])
            continue;
        status = hold_create(&before, was, map->was[b], end - first, rest, error);
        if (!status)
            status = hold_create(&now, is, b, end - first, rest, error);
        if (!status)
            hold_body(&before, &now, end - first, rest, first, p);
        hold_free(&before);
        hold_free(&now);
    }
    return status;
}

/* Of a body whose mass is that of its volume, which only its first sampling knew, the mass is as
 * many times as large as the density. */
static double mass_of(const struct body *was, const struct body *is, double mass)
{
    if (is->mass_from != MASS_FROM_VOLUME)
        return is->particle_mass;
    return was->density == is->density ? mass : mass * (is->density / was->density);
}

/* Gives the free particles [first, end) of a body the velocity and the spin, about their center of
 * mass, that its configuration has now, of these what changed: the other one goes on as it was. */
static void push_body(const struct body *was, const struct body *is, struct particles *p,
                      size_t first, size_t end)
{
    const bool turned = !vec3_equal(was->spin, is->spin);
    struct vec3 sum = vec3(0.0, 0.0, 0.0), momentum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    for (size_t i = first; i < end; i++) {
        if (p->state[i] != PARTICLE_FREE)
            continue;
        sum = vec3_add(sum, vec3_scale(p->mass[i], p->position[i]));
        momentum = vec3_add(momentum, vec3_scale(p->mass[i], p->velocity[i]));
        mass += p->mass[i];
    }
    const struct vec3 mean = vec3_scale(1.0 / mass, momentum);
    const struct vec3 velocity = vec3_equal(was->velocity, is->velocity) ? mean : is->velocity;
    for (size_t i = first; i < end; i++) {
        if (p->state[i] != PARTICLE_FREE)
            continue;
        const struct vec3 arm = vec3_sub(p->position[i], vec3_scale(1.0 / mass, sum));
        const struct vec3 turning =
            turned ? vec3_cross(is->spin, arm) : vec3_sub(p->velocity[i], mean);
        p->velocity[i] = vec3_add(velocity, turning);
    }
}

static void change_body(const struct body *was, const struct body *is, struct particles *p,
                        size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        p->mass[i] = mass_of(was, is, p->mass[i]);
    if (!vec3_equal(was->velocity, is->velocity) || !vec3_equal(was->spin, is->spin))
        push_body(was, is, p, first, end);
}

enum status continued_change_particles(struct continued *c, const struct body_map *map,
                                       const struct scene *was, const struct scene *is,
                                       struct error *error)
{
    struct particles *p = &c->initial.particles;
    struct prescribed_regions before = {0}, now = {0};
    enum status status = prescribed_regions_create(&before, was, error);
    if (!status)
        status = prescribed_regions_create(&now, is, error);
    if (!status)
        status = hold(c, map, &before, &now, error);
    prescribed_regions_free(&before);
    prescribed_regions_free(&now);
    for (size_t first = 0, end; first < p->n && !status; first = end) {
        const size_t b = p->body[first];
        end = end_of_body(p, first);
        if (!map->added[b])
            change_body(&was->body[map->was[b]], &is->body[b], p, first, end);
    }
    return status;
}
