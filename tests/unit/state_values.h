/* Fields that systems declare, in frames put together by hand. */
#ifndef TESTS_STATE_VALUES_H
#define TESTS_STATE_VALUES_H

#include "systems/state.h"

#include <stdlib.h>

/* Room for the values of a field; the state, zero at first, is made. */
static inline void *state_add(struct state *state, const char *name, size_t rows)
{
    if (state->n == 0 && state_create(state, NULL))
        abort();
    struct state_value *value = state_find(state, name);
    if (!value || state_value_create(value, rows, NULL))
        abort();
    return value->data;
}

/* What is there already; the test needs it. */
static inline void *state_data(const struct state *state, const char *name)
{
    const struct state_value *value = state_find(state, name);
    if (!value || !value->data)
        abort();
    return value->data;
}

#endif
