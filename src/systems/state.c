#include "systems/state.h"

#include <math.h>
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

const struct state_field state_density = {
    .name = "density",
    .element = ELEMENT_F32,
    .width = 1,
    .unit = "kg/m3",
    .sentence = "density of a fluid at the particle, 0 of other bodies",
    .form = STATE_SHOWN,
    .high = (double)INFINITY,
};
