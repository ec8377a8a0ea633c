/* What a position-based run keeps from step to step, beside positions and velocities. */
#include "base/memory.h"
#include "constraints/contacts.h"
#include "schemes/position_based.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct state_field slips = {
    .name = "slips",
    .element = ELEMENT_F64,
    .width = 5,
    .unit = "1, 1, m, m, m",
    .sentence = "of each contact that pushed in the last step (position.friction: kept): its two "
                "particles, or a particle and the number of particles plus that of a wall, and how "
                "far the first has slipped relative to the second",
    .form = STATE_LIST,
};

static enum status list_slips(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct position_based *s = owner;
    const struct kept_slip *slip = contacts_slips(s->set.group[CONSTRAINT_CONTACTS], n);
    double(*row)[5];
    if (array_create(&row, *n, sizeof *row, "slips", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < *n; k++) {
        const double value[5] = {slip[k].first, slip[k].second, slip[k].slip.x, slip[k].slip.y,
                                 slip[k].slip.z};
        memcpy(row[k], value, sizeof value);
    }
    *data = row;
    return STATUS_OK;
}

/* Whether the row can be one of the list: its ends are particles, or a particle and a wall. */
static bool is_slip(const struct position_based *s, const double row[5])
{
    const double n = (double)s->candidates.n, walls = (double)s->n_walls;
    return row[0] == floor(row[0]) && row[1] == floor(row[1]) && row[0] >= 0.0 && row[0] < row[1] &&
           row[0] < n && row[1] < n + walls && isfinite(row[2] + row[3] + row[4]);
}

static struct kept_slip slip_of(const double row[5])
{
    return (struct kept_slip){(uint32_t)row[0], (uint32_t)row[1], vec3(row[2], row[3], row[4])};
}

static enum status give_slips(void *owner, size_t n, const void *data, struct error *error)
{
    struct position_based *s = owner;
    const double *row = data;
    struct kept_slip *slip;
    enum status status = STATUS_OK;
    if (array_create(&slip, n, sizeof *slip, "slips", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n && !status; k++) {
        if (!is_slip(s, row + 5 * k))
            status = error_set(error, STATUS_INVALID,
                               "row %zu of slips names no contact of this scene", k);
        else
            slip[k] = slip_of(row + 5 * k);
    }
    if (!status)
        status = contacts_give_slips(s->set.group[CONSTRAINT_CONTACTS], n, slip, error);
    free(slip);
    return status;
}

const struct owned_state position_states[POSITION_STATES] = {
    {.field = &slips, .list = list_slips, .give = give_slips}};
