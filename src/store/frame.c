#include "store/frame.h"

#include "store/frame_format.h"

#include <stdlib.h>

const char *const frame_column_attribute[3] = {"columns", "units", "sentences"};

void frame_free_particles(struct frame *frame)
{
    particles_free(&frame->particles);
    free(frame->rest_position);
    free(frame->expected);
    free(frame->group);
    free(frame->fragment);
    free(frame->wrong_side);
    free(frame->damage);
    free(frame->density);
    frame->rest_position = frame->expected = NULL;
    frame->group = frame->fragment = frame->wrong_side = NULL;
    frame->damage = frame->density = NULL;
}

void frame_free(struct frame *frame)
{
    frame_free_particles(frame);
    for (size_t i = 0; frame->sheet && i < frame->n_sheets; i++)
        free(frame->sheet[i].triangle);
    free(frame->config);
    free(frame->body_name);
    free(frame->sheet);
    free(frame->broken);
    free(frame->skipped);
    free(frame->ledger.value);
    free(frame->measure.value);
    free(frame->ledger_columns);
    free(frame->measure_columns);
    *frame = (struct frame){0};
}
