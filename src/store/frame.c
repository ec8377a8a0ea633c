#include "store/frame.h"

#include "store/frame_format.h"

#include <stdlib.h>

const char *const frame_column_attribute[3] = {"columns", "units", "sentences"};

const void *frame_state(const struct frame *frame, const char *name)
{
    const struct state_value *value = state_find(&frame->state, name);
    return value ? value->data : NULL;
}

void frame_free_particles(struct frame *frame)
{
    particles_free(&frame->particles);
    free(frame->rest_position);
    free(frame->group);
    free(frame->fragment);
    free(frame->penetrated);
    state_clear(&frame->state);
    frame->rest_position = NULL;
    frame->group = frame->fragment = frame->penetrated = NULL;
}

void frame_free(struct frame *frame)
{
    frame_free_particles(frame);
    for (size_t i = 0; frame->sheet && i < frame->n_sheets; i++)
        free(frame->sheet[i].triangle);
    free(frame->config);
    free(frame->origin);
    free(frame->body_name);
    free(frame->sheet);
    state_free(&frame->state);
    free(frame->ledger.value);
    free(frame->measure.value);
    free(frame->ledger_columns);
    free(frame->measure_columns);
    *frame = (struct frame){0};
}
