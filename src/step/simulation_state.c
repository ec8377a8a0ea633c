/* The fields that the systems of a simulation declare, gathered over all of its particles, and
 * given back. */
#include "step/step.h"

#include <stdlib.h>
#include <string.h>

static const struct system_state *state_of(const struct system *system,
                                           const struct state_field *field)
{
    for (size_t k = 0; k < system->class->n_state; k++)
        if (system->class->state[k].field == field)
            return &system->class->state[k];
    return NULL;
}

/* Bytes of an entry. */
static size_t entry_size(const struct state_field *field)
{
    return field->width * element_size(field->element);
}

/* Whether any system of the run has the field; otherwise its frames do not hold the field. */
static bool is_had(const struct simulation *s, const struct state_field *field)
{
    for (size_t k = 0; k < s->n_systems; k++)
        if (state_of(s->system[k], field))
            return true;
    return false;
}

static enum status take_entries(struct simulation *s, struct state_value *value,
                                struct error *error)
{
    const struct state_field *field = value->field;
    size_t n = s->particles.n, size = entry_size(field);
    if (!value->data && state_value_create(value, n, error))
        return STATUS_FAILED;
    if (field->elsewhere)
        field->elsewhere(&s->particles, value->data);
    else
        memset(value->data, 0, n * size);
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        const struct system_state *state = state_of(system, field);
        void *own = (char *)value->data + system->first * size;
        enum status status = STATUS_OK;
        if (state)
            status = state->take(system, &s->particles, own, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status take_list(const struct simulation *s, struct state_value *value,
                             struct error *error)
{
    free(value->data);
    value->data = NULL;
    value->rows = 0;
    for (size_t k = 0; k < s->n_systems; k++) {
        const struct system_state *state = state_of(s->system[k], value->field);
        if (state)
            return state->list(s->system[k], &value->rows, &value->data, error);
    }
    return STATUS_OK;
}

enum status simulation_take_state(struct simulation *s, struct state *state, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < state->n && !status; k++) {
        if (!is_had(s, state->value[k].field))
            continue;
        status = state->value[k].field->form == STATE_LIST
                     ? take_list(s, &state->value[k], error)
                     : take_entries(s, &state->value[k], error);
    }
    return status;
}

/* Refuses a list that two systems have, because its entries do not tell to which system they
 * belong. */
static enum status check_owner(const struct simulation *s, const struct state_field *field,
                               const struct system *owner, struct error *error)
{
    for (size_t k = 0; field->form == STATE_LIST && k < s->n_systems; k++)
        if (s->system[k] != owner && state_of(s->system[k], field))
            return error_set(error, STATUS_INVALID,
                             "the systems '%s' and '%s' both have a list '%s'; let all bodies be "
                             "of one of them",
                             owner->class->name, s->system[k]->class->name, field->name);
    return STATUS_OK;
}

/* Gives a system its part of a field. Before the first step, a system is in its initial state and
 * needs nothing. */
static enum status give_value(const struct simulation *s, struct system *system,
                              const struct system_state *own, const struct state_value *value,
                              struct error *error)
{
    bool given = value && value->data;
    if (!given && own->field->form == STATE_KEPT && s->step > 0)
        return error_set(error, STATUS_INVALID,
                         "there is no '%s', which the system '%s' needs to go on; start anew",
                         own->field->name, system->class->name);
    if (!own->give || !given)
        return STATUS_OK;
    if (own->field->form == STATE_LIST)
        return own->give(system, value->rows, value->data, error);
    const char *first = (const char *)value->data + system->first * entry_size(own->field);
    return own->give(system, system->n, first, error);
}

enum status simulation_give_state(struct simulation *s, const struct state *state,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        for (size_t e = 0; e < system->class->n_state && !status; e++) {
            const struct system_state *own = &system->class->state[e];
            status = check_owner(s, own->field, system, error);
            if (!status && state)
                status = give_value(s, system, own, state_find(state, own->field->name), error);
        }
    }
    return status;
}

uint64_t simulation_changes(const struct simulation *s)
{
    uint64_t changes = 0;
    for (size_t k = 0; k < s->n_systems; k++)
        changes += s->system[k]->changes;
    return changes;
}
