#include "particles/particles.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum status particles_create(struct particles *p, size_t n, struct error *error)
{
    *p = (struct particles){.n = n};
    if (array_create(&p->position, n, sizeof *p->position, "positions", error) ||
        array_create(&p->velocity, n, sizeof *p->velocity, "velocities", error) ||
        array_create(&p->force, n, sizeof *p->force, "outside forces", error) ||
        array_create(&p->mass, n, sizeof *p->mass, "masses", error) ||
        array_create(&p->radius, n, sizeof *p->radius, "radii", error) ||
        array_create(&p->body, n, sizeof *p->body, "body indices", error) ||
        array_create(&p->state, n, sizeof *p->state, "particle states", error)) {
        particles_free(p);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

enum status particles_copy(struct particles *to, const struct particles *from, struct error *error)
{
    if (particles_create(to, from->n, error))
        return STATUS_FAILED;
    memcpy(to->position, from->position, from->n * sizeof *to->position);
    memcpy(to->velocity, from->velocity, from->n * sizeof *to->velocity);
    memcpy(to->mass, from->mass, from->n * sizeof *to->mass);
    memcpy(to->radius, from->radius, from->n * sizeof *to->radius);
    memcpy(to->body, from->body, from->n * sizeof *to->body);
    memcpy(to->state, from->state, from->n * sizeof *to->state);
    return STATUS_OK;
}

void particles_free(struct particles *p)
{
    free(p->position);
    free(p->velocity);
    free(p->force);
    free(p->reaction);
    free(p->mass);
    free(p->radius);
    free(p->body);
    free(p->state);
    *p = (struct particles){0};
}
