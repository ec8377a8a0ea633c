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

static enum status take_rotations(struct system *system, const struct particles *p, void *value,
                                  struct error *error)
{
    const struct corotated *c = (const struct corotated *)system;
    (void)p;
    (void)error;
    memcpy(value, c->rotation, system->n * sizeof *c->rotation);
    return STATUS_OK;
}

static enum status give_rotations(struct system *system, size_t n, const void *value,
                                  struct error *error)
{
    static const double rounding = 1e-9;
    struct corotated *c = (struct corotated *)system;
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

static const struct state_field increment_field = {
    .name = "volume_increment",
    .element = ELEMENT_F64,
    .width = 3,
    .unit = "m/s",
    .sentence = "change of velocity of corotated solids by the last solve of a step, for volume or "
                "for all at once, of which that of the next step makes its first guess",
    .form = STATE_KEPT,
};

static const struct state_field earlier_field = {
    .name = "earlier_volume_increment",
    .element = ELEMENT_F64,
    .width = 3,
    .unit = "m/s",
    .sentence = "the same change in the step before",
    .form = STATE_KEPT,
};

static enum status take_increments(struct system *system, const struct particles *p, void *value,
                                   struct error *error)
{
    const struct corotated *c = (const struct corotated *)system;
    (void)p;
    (void)error;
    memcpy(value, c->increment, system->n * sizeof *c->increment);
    return STATUS_OK;
}

static enum status give_increments(struct system *system, size_t n, const void *value,
                                   struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    (void)error;
    memcpy(c->increment, value, n * sizeof *c->increment);
    return STATUS_OK;
}

static enum status take_earlier(struct system *system, const struct particles *p, void *value,
                                struct error *error)
{
    const struct corotated *c = (const struct corotated *)system;
    (void)p;
    (void)error;
    memcpy(value, c->earlier_increment, system->n * sizeof *c->earlier_increment);
    return STATUS_OK;
}

static enum status give_earlier(struct system *system, size_t n, const void *value,
                                struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    (void)error;
    memcpy(c->earlier_increment, value, n * sizeof *c->earlier_increment);
    return STATUS_OK;
}

const struct system_state corotated_states[COROTATED_STATES] = {
    {.field = &rotation_field, .take = take_rotations, .give = give_rotations},
    {.field = &increment_field, .take = take_increments, .give = give_increments},
    {.field = &earlier_field, .take = take_earlier, .give = give_earlier},
};
