#include "systems/state.h"

#include <string.h>

static void velocities(const struct particles *p, void *value)
{
    memcpy(value, p->velocity, p->n * sizeof *p->velocity);
}

const struct state_field state_warm_start = {
    .name = "warm_start",
    .element = ELEMENT_F64,
    .width = 3,
    .unit = "m/s",
    .sentence = "velocity after the next step, the solver's first guess",
    .form = STATE_KEPT,
    .elsewhere = velocities,
};
