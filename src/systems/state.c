#include "systems/state.h"

#include "base/memory.h"
#include "systems/system.h"

#include <stdlib.h>
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

static bool declares(const struct system_class *class, size_t n_state,
                     const struct state_field *field)
{
    for (size_t k = 0; k < n_state; k++)
        if (class->state[k].field == field)
            return true;
    return false;
}

/* Whether an earlier class, or class c before its k-th field, declares the field. */
static bool declared_before(size_t c, size_t k, const struct state_field *field)
{
    for (size_t b = 0; b < c; b++)
        if (declares(system_classes[b], system_classes[b]->n_state, field))
            return true;
    return declares(system_classes[c], k, field);
}

const struct state_field *state_field(size_t index)
{
    for (size_t c = 0; system_classes[c]; c++)
        for (size_t k = 0; k < system_classes[c]->n_state; k++) {
            const struct state_field *field = system_classes[c]->state[k].field;
            if (!declared_before(c, k, field) && index-- == 0)
                return field;
        }
    return NULL;
}

static bool is_stored(const struct state_field *field)
{
    const struct state_field *stored;
    for (size_t k = 0; (stored = state_field(k)); k++)
        if (stored == field)
            return true;
    return false;
}

enum status state_check(const struct system_class *class, struct error *error)
{
    for (size_t k = 0; k < class->n_state; k++)
        if (!is_stored(class->state[k].field))
            return error_set(error, STATUS_INVALID,
                             "no class of the table declares the field '%s' of system '%s'",
                             class->state[k].field->name, class->name);
    return STATUS_OK;
}

enum status state_create(struct state *state, struct error *error)
{
    *state = (struct state){0};
    while (state_field(state->n))
        state->n++;
    if (array_create(&state->value, state->n, sizeof *state->value, "fields of systems", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < state->n; k++)
        state->value[k].field = state_field(k);
    return STATUS_OK;
}

void state_clear(struct state *state)
{
    for (size_t k = 0; state->value && k < state->n; k++) {
        free(state->value[k].data);
        state->value[k].data = NULL;
        state->value[k].rows = 0;
    }
}

void state_free(struct state *state)
{
    state_clear(state);
    free(state->value);
    *state = (struct state){0};
}

struct state_value *state_find(const struct state *state, const char *name)
{
    for (size_t k = 0; k < state->n; k++)
        if (strcmp(state->value[k].field->name, name) == 0)
            return &state->value[k];
    return NULL;
}

enum status state_value_create(struct state_value *value, size_t rows, struct error *error)
{
    size_t size = value->field->width * element_size(value->field->element);
    free(value->data);
    value->data = NULL;
    value->rows = 0;
    if (array_create(&value->data, rows, size, value->field->name, error))
        return STATUS_FAILED;
    value->rows = rows;
    return STATUS_OK;
}
