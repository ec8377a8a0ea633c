/* Where diffuse particles are, and how much fluid is around them: a row per frame and source,
 * RUN/diffuse.csv. */
#include "analysis/frame_diffuse.h"
#include "analysis/run_tables.h"
#include "base/memory.h"
#include "diffuse/fluid_around.h"

#include <stdlib.h>

/* Fewer particles of fluid than these are few. */
enum { FEW_NEIGHBORS = 8 };

/* The middle, and what follows from it, are nan without particles. Up is against gravity, along z
 * without it; around means within two spacings of the fluid. */
#define DIFFUSE_COLUMNS(X)                                                                         \
    X(source, "", "name of the source")                                                            \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(number, "1", "how many there are")                                                           \
    X(height, "m", "of their middle")                                                              \
    X(width, "m", "root mean square distance from the upright line through their middle")          \
    X(speed, "m/s", "mean speed")                                                                  \
    X(neighbors, "1", "mean number of particles of fluid around them")                             \
    X(few, "1", "share of those with fewer than 8 such neighbors")                                 \
    X(alone, "1", "share of those with none")

struct diffuse_row {
#define DIFFUSE_MEMBER(name, unit, sentence) double name;
    DIFFUSE_COLUMNS(DIFFUSE_MEMBER)
#undef DIFFUSE_MEMBER
};

enum { DIFFUSE_WIDTH = sizeof(struct diffuse_row) / sizeof(double) };

static const struct column columns[DIFFUSE_WIDTH] = {
#define DIFFUSE_COLUMN(name, unit, sentence) {#name, unit, sentence},
    DIFFUSE_COLUMNS(DIFFUSE_COLUMN)
#undef DIFFUSE_COLUMN
};

struct history {
    const struct scene *scene;
    struct vec3 up;
    size_t n, capacity;
    struct diffuse_row *row; /* (n), owned */
    struct fluid_near near;  /* scratch */
    struct vec3 *middle;     /* scratch, of each source, m */
};

static enum status begin(void *memory, const struct analysis *analysis, struct error *error)
{
    struct history *h = memory;
    const double gravity = vec3_norm(analysis->scene.gravity);
    *h = (struct history){.scene = &analysis->scene, .up = vec3(0.0, 0.0, 1.0)};
    if (gravity > 0.0)
        h->up = vec3_scale(-1.0 / gravity, analysis->scene.gravity);
    return array_create(&h->middle, analysis->scene.n_diffuse, sizeof *h->middle, "sources", error);
}

static void free_history(void *memory)
{
    struct history *h = memory;
    free(h->row);
    fluid_near_free(&h->near);
    free(h->middle);
}

static enum status begin_rows(struct history *h, const struct frame *frame, struct error *error)
{
    const size_t n = h->scene->n_diffuse;
    if (array_reserve(&h->row, &h->capacity, h->n + n, sizeof *h->row, "rows of sources", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        h->row[h->n + k] = (struct diffuse_row){
            .source = (double)k, .frame = (double)frame->number, .time = frame->time};
        h->middle[k] = vec3(0.0, 0.0, 0.0);
    }
    return STATUS_OK;
}

/* The sums of a particle for its row. */
static enum status add_one(struct history *h, const struct fluid_around *around,
                           const struct frame_diffuse *d, size_t k, struct error *error)
{
    struct diffuse_row *row = &h->row[h->n + d->source[k]];
    const struct vec3 apart = vec3_sub(d->position[k], h->middle[d->source[k]]);
    if (fluid_near_find(&h->near, around, d->position[k], 0.0, error))
        return STATUS_FAILED;
    const size_t neighbors = fluid_near_count(&h->near, d->position[k]);
    row->width += vec3_norm2(vec3_axpy(apart, -vec3_dot(apart, h->up), h->up));
    row->speed += vec3_norm(d->velocity[k]);
    row->neighbors += (double)neighbors;
    row->few += neighbors < FEW_NEIGHBORS;
    row->alone += neighbors == 0;
    return STATUS_OK;
}

static void find_middles(struct history *h, const struct frame_diffuse *d)
{
    for (size_t k = 0; k < d->n; k++) {
        h->row[h->n + d->source[k]].number++;
        h->middle[d->source[k]] = vec3_add(h->middle[d->source[k]], d->position[k]);
    }
    for (size_t s = 0; s < h->scene->n_diffuse; s++) {
        struct diffuse_row *row = &h->row[h->n + s];
        h->middle[s] = vec3_scale(1.0 / row->number, h->middle[s]);
        row->height = row->number > 0.0 ? vec3_dot(h->middle[s], h->up) : (double)NAN;
    }
}

static void sums_to_means(struct diffuse_row *row)
{
    const double each = row->number > 0.0 ? 1.0 / row->number : (double)NAN;
    row->width = sqrt(each * row->width);
    row->speed *= each;
    row->neighbors *= each;
    row->few *= each;
    row->alone *= each;
}

static enum status add_rows(struct history *h, const struct frame *frame,
                            const struct frame_diffuse *d, struct error *error)
{
    struct fluid_around around;
    enum status status = fluid_around_create(&around, h->scene, &frame->particles, error);
    if (!status)
        status = fluid_around_find(&around, &frame->particles, frame->particles.velocity, error);
    find_middles(h, d);
    for (size_t k = 0; k < d->n && !status; k++)
        status = add_one(h, &around, d, k, error);
    for (size_t s = 0; s < h->scene->n_diffuse; s++)
        sums_to_means(&h->row[h->n + s]);
    h->n += h->scene->n_diffuse;
    fluid_around_free(&around);
    return status;
}

static enum status add(void *memory, const struct frame *frame, struct error *error)
{
    struct history *h = memory;
    struct frame_diffuse d;
    if (h->scene->n_diffuse == 0)
        return STATUS_OK;
    enum status status = frame_diffuse_find(frame, &d, error);
    if (!status)
        status = frame_diffuse_check(&d, h->scene->n_diffuse, error);
    if (!status)
        status = begin_rows(h, frame, error);
    return status ? status : add_rows(h, frame, &d, error);
}

static enum status print(FILE *stream, const void *memory, const struct analysis *analysis,
                         struct error *error)
{
    const struct history *h = memory;
    const struct table table = {DIFFUSE_WIDTH, columns, h->n, (double *)h->row};
    const char **name;
    (void)analysis;
    if (array_create(&name, h->scene->n_diffuse, sizeof *name, "sources", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < h->scene->n_diffuse; k++)
        name[k] = h->scene->diffuse[k].name;
    table_print_named_csv(stream, &table, name);
    free(name);
    return STATUS_OK;
}

static void explain(FILE *stream)
{
    columns_print(stream, "Columns of diffuse.csv", DIFFUSE_WIDTH, columns);
}

const struct run_table diffuse_csv = {
    .file = "diffuse.csv",
    .rows = "frame and source of diffuse particles",
    .size = sizeof(struct history),
    .begin = begin,
    .add = add,
    .free = free_history,
    .print = print,
    .explain = explain,
};
