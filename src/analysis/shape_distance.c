#include "analysis/shape_distance.h"

#include "analysis/rigid_fit.h"
#include "base/memory.h"
#include "store/frame.h"
#include "store/frame_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct column shape_distance_columns[SHAPE_DISTANCE_WIDTH] = {
#define SHAPE_DISTANCE_COLUMN(name, unit, sentence) {#name, unit, sentence},
    SHAPE_DISTANCE_COLUMNS(SHAPE_DISTANCE_COLUMN)
#undef SHAPE_DISTANCE_COLUMN
};

/* The particles of a body in one run. */
struct shape {
    const char *folder;
    struct frame_list list;
    size_t n;
    uint32_t *id;          /* ascending (n) */
    struct vec3 *begin;    /* initial positions, m (n) */
    struct vec3 *position; /* of the current frame, m (n) */
    double time;           /* of the current frame, s */
};

static enum status find_body(const struct frame *frame, const char *folder, const char *body,
                             uint32_t *index, struct error *error)
{
    for (*index = 0; *index < frame->n_bodies; (*index)++)
        if (strcmp(frame->body_name[*index], body) == 0)
            return STATUS_OK;
    char names[512] = "";
    for (size_t i = 0; i < frame->n_bodies; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", frame->body_name[i]);
    }
    return error_set(error, STATUS_INVALID, "%s: has no body '%s'; there are %s", folder, body,
                     names);
}

static enum status gather_begin(struct shape *shape, const struct frame *frame, uint32_t body,
                                struct error *error)
{
    const struct particles *p = &frame->particles;
    for (size_t i = 0; i < p->n; i++)
        shape->n += p->body[i] == body;
    if (array_create(&shape->id, shape->n, sizeof *shape->id, "ids of a body", error) ||
        array_create(&shape->begin, shape->n, sizeof *shape->begin, "positions", error) ||
        array_create(&shape->position, shape->n, sizeof *shape->position, "positions", error))
        return STATUS_FAILED;
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body) {
            shape->begin[k] = p->position[i];
            shape->id[k++] = (uint32_t)i;
        }
    return STATUS_OK;
}

static enum status shape_create(const char *folder, const char *body, struct shape *shape,
                                struct error *error)
{
    char *path;
    struct frame initial;
    uint32_t index;
    *shape = (struct shape){.folder = folder};
    enum status status = path_join(folder, "initial.hdf", &path, error);
    if (status != STATUS_OK)
        return status;
    status = frame_read(path, &initial, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = find_body(&initial, folder, body, &index, error);
    if (status == STATUS_OK)
        status = gather_begin(shape, &initial, index, error);
    frame_free(&initial);
    return status ? status : frame_list_read(folder, &shape->list, error);
}

static void shape_free(struct shape *shape)
{
    frame_list_free(&shape->list);
    free(shape->id);
    free(shape->begin);
    free(shape->position);
}

static enum status shape_move(struct shape *shape, size_t k, struct error *error)
{
    struct frame frame;
    const char *path = shape->list.frame[k].path;
    enum status status = frame_read(path, &frame, error);
    if (status != STATUS_OK)
        return status;
    if (shape->n > 0 && shape->id[shape->n - 1] >= frame.particles.n)
        status = error_set(error, STATUS_INVALID, "%s: has fewer particles than the initial frame",
                           path);
    for (size_t i = 0; i < shape->n && status == STATUS_OK; i++)
        shape->position[i] = frame.particles.position[shape->id[i]];
    shape->time = frame.time;
    frame_free(&frame);
    return status;
}

static double rms_distance(size_t n, const struct vec3 *a, const struct vec3 *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += vec3_norm2(vec3_sub(a[i], b[i]));
    return sqrt(sum / (double)n);
}

static double max_distance(size_t n, const struct vec3 *a, const struct vec3 *b)
{
    double max = 0.0;
    for (size_t i = 0; i < n; i++) {
        double d = vec3_norm(vec3_sub(a[i], b[i]));
        if (!(d <= max)) /* keeps a nan */
            max = d;
        if (isnan(max))
            break;
    }
    return max;
}

/* The rms distance between b and the rigid motion of a that comes nearest to b. */
static double fitted_distance(size_t n, const struct vec3 *a, const struct vec3 *b)
{
    const struct rigid_placement best = rigid_fit(n, a, b);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += vec3_norm2(vec3_sub(rigid_carry(&best, a[i]), b[i]));
    return sqrt(sum / (double)n);
}

static struct shape_distance_row measure(const struct shape *a, const struct shape *b,
                                         uint64_t number)
{
    return (struct shape_distance_row){
        .frame = (double)number,
        .time = a->time,
        .rms = rms_distance(a->n, a->position, b->position),
        .max = max_distance(a->n, a->position, b->position),
        .fitted = fitted_distance(a->n, a->position, b->position),
        .moved_a = rms_distance(a->n, a->position, a->begin),
        .moved_b = rms_distance(b->n, b->position, b->begin),
    };
}

/* Whether two times are equal but for the rounding of the last step. */
static bool same_time(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static enum status measure_frames(struct shape *a, struct shape *b, struct shape_distance_row *row,
                                  size_t *n_rows, struct error *error)
{
    for (size_t i = 0, j = 0; i < a->list.n && j < b->list.n;) {
        uint64_t x = a->list.frame[i].number, y = b->list.frame[j].number;
        if (x != y) {
            i += x < y;
            j += y < x;
            continue;
        }
        if (shape_move(a, i++, error) || shape_move(b, j++, error))
            return error->status;
        if (!same_time(a->time, b->time) && (i == a->list.n || j == b->list.n))
            break; /* the last frame of a run that ended early is between two regular ones */
        if (!same_time(a->time, b->time))
            return error_set(error, STATUS_INVALID,
                             "frame %" PRIu64 " is at %g s in %s and at %g s in %s; the runs need "
                             "the same frame interval",
                             x, a->time, a->folder, b->time, b->folder);
        row[(*n_rows)++] = measure(a, b, x);
    }
    if (*n_rows == 0)
        return error_set(error, STATUS_INVALID, "%s and %s have no frame in common", a->folder,
                         b->folder);
    return STATUS_OK;
}

enum status shape_distance_create(const char *run_a, const char *run_b, const char *body,
                                  struct table *table, struct error *error)
{
    struct shape a = {0}, b = {0};
    struct shape_distance_row *row = NULL;
    struct error local;
    struct error *message = error ? error : &local;
    *table = (struct table){SHAPE_DISTANCE_WIDTH, shape_distance_columns, 0, NULL};
    enum status status = shape_create(run_a, body, &a, message);
    if (status == STATUS_OK)
        status = shape_create(run_b, body, &b, message);
    if (status == STATUS_OK && (a.n != b.n || a.n == 0))
        status = error_set(message, STATUS_INVALID,
                           "body '%s' has %zu particles in %s and %zu in %s; they must be equal",
                           body, a.n, run_a, b.n, run_b);
    if (status == STATUS_OK)
        status = array_create(&row, a.list.n, sizeof *row, "rows", message);
    if (status == STATUS_OK)
        status = measure_frames(&a, &b, row, &table->n_rows, message);
    shape_free(&a);
    shape_free(&b);
    if (status != STATUS_OK)
        free(row);
    else
        table->value = (double *)row;
    return status;
}
