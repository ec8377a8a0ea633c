/* Checks that end a run which has gone wrong. */
#include "step/simulation_parts.h"

#include <stdbool.h>

/* Refuses a step so short that it is lost in rounding when added to the time: the run would never
 * end. */
enum status check_progress(const struct simulation *s, double dt, struct error *error)
{
    if (s->time + dt > s->time)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the time step has shrunk to %g s and time stands still; particles are too "
                     "fast for their radius",
                     dt);
}

static bool state_finite(const struct particles *p, size_t i)
{
    return vec3_finite(p->velocity[i]) && vec3_finite(p->position[i]);
}

enum status complain_of_not_finite(const struct simulation *s, struct error *error)
{
    const struct particles *p = &s->particles;
    for (size_t i = 0; i < p->n; i++)
        if (!state_finite(p, i))
            return error_set(error, STATUS_FAILED,
                             "particle %zu of body \"%s\" has a position or velocity that is not "
                             "finite",
                             i, s->scene->body[p->body[i]].name);
    return STATUS_OK;
}
