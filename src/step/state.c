#include "step/state.h"

#include "base/memory.h"
#include "step/declarations.h"

#include <stdlib.h>
#include <string.h>

static bool is_among(size_t n, const struct state_field *const *field,
                     const struct state_field *one)
{
    for (size_t k = 0; k < n && k < MOST_STATE_FIELDS; k++)
        if (field[k] == one)
            return true;
    return false;
}

size_t state_fields(const struct state_field *field[MOST_STATE_FIELDS])
{
    const struct declaration *owner;
    size_t n = 0;
    for (size_t c = 0; (owner = declaration_at(c)); c++)
        for (size_t k = 0; k < owner->n_state; k++) {
            const struct state_field *one = owner->state[k].field;
            if (is_among(n, field, one))
                continue;
            if (n < MOST_STATE_FIELDS)
                field[n] = one;
            n++;
        }
    return n;
}

enum status state_check(const struct declaration *owner, struct error *error)
{
    const struct state_field *field[MOST_STATE_FIELDS];
    const size_t n = state_fields(field);
    for (size_t k = 0; k < owner->n_state; k++)
        if (!is_among(n, field, owner->state[k].field))
            return error_set(error, STATUS_INVALID, "no class declares the field '%s' of '%s'",
                             owner->state[k].field->name, owner->name);
    return STATUS_OK;
}

enum status state_create(struct state *state, struct error *error)
{
    const struct state_field *field[MOST_STATE_FIELDS];
    const size_t n = state_fields(field);
    *state = (struct state){.n = n < MOST_STATE_FIELDS ? n : MOST_STATE_FIELDS};
    if (array_create(&state->value, state->n, sizeof *state->value, "fields of owners", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < state->n; k++)
        state->value[k].field = field[k];
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
