#include "analysis/frame_diffuse.h"

static const struct state_value *list_of(const struct frame *frame, const char *name)
{
    static const struct state_value none = {0};
    const struct state_value *value = frame->state.n > 0 ? state_find(&frame->state, name) : NULL;
    return value ? value : &none;
}

enum status frame_diffuse_find(const struct frame *frame, struct frame_diffuse *diffuse,
                               struct error *error)
{
    const struct state_value *position = list_of(frame, "diffuse_position"),
                             *velocity = list_of(frame, "diffuse_velocity"),
                             *birth = list_of(frame, "diffuse_birth"),
                             *source = list_of(frame, "diffuse_source");
    *diffuse = (struct frame_diffuse){position->rows, position->data, velocity->data, birth->data,
                                      source->data};
    if (velocity->rows == diffuse->n && birth->rows == diffuse->n && source->rows == diffuse->n)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "there are %zu diffuse positions, %zu velocities, %zu births and %zu "
                     "sources; they should be the same",
                     diffuse->n, velocity->rows, birth->rows, source->rows);
}

enum status frame_diffuse_check(const struct frame_diffuse *d, size_t n, struct error *error)
{
    for (size_t k = 0; k < d->n; k++)
        if (d->source[k] >= n)
            return error_set(error, STATUS_INVALID,
                             "diffuse particle %zu is of source %u, but there are %zu", k,
                             d->source[k], n);
    return STATUS_OK;
}
