#include "particles/particles.h"

#include "base/memory.h"

#include <stdlib.h>

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
