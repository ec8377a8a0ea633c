/* The state of corotated solids that frames store and a resumed run restores. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

static void no_rotations(const struct particles *p, void *value)
{
    struct rotation *rotation = value;
    for (size_t i = 0; i < p->n; i++)
        rotation[i] = rotation_none();
}

static const struct state_field rotation_field = {
    .name = "rotation",
    .element = ELEMENT_F64,
    .width = 4,
    .unit = "1",
    .sentence =
        "of the surroundings of a particle of a corotated solid, a unit quaternion (w, x, y, "
        "z)",
    .form = STATE_KEPT,
    .elsewhere = no_rotations,
};

static enum status take_rotations(void *owner, const struct particles *p, void *value,
                                  struct error *error)
{
    struct system *system = owner;
    const struct corotated *c = owner;
    (void)p;
    (void)error;
    memcpy(value, c->rotation, system->n * sizeof *c->rotation);
    return STATUS_OK;
}

static enum status give_rotations(void *owner, size_t n, const void *value, struct error *error)
{
    struct system *system = owner;
    static const double rounding = 1e-9;
    struct corotated *c = owner;
    memcpy(c->rotation, value, n * sizeof *c->rotation);
    for (size_t i = 0; i < n; i++) {
        struct rotation q = c->rotation[i];
        double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (!(fabs(length - 1.0) < rounding))
            return error_set(error, STATUS_INVALID,
                             "'rotation' of particle %zu has the length %g; it must be 1",
                             system->first + i, length);
    }
    c->given = c->turned = true;
    return STATUS_OK;
}

static const struct state_field past_field = {
    .name = "elastic_increments",
    .element = ELEMENT_F32,
    .width = 3 * COROTATED_PAST,
    .unit = "m/s",
    .sentence =
        "changes of velocity of corotated solids in the last five steps, the last first, if they "
        "solve for all forces at once, of which the next step makes its first guess",
    .form = STATE_KEPT,
};

static const struct state_field pressure_field = {
    .name = "volume_pressure",
    .element = ELEMENT_F64,
    .width = 1,
    .unit = "Pa",
    .sentence =
        "lambda (tr(R^T F) - 3) of a particle of a corotated solid at the end of a step, of "
        "which the solve for volume of the next step makes its first guess",
    .form = STATE_KEPT,
};

static const struct state_field earlier_pressure_field = {
    .name = "earlier_volume_pressure",
    .element = ELEMENT_F64,
    .width = 1,
    .unit = "Pa",
    .sentence = "the same pressure a step before",
    .form = STATE_KEPT,
};

/* The functions that copy a state to a frame and from there. */
#define TAKE_AND_GIVE(name, member)                                                                \
    static enum status take_##name(void *owner, const struct particles *p, void *value,            \
                                   struct error *error)                                            \
    {                                                                                              \
        struct system *system = owner;                                                             \
        const struct corotated *c = owner;                                                         \
        (void)p;                                                                                   \
        (void)error;                                                                               \
        memcpy(value, c->member, system->n * sizeof *c->member);                                   \
        return STATUS_OK;                                                                          \
    }                                                                                              \
    static enum status give_##name(void *owner, size_t n, const void *value, struct error *error)  \
    {                                                                                              \
        struct corotated *c = owner;                                                               \
        (void)error;                                                                               \
        memcpy(c->member, value, n * sizeof *c->member);                                           \
        return STATUS_OK;                                                                          \
    }

TAKE_AND_GIVE(past, past)
TAKE_AND_GIVE(pressures, last_pressure)
TAKE_AND_GIVE(earlier_pressures, earlier_pressure)

const struct owned_state corotated_states[COROTATED_STATES] = {
    {.field = &rotation_field, .take = take_rotations, .give = give_rotations},
    {.field = &past_field, .take = take_past, .give = give_past},
    {.field = &pressure_field, .take = take_pressures, .give = give_pressures},
    {.field = &earlier_pressure_field,
     .take = take_earlier_pressures,
     .give = give_earlier_pressures},
};
