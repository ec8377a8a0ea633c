#include "particles/link_bodies.h"

#include "base/memory.h"

#include <stdlib.h>

void link_bodies_release(struct link_bodies *rigid)
{
    free(rigid->body);
    free(rigid->of_end);
    free(rigid->arm);
    *rigid = (struct link_bodies){0};
}

enum status link_bodies_reserve(struct link_bodies *rigid, size_t n, struct error *error)
{
    const size_t from = rigid->capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&rigid->body, from, to, sizeof *rigid->body, "links", error) ||
        array_grow(&rigid->of_end, from, to, sizeof *rigid->of_end, "links", error) ||
        array_grow(&rigid->arm, from, to, sizeof *rigid->arm, "links", error))
        return STATUS_FAILED;
    rigid->capacity = to;
    return STATUS_OK;
}

void link_bodies_find(struct link_bodies *rigid, size_t n, const uint32_t *particle,
                      const uint8_t *state)
{
    rigid->n = 0;
    rigid->particle = particle;
    rigid->state = state;
    for (uint32_t e = 0; rigid->all && e < n; e++) {
        const struct rigid_body *body = rigid_body_of(rigid->all, particle[e]);
        rigid->of_end[e] = LINK_NO_BODY;
        if (!body)
            continue;
        if (rigid->n == 0 || rigid->body[rigid->n - 1].body != body)
            rigid->body[rigid->n++] = (struct link_body){body, e, e};
        rigid->body[rigid->n - 1].end = e + 1;
        rigid->of_end[e] = (uint32_t)(rigid->n - 1);
    }
}

void link_bodies_place(struct link_bodies *rigid, const double *mass, const struct vec3 *x)
{
    rigid->mass = mass;
    rigid->x = x;
    if (!rigid->all)
        return;
    rigid_bodies_place(rigid->all, mass, x);
    for (size_t k = 0; k < rigid->n; k++)
        for (uint32_t e = rigid->body[k].begin; e < rigid->body[k].end; e++)
            rigid->arm[e] = vec3_sub(x[rigid->particle[e]], rigid->body[k].body->center);
}
