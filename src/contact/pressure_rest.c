#include "contact/pressure_rest.h"

#include "base/memory.h"

#include <stdlib.h>

/* Particles of all bodies at rest, each body out of reach of the others. */
static enum status place_at_rest(struct particles *at_rest, const struct method_setting *setting,
                                 double reach, struct error *error)
{
    const struct particles *p = setting->particles;
    double before = 0.0; /* the largest x so far, m */
    if (particles_create(at_rest, p->n, error))
        return STATUS_FAILED;
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (end = begin; end < p->n && p->body[end] == p->body[begin]; end++) {
            least = fmin(least, setting->rest[end].x);
            most = fmax(most, setting->rest[end].x);
        }
        struct vec3 shift = vec3(before + 2.0 * reach - least, 0.0, 0.0);
        for (size_t i = begin; i < end; i++)
            at_rest->position[i] = vec3_add(setting->rest[i], shift);
        before += 2.0 * reach + most - least;
    }
    return STATUS_OK;
}

static enum status add_to_limits(struct pressure *pressure, const struct particles *at_rest,
                                 const bool *is_solid, struct pressure *alone, float *room,
                                 struct error *error)
{
    if (pressure_find(alone, at_rest, (double)INFINITY, error) ||
        pressure_find_room(alone, room, error))
        return STATUS_FAILED;
    for (size_t s = 0; s < alone->neighbors.grid.n; s++) {
        uint32_t i = alone->neighbors.grid.point[s];
        if (is_solid[i])
            pressure->limit[i] += fmaxf(alone->compression[s] + room[i], 0.0f);
    }
    return STATUS_OK;
}

enum status pressure_limit_solids(struct pressure *pressure, const struct method_setting *setting,
                                  const bool *is_solid, struct error *error)
{
    struct particles at_rest = {0};
    struct pressure alone;
    float *room = NULL;
    if (pressure_create(&alone, &pressure->settings, NULL, 0, pressure->n, error))
        return STATUS_FAILED;
    enum status status = array_create(&room, pressure->n, sizeof *room, "limits of solids", error);
    if (!status)
        status = place_at_rest(&at_rest, setting, alone.support, error);
    if (!status)
        status = add_to_limits(pressure, &at_rest, is_solid, &alone, room, error);
    free(room);
    pressure_free(&alone);
    particles_free(&at_rest);
    return status;
}
