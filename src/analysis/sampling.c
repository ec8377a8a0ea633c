#include "analysis/sampling.h"

#include "analysis/run_tables.h"
#include "base/memory.h"
#include "sample/relax_terms.h"
#include "shape/shape.h"
#include "systems/corotated/rest.h"

#include <math.h>
#include <stdlib.h>

static const struct column columns[SAMPLING_WIDTH] = {
#define SAMPLING_COLUMN(name, unit, sentence) {#name, unit, sentence},
    SAMPLING_COLUMNS(SAMPLING_COLUMN)
#undef SAMPLING_COLUMN
};

/* ---- one body ---- */

/* The values that are found for each particle. */
struct findings {
    size_t n;
    const struct vec3 *rest; /* m (n) */
    double spacing;          /* m */
    double *density;         /* over that at rest (n) */
    double *nearest;         /* spacings (n) */
    double *evenness;        /* rest.h (n) */
    double *depth;           /* m; nan without a shape (n) */
};

static void find_nearest(const struct near_lists *near, struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        f->nearest[i] = RELAX_SUPPORT; /* if no neighbor is nearer */
        for (size_t e = near->start[i]; e < near->start[i + 1]; e++) {
            struct vec3 to = vec3_sub(f->rest[near->neighbor[e]], f->rest[i]);
            f->nearest[i] = fmin(f->nearest[i], vec3_norm(to) / f->spacing);
        }
    }
}

static enum status find(struct findings *f, const struct solid *solid, struct error *error)
{
    struct near_lists near = {0};
    const struct rest_setting setting = {
        f->n, f->rest, f->spacing, REST_VOLUME_UNIFORM, REST_FLAT_BLIND, REST_ALL_NEIGHBORS};
    enum status status = near_lists_find(&near, f->n, f->rest, RELAX_SUPPORT * f->spacing, error);
    if (!status) {
        relax_densities(&near, f->rest, f->spacing, f->density);
        find_nearest(&near, f);
        status = rest_evenness(&setting, f->evenness, error);
    }
    near_lists_free(&near);
    for (size_t i = 0; i < f->n; i++)
        f->depth[i] = solid ? -solid_distance(solid, f->rest[i]) : (double)NAN;
    return status;
}

static double least(size_t n, const double *value)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        smallest = isnan(value[i]) ? value[i] : fmin(smallest, value[i]);
    return smallest;
}

static void sum_up(const struct findings *f, double volume, struct sampling_row *row)
{
    const double n = (double)f->n;
    double squares = 0.0, inner = 0.0, inner_squares = 0.0, nearest_squares = 0.0;
    for (size_t i = 0; i < f->n; i++) {
        double error = f->density[i] - 1.0;
        row->density_mean += f->density[i] / n;
        row->nearest_mean += f->nearest[i] / n;
        squares += error * error;
        nearest_squares += f->nearest[i] * f->nearest[i];
        if (f->depth[i] >= RELAX_SUPPORT * f->spacing) {
            inner += 1.0;
            inner_squares += error * error;
        }
        row->singular += f->evenness[i] < 1e-6;
        row->flat += f->evenness[i] < 1e-2;
    }
    row->particles = n;
    row->fill = n * pow(f->spacing, 3) / volume;
    row->density_error = sqrt(squares / n);
    row->density_inner = inner > 0.0 ? sqrt(inner_squares / inner) : (double)NAN;
    row->nearest_spread = sqrt(fmax(0.0, nearest_squares / n - pow(row->nearest_mean, 2)));
    row->nearest_min = least(f->n, f->nearest);
    row->outside = 1.0 - least(f->n, f->depth) / (0.5 * f->spacing);
}

static enum status judge_particles(const struct body *body, const struct solid *solid, size_t n,
                                   const struct vec3 *rest, struct sampling_row *row,
                                   struct error *error)
{
    struct findings f = {.n = n, .rest = rest, .spacing = 2.0 * body->radius};
    double *all;
    if (array_create(&all, 4 * n, sizeof *all, "how bodies are filled", error))
        return STATUS_FAILED;
    f.density = all;
    f.nearest = all + n;
    f.evenness = all + 2 * n;
    f.depth = all + 3 * n;
    enum status status = find(&f, solid, error);
    if (!status)
        sum_up(&f, solid ? solid_volume(solid) : (double)NAN, row);
    free(all);
    return status;
}

enum status sampling_judge(const struct body *body, size_t n, const struct vec3 *rest,
                           struct sampling_row *row, struct error *error)
{
    const double body_index = row->body, none = (double)NAN;
    struct solid *solid = NULL;
    *row = (struct sampling_row){.body = body_index,
                                 .surface_mean = none,
                                 .surface_99 = none,
                                 .surface_max = none,
                                 .thin_mean = none,
                                 .thin_99 = none};
    enum status status = solid_create(&solid, &body->shape, error);
    if (status == STATUS_FAILED)
        return status;
    status = judge_particles(body, solid, n, rest, row, error);
    if (!status && solid && body->shape.kind == SHAPE_MESH)
        status = sampling_judge_surface(body, solid, n, rest, row, error);
    solid_free(solid);
    return status;
}

/* ---- the table ---- */

struct history {
    size_t n;
    struct sampling_row *row;
};

static enum status begin_table(void *memory, const struct analysis *analysis, struct error *error)
{
    struct history *history = memory;
    const struct scene *scene = &analysis->scene;
    const struct frame *initial = &analysis->record->initial;
    enum status status =
        array_create(&history->row, scene->n_bodies, sizeof *history->row, "bodies", error);
    for (size_t b = 0, first = 0, end = 0; b < scene->n_bodies && !status; b++, first = end) {
        while (end < initial->particles.n && initial->particles.body[end] == b)
            end++;
        if (!scene->body[b].sampling.given || scene_body_at_vertices(scene, b) || end == first)
            continue;
        struct sampling_row *row = &history->row[history->n++];
        row->body = (double)b;
        status = sampling_judge(&scene->body[b], end - first, initial->rest_position + first, row,
                                error);
    }
    return status;
}

static void free_table(void *memory)
{
    free(((struct history *)memory)->row);
}

static struct table table_of(const void *memory)
{
    const struct history *history = memory;
    return (struct table){SAMPLING_WIDTH, columns, history->n, (double *)history->row};
}

const struct run_table sampling_csv = {
    .file = "sampling.csv",
    .rows = "body with a sampling of its own",
    .size = sizeof(struct history),
    .begin = begin_table,
    .free = free_table,
    .table = table_of,
    .n_columns = SAMPLING_WIDTH,
    .column = columns,
};
