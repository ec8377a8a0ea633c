#include "store/frame.h"

#include "store/frame_format.h"

#include <stdlib.h>

const char *const frame_column_attribute[3] = {"columns", "units", "sentences"};

/* What persists is looked up in their order. */
static enum status check_skipped(const struct frame *frame, struct error *error)
{
    for (size_t k = 0; k < frame->n_skipped; k++) {
        struct skipped_pair now = frame->skipped[k];
        struct skipped_pair before = k > 0 ? frame->skipped[k - 1] : (struct skipped_pair){0};
        bool ascends = now.i > before.i || (now.i == before.i && now.j > before.j);
        if (now.i >= now.j || now.j >= frame->particles.n || !ascends || now.steps == 0)
            return error_set(error, STATUS_INVALID,
                             "entry %zu of skipped is (%u, %u) for %u steps; there should be "
                             "ascending pairs of %zu particles, for a step at least",
                             k, now.i, now.j, now.steps, frame->particles.n);
    }
    return STATUS_OK;
}

enum status frame_check(const struct frame *frame, struct error *error)
{
    const struct particles *p = &frame->particles;
    for (size_t i = 0; i < p->n; i++) {
        if (p->body[i] >= frame->n_bodies)
            return error_set(error, STATUS_INVALID, "particle %zu is of body %u, but there are %zu",
                             i, p->body[i], frame->n_bodies);
        if (p->state[i] >= PARTICLE_STATES)
            return error_set(error, STATUS_INVALID,
                             "particle %zu has the state %u instead of 0, 1, 2 or 3", i,
                             p->state[i]);
        if (frame->group && frame->group[i] >= p->n)
            return error_set(error, STATUS_INVALID, "particle %zu is in group %u of %zu particles",
                             i, frame->group[i], p->n);
        if (frame->fragment && frame->fragment[i] >= p->n)
            return error_set(error, STATUS_INVALID,
                             "particle %zu is in fragment %u of %zu particles", i,
                             frame->fragment[i], p->n);
    }
    for (size_t s = 0; s < frame->n_sheets; s++) {
        const struct sheet *sheet = &frame->sheet[s];
        if (sheet->body >= frame->n_bodies)
            return error_set(error, STATUS_INVALID, "sheet %zu is of body %u, but there are %zu", s,
                             sheet->body, frame->n_bodies);
        for (size_t t = 0; t < sheet->n_triangles; t++)
            for (size_t k = 0; k < 3; k++)
                if (sheet->triangle[t][k] >= p->n)
                    return error_set(error, STATUS_INVALID,
                                     "sheet %zu has a corner at particle %u of %zu", s,
                                     sheet->triangle[t][k], p->n);
    }
    return check_skipped(frame, error);
}

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
