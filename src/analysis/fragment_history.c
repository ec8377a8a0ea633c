#include "analysis/fragment_history.h"

#include "analysis/run_tables.h"
#include "base/memory.h"

#include <stdlib.h>

const struct column fragment_columns[FRAGMENT_WIDTH] = {
#define FRAGMENT_COLUMN(name, unit, sentence) {#name, unit, sentence},
    FRAGMENT_COLUMNS(FRAGMENT_COLUMN)
#undef FRAGMENT_COLUMN
};

void fragment_history_begin(struct fragment_history *history, const struct scene *scene)
{
    *history = (struct fragment_history){.scene = scene};
}

void fragment_history_free(struct fragment_history *history)
{
    free(history->row);
    free(history->place);
    *history = (struct fragment_history){0};
}

static bool can_break(const struct scene *scene, const struct frame *frame, size_t i)
{
    const struct body *body = &scene->body[frame->particles.body[i]];
    return material_breaks(&scene->material[body->material]);
}

/* Begins a row for each fragment. */
static enum status begin_rows(struct fragment_history *history, const struct frame *frame,
                              struct error *error)
{
    const struct particles *p = &frame->particles;
    if (array_reserve(&history->place, &history->n_places, p->n, sizeof *history->place,
                      "fragments", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        if (frame->fragment[i] != i || !can_break(history->scene, frame, i))
            continue;
        if (array_reserve(&history->row, &history->capacity, history->n + 1, sizeof *history->row,
                          "rows of fragments", error))
            return STATUS_FAILED;
        history->place[i] = history->n;
        history->row[history->n++] = (struct fragment_row){.body = (double)p->body[i],
                                                           .frame = (double)frame->number,
                                                           .time = frame->time,
                                                           .fragment = (double)i};
    }
    return STATUS_OK;
}

/* Adds a particle to the sums of its fragment; called in the order of indices. */
static void add_particle(struct fragment_row *row, const struct frame *frame, const float *damage,
                         size_t i)
{
    const struct particles *p = &frame->particles;
    struct vec3 x = p->position[i], v = p->velocity[i];
    double mass = p->mass[i];
    row->particles += 1.0;
    row->mass += mass;
    row->x += mass * x.x;
    row->y += mass * x.y;
    row->z += mass * x.z;
    row->velocity_x += mass * v.x;
    row->velocity_y += mass * v.y;
    row->velocity_z += mass * v.z;
    row->kinetic += 0.5 * mass * vec3_norm2(v);
    row->damage += damage ? (double)damage[i] : 0.0;
}

static void sums_to_means(struct fragment_row *row)
{
    double inverse_mass = 1.0 / row->mass;
    row->x *= inverse_mass;
    row->y *= inverse_mass;
    row->z *= inverse_mass;
    row->velocity_x *= inverse_mass;
    row->velocity_y *= inverse_mass;
    row->velocity_z *= inverse_mass;
    row->damage /= row->particles;
}

/* A fragment belongs to one body, and its name is the index of one of its particles. */
static enum status check_fragment(const struct frame *frame, size_t i, struct error *error)
{
    uint32_t name = frame->fragment[i];
    const uint32_t *body = frame->particles.body;
    if (frame->fragment[name] == name && body[name] == body[i])
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "particle %zu of body %u is in fragment %u, but particle %u of body %u in %u",
                     i, body[i], name, name, body[name], frame->fragment[name]);
}

static enum status add_particles(struct fragment_history *history, const struct frame *frame,
                                 struct error *error)
{
    const float *damage = frame_state(frame, "damage");
    for (size_t i = 0; i < frame->particles.n; i++) {
        if (!can_break(history->scene, frame, i))
            continue;
        if (check_fragment(frame, i, error))
            return STATUS_INVALID;
        add_particle(&history->row[history->place[frame->fragment[i]]], frame, damage, i);
    }
    return STATUS_OK;
}

enum status fragment_history_add(struct fragment_history *history, const struct frame *frame,
                                 struct error *error)
{
    size_t first = history->n;
    if (!frame->fragment)
        return STATUS_OK;
    if (frame->n_bodies != history->scene->n_bodies)
        return error_set(error, STATUS_INVALID, "%zu bodies, but %zu at the start", frame->n_bodies,
                         history->scene->n_bodies);
    enum status status = begin_rows(history, frame, error);
    if (status == STATUS_OK)
        status = add_particles(history, frame, error);
    for (size_t k = first; k < history->n && status == STATUS_OK; k++)
        sums_to_means(&history->row[k]);
    return status;
}

struct table fragment_history_table(const struct fragment_history *history)
{
    return (struct table){FRAGMENT_WIDTH, fragment_columns, history->n, (double *)history->row};
}

static enum status begin_table(void *history, const struct analysis *analysis, struct error *error)
{
    (void)error;
    fragment_history_begin(history, &analysis->scene);
    return STATUS_OK;
}

static enum status add_to_table(void *history, const struct frame *frame, struct error *error)
{
    return fragment_history_add(history, frame, error);
}

static void free_table(void *history)
{
    fragment_history_free(history);
}

static struct table table_of(const void *history)
{
    return fragment_history_table(history);
}

const struct run_table fragments_csv = {
    .file = "fragments.csv",
    .rows = "frame and fragment",
    .size = sizeof(struct fragment_history),
    .begin = begin_table,
    .add = add_to_table,
    .free = free_table,
    .table = table_of,
    .n_columns = FRAGMENT_WIDTH,
    .column = fragment_columns,
};
