/* Fields that systems declare, in frames put together by hand. */
#ifndef TESTS_STATE_VALUES_H
#define TESTS_STATE_VALUES_H

#include "step/state.h"

#include <stdlib.h>

/* Makes room for the values of a field, and first the state itself if it is all zero. */
static inline void *state_add(struct state *state, const char *name, size_t rows)
{
    if (state->n == 0 && state_create(state, NULL))
        abort();
    struct state_value *value = state_find(state, name);
    if (!value || state_value_create(value, rows, NULL))
        abort();
    return value->data;
}

/* The values of a field that the test needs to be there. */
static inline void *state_data(const struct state *state, const char *name)
{
    const struct state_value *value = state_find(state, name);
    if (!value || !value->data)
        abort();
    return value->data;
}

#endif
