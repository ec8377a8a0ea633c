#include "step/state.h"

#include "base/memory.h"
#include "step/declarations.h"

#include <stdlib.h>
#include <string.h>

/* Whether one of the first `n_owners` owners, or the next before its k-th field, declares the
 * field. */
static bool declared_before(size_t n_owners, size_t k, const struct state_field *field)
{
    for (size_t c = 0; c <= n_owners; c++) {
        const struct declaration *owner = declaration_at(c);
        size_t n = c < n_owners ? owner->n_state : k;
        for (size_t e = 0; e < n; e++)
            if (owner->state[e].field == field)
                return true;
    }
    return false;
}

const struct state_field *state_field(size_t index)
{
    const struct declaration *owner;
    for (size_t c = 0; (owner = declaration_at(c)); c++)
        for (size_t k = 0; k < owner->n_state; k++)
            if (!declared_before(c, k, owner->state[k].field) && index-- == 0)
                return owner->state[k].field;
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

enum status state_check(const struct declaration *owner, struct error *error)
{
    for (size_t k = 0; k < owner->n_state; k++)
        if (!is_stored(owner->state[k].field))
            return error_set(error, STATUS_INVALID, "no class declares the field '%s' of '%s'",
                             owner->state[k].field->name, owner->name);
    return STATUS_OK;
}

enum status state_create(struct state *state, struct error *error)
{
    *state = (struct state){0};
    while (state_field(state->n))
        state->n++;
    if (array_create(&state->value, state->n, sizeof *state->value, "fields of owners", error))
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
