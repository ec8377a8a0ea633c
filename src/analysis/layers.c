#include "analysis/layers.h"

#include "analysis/run_tables.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A particle and the layer it is in. */
struct layer_of {
    double layer; /* whole number */
    uint32_t particle;
};

const struct column layer_columns[LAYER_WIDTH] = {
#define LAYER_COLUMN(name, unit, sentence) {#name, unit, sentence},
    LAYER_COLUMNS(LAYER_COLUMN)
#undef LAYER_COLUMN
};

enum status layers_begin(struct layers *layers, const struct scene *scene, struct error *error)
{
    double gravity = vec3_norm(scene->gravity);
    *layers = (struct layers){.scene = scene, .gravity = gravity, .up = vec3(0.0, 0.0, 1.0)};
    if (gravity > 0.0)
        layers->up = vec3_scale(-1.0 / gravity, scene->gravity);
    return walls_create(&layers->walls, scene, error);
}

void layers_free(struct layers *layers)
{
    walls_free(layers->walls);
    free(layers->row);
    free(layers->place);
    *layers = (struct layers){0};
}

static int by_layer(const void *first, const void *second)
{
    const struct layer_of *a = first, *b = second;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    return a->particle < b->particle ? -1 : a->particle > b->particle;
}

/* Sorts the free particles of a body by layer, from the lowest upwards, and by index within a
 * layer. A particle without a finite position is in no layer. */
static size_t sort_body(struct layers *layers, const struct frame *frame, uint32_t b)
{
    const struct particles *p = &frame->particles;
    double thickness = 4.0 * layers->scene->body[b].radius;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        double layer = floor(vec3_dot(layers->up, p->position[i]) / thickness);
        if (p->body[i] == b && !p->state[i] && isfinite(layer))
            layers->place[n++] = (struct layer_of){layer, (uint32_t)i};
    }
    qsort(layers->place, n, sizeof *layers->place, by_layer);
    return n;
}

static double pressure_of(const struct scene *scene, const struct body *body, double density)
{
    double rest = body->particle_mass / pow(2.0 * body->radius, 3), ratio = density / rest;
    const struct material *material = &scene->material[body->material];
    return material->model->pressure(material->parameters, ratio);
}

/* Fills the row of one layer, whose particles are place[begin..end-1] of the n of the body. */
static void describe(const struct layers *layers, const struct frame *frame,
                     const struct body *body, size_t begin, size_t end, size_t n,
                     struct layer_row *row)
{
    const struct particles *p = &frame->particles;
    const float *density = frame_state(frame, "density");
    double support = 4.0 * body->radius, above = (double)(n - end);
    row->height = (layers->place[begin].layer + 0.5) * support;
    row->particles = (double)(end - begin);
    for (size_t k = begin; k < end; k++) {
        uint32_t i = layers->place[k].particle;
        above += vec3_dot(layers->up, p->position[i]) > row->height;
        if (layers->walls && walls_distance(layers->walls, p->position[i]) < support)
            continue;
        row->inner += 1.0;
        row->density += (double)density[i];
        row->pressure += pressure_of(layers->scene, body, (double)density[i]);
    }
    row->density = row->inner > 0.0 ? row->density / row->inner : (double)NAN;
    row->pressure = row->inner > 0.0 ? row->pressure / row->inner : (double)NAN;
    row->weight_above = above * body->particle_mass * layers->gravity;
}

static enum status add_body(struct layers *layers, const struct frame *frame, uint32_t b,
                            struct error *error)
{
    size_t n = sort_body(layers, frame, b);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && layers->place[end].layer == layers->place[begin].layer;)
            end++;
        if (array_reserve(&layers->row, &layers->capacity, layers->n + 1, sizeof *layers->row,
                          "rows of layers", error))
            return STATUS_FAILED;
        struct layer_row *row = &layers->row[layers->n++];
        *row = (struct layer_row){
            .body = (double)b, .frame = (double)frame->number, .time = frame->time};
        describe(layers, frame, &layers->scene->body[b], begin, end, n, row);
    }
    return STATUS_OK;
}

enum status layers_add(struct layers *layers, const struct frame *frame, struct error *error)
{
    const struct scene *scene = layers->scene;
    if (!frame_state(frame, "density"))
        return STATUS_OK;
    if (frame->n_bodies != scene->n_bodies)
        return error_set(error, STATUS_INVALID, "%zu bodies, but %zu at the start", frame->n_bodies,
                         scene->n_bodies);
    enum status status = array_reserve(&layers->place, &layers->n_places, frame->particles.n,
                                       sizeof *layers->place, "particles in layers", error);
    for (uint32_t b = 0; b < scene->n_bodies && !status; b++)
        if (scene_material_of(scene, b)->model->pressure)
            status = add_body(layers, frame, b, error);
    return status;
}

static struct table table_of(const void *memory)
{
    const struct layers *layers = memory;
    return (struct table){LAYER_WIDTH, layer_columns, layers->n, (double *)layers->row};
}

static enum status begin_table(void *history, const struct analysis *analysis, struct error *error)
{
    return layers_begin(history, &analysis->scene, error);
}

static enum status add_to_table(void *history, const struct frame *frame, struct error *error)
{
    return layers_add(history, frame, error);
}

static void free_table(void *history)
{
    layers_free(history);
}

const struct run_table layers_csv = {
    .file = "layers.csv",
    .rows = "frame, fluid and layer",
    .size = sizeof(struct layers),
    .begin = begin_table,
    .add = add_to_table,
    .free = free_table,
    .table = table_of,
    .n_columns = LAYER_WIDTH,
    .column = layer_columns,
};
