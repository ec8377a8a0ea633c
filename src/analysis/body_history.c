#include "analysis/body_history.h"

#include "analysis/rebound.h"
#include "analysis/run_tables.h"
#include "analysis/summary_parts.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

const struct column body_columns[BODY_WIDTH] = {
#define BODY_COLUMN(name, unit, sentence) {#name, unit, sentence},
    BODY_COLUMNS(BODY_COLUMN)
#undef BODY_COLUMN
};

void body_history_begin(struct body_history *history, size_t n_bodies, struct vec3 gravity)
{
    double size = vec3_norm(gravity);
    *history = (struct body_history){.n_bodies = n_bodies,
                                     .gravity = size,
                                     .up = size > 0.0 ? vec3_scale(-1.0 / size, gravity)
                                                      : vec3(0.0, 0.0, 1.0)};
}

void body_history_free(struct body_history *history)
{
    free(history->row);
    free(history->height);
    free(history->end);
    *history = (struct body_history){0};
}

/* Like fmin and fmax, but nan wins, so that a position that is not a number shows. */
static double smaller(double a, double b)
{
    return b < a || isnan(b) ? b : a;
}

static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/* Adds a free particle to the sums of its body; called in the order of indices. */
static void add_particle(struct body_row *row, const struct particles *p, size_t i)
{
    struct vec3 x = p->position[i], v = p->velocity[i];
    double mass = p->mass[i];
    bool first = row->particles == 0.0;
    row->particles += 1.0;
    row->mass += mass;
    row->x += mass * x.x;
    row->y += mass * x.y;
    row->z += mass * x.z;
    row->velocity_x += mass * v.x;
    row->velocity_y += mass * v.y;
    row->velocity_z += mass * v.z;
    row->kinetic += 0.5 * mass * vec3_norm2(v);
    row->min_x = first ? x.x : smaller(row->min_x, x.x);
    row->min_y = first ? x.y : smaller(row->min_y, x.y);
    row->min_z = first ? x.z : smaller(row->min_z, x.z);
    row->max_x = first ? x.x : larger(row->max_x, x.x);
    row->max_y = first ? x.y : larger(row->max_y, x.y);
    row->max_z = first ? x.z : larger(row->max_z, x.z);
}

static void sums_to_means(const struct body_history *history, struct body_row *row)
{
    double inverse_mass = 1.0 / row->mass;
    row->x *= inverse_mass;
    row->y *= inverse_mass;
    row->z *= inverse_mass;
    row->velocity_x *= inverse_mass;
    row->velocity_y *= inverse_mass;
    row->velocity_z *= inverse_mass;
    row->height = vec3_dot(history->up, vec3(row->x, row->y, row->z));
}

static void set_undefined(struct body_row *row)
{
    struct body_row kept = *row;
    for (size_t i = 0; i < BODY_WIDTH; i++)
        ((double *)row)[i] = (double)NAN;
    row->body = kept.body;
    row->frame = kept.frame;
    row->time = kept.time;
    row->particles = row->mass = 0.0;
}

/* The smallest height that at least `percent` of the heights do not exceed. */
static double percentile(size_t n, double *height, size_t percent)
{
    size_t rank = (n * percent + 99) / 100;
    return value_of_rank(n, height, rank);
}

/* Puts the heights of free particles body by body, as many as each row counts. */
static void gather_heights(struct body_history *history, const struct particles *p,
                           const struct body_row *row)
{
    size_t end = 0;
    for (size_t b = 0; b < history->n_bodies; b++) {
        history->end[b] = end;
        end += (size_t)row[b].particles;
    }
    for (size_t i = 0; i < p->n; i++)
        if (!p->state[i])
            history->height[history->end[p->body[i]]++] = vec3_dot(history->up, p->position[i]);
}

static void measure_heights(const struct body_history *history, size_t body, struct body_row *row)
{
    size_t n = (size_t)row->particles;
    double *height = history->height + history->end[body] - n;
    row->height_p01 = percentile(n, height, 1);
    row->height_p50 = percentile(n, height, 50);
    row->height_p99 = percentile(n, height, 99);
}

enum status body_history_add(struct body_history *history, const struct frame *frame,
                             struct error *error)
{
    const struct particles *p = &frame->particles;
    size_t n = history->n_bodies, used = history->n_frames * n;
    if (frame->n_bodies != n)
        return error_set(error, STATUS_INVALID, "%zu bodies, but %zu at the start", frame->n_bodies,
                         n);
    if (array_reserve(&history->row, &history->capacity, used + n, sizeof *history->row,
                      "rows of bodies", error) ||
        array_reserve(&history->height, &history->n_heights, p->n, sizeof *history->height,
                      "heights", error) ||
        array_reserve(&history->end, &history->n_ends, n, sizeof *history->end, "heights", error))
        return STATUS_FAILED;
    struct body_row *row = history->row + used;
    for (size_t b = 0; b < n; b++)
        row[b] = (struct body_row){
            .body = (double)b, .frame = (double)frame->number, .time = frame->time};
    for (size_t i = 0; i < p->n; i++)
        if (!p->state[i])
            add_particle(&row[p->body[i]], p, i);
    gather_heights(history, p, row);
    for (size_t b = 0; b < n; b++) {
        if (row[b].particles == 0.0) {
            set_undefined(&row[b]);
            continue;
        }
        sums_to_means(history, &row[b]);
        measure_heights(history, b, &row[b]);
    }
    history->n_frames++;
    return STATUS_OK;
}

static struct table table_of(const void *memory)
{
    const struct body_history *history = memory;
    return (struct table){BODY_WIDTH, body_columns, history->n_frames * history->n_bodies,
                          (double *)history->row};
}

static enum status begin_table(void *history, const struct analysis *analysis, struct error *error)
{
    (void)error;
    body_history_begin(history, analysis->record->initial.n_bodies, analysis->scene.gravity);
    return STATUS_OK;
}

static enum status add_to_table(void *history, const struct frame *frame, struct error *error)
{
    return body_history_add(history, frame, error);
}

static void free_table(void *history)
{
    body_history_free(history);
}

/* Writes how each body rebounded. */
static void summarize(struct json *json, const void *history, const struct analysis *analysis)
{
    const struct body_history *bodies = history;
    struct value impact = value_at_impact(analysis, "time");
    double time = impact.kind == VALUE_NUMBER ? impact.number : (double)NAN;
    json_object(json, "bodies");
    for (size_t b = 0; b < bodies->n_bodies; b++) {
        struct rebound rebound = rebound_measure(bodies, b, time);
        json_object(json, analysis->record->initial.body_name[b]);
        summary_print_columns(json, REBOUND_WIDTH, rebound_columns, (const double *)&rebound);
        json_close(json);
    }
    json_close(json);
}

static void explain_summary(FILE *stream)
{
    columns_print(stream, "bodies.NAME of summary.json", REBOUND_WIDTH, rebound_columns);
}

const struct run_table bodies_csv = {
    .file = "bodies.csv",
    .rows = "frame and body",
    .size = sizeof(struct body_history),
    .begin = begin_table,
    .add = add_to_table,
    .free = free_table,
    .table = table_of,
    .n_columns = BODY_WIDTH,
    .column = body_columns,
    .summarize = summarize,
    .explain_summary = explain_summary,
};
