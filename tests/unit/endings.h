/* What a run ends with, compared to the bit with the end of another one: with other numbers of
 * threads, or of a run that goes on from what a frame keeps. */
#ifndef TESTS_ENDINGS_H
#define TESTS_ENDINGS_H

#include "scenes.h"

/* Released with ending_free. */
struct ending {
    size_t n;
    struct vec3 *position, *velocity;
    struct state state;    /* what systems, contact and scheme keep */
    struct ledger_row row; /* of the last step */
};

static inline void state_take(struct state *state, struct simulation *s)
{
    struct error error = {0};
    check_equal(state_create(state, &error), STATUS_OK, error.message);
    check_equal(simulation_take_state(s, state, &error), STATUS_OK, error.message);
}

static inline struct ending ending_of(struct simulation *s, struct ledger_row row)
{
    const size_t bytes = s->particles.n * sizeof(struct vec3);
    struct ending end = {.n = s->particles.n, .row = row};
    end.position = malloc(bytes);
    end.velocity = malloc(bytes);
    memcpy(end.position, s->particles.position, bytes);
    memcpy(end.velocity, s->particles.velocity, bytes);
    state_take(&end.state, s);
    return end;
}

static inline void ending_free(struct ending *end)
{
    free(end->position);
    free(end->velocity);
    state_free(&end->state);
}

static inline void check_same_ending(const struct ending *a, const struct ending *b)
{
    check_equal(a->n, b->n, "particles");
    check(memcmp(a->position, b->position, a->n * sizeof *a->position) == 0);
    check(memcmp(a->velocity, b->velocity, a->n * sizeof *a->velocity) == 0);
    check(memcmp(&a->row, &b->row, sizeof a->row) == 0);
    check_equal(a->state.n, b->state.n, "fields");
    for (size_t k = 0; k < a->state.n; k++) {
        const struct state_value *x = &a->state.value[k], *y = &b->state.value[k];
        size_t bytes = x->rows * x->field->width * element_size(x->field->element);
        check_equal(x->rows, y->rows, x->field->name);
        if (!check(bytes == 0 || memcmp(x->data, y->data, bytes) == 0))
            printf("#   %s\n", x->field->name);
    }
}

/* Begins a simulation with what a frame of another one keeps: its particles and `state`. */
static inline enum status resume(struct simulation *again, const struct simulation *s,
                                 const struct state *state, const struct vec3 *rest,
                                 struct error *error)
{
    struct particles copy;
    const struct restart restart = {.time = s->time, .step = s->step, .state = state};
    copy_particles(&copy, &s->particles);
    return simulation_create(again, s->scene, &copy, rest, &restart, error);
}

/* That as many further steps, of at least one, end with the same bits in a run that goes on from a
 * frame. */
static inline void check_goes_on(struct simulation *s, const struct vec3 *rest, int steps)
{
    struct simulation again;
    struct state state;
    struct error error = {0};
    struct ledger_row row = {0}, resumed = {0};
    state_take(&state, s);
    check_equal(resume(&again, s, &state, rest, &error), STATUS_OK, error.message);
    state_free(&state);
    for (int k = 0; k < steps; k++) {
        row = step_once(s);
        resumed = step_once(&again);
        check(memcmp(&row, &resumed, sizeof row) == 0);
    }
    struct ending end = ending_of(s, row), other = ending_of(&again, resumed);
    check_same_ending(&end, &other);
    ending_free(&end);
    ending_free(&other);
    simulation_free(&again);
}

#endif
