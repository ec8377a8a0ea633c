#include "sample/sample.h"

#include "base/memory.h"
#include "particles/random.h"
#include "sample/relaxation.h"
#include "sample/sample_check.h"
#include "sample/sample_hold.h"
#include "sample/sample_inlets.h"
#include "sample/sample_lattice.h"
#include "sample/sample_sheet.h"
#include "shape/geodesic.h"
#include "shape/prescribed.h"
#include "shape/surface.h"

#include <stdlib.h>

/* The points of one body in its own frame, before the points of all bodies become one set
 * of particles. */
struct points {
    size_t n;
    struct vec3 *position; /* m (n) */
    size_t n_triangles;
    uint32_t (*triangle)[3]; /* between points that are the vertices of a surface (n_triangles) */
};

/* A box in the frame of a body. */
struct box {
    struct vec3 low, high;
};

static struct box box_of(const struct points *points)
{
    const double far = (double)INFINITY;
    struct box box = {{far, far, far}, {-far, -far, -far}};
    for (size_t i = 0; i < points->n; i++) {
        struct vec3 x = points->position[i];
        box.low = vec3(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
        box.high = vec3(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    return box;
}

static enum status points_of_sheet(struct points *points, const struct body *body,
                                   struct sample_report *report, struct error *error)
{
    double spacing = 2 * body->radius;
    points->n = (size_t)body->shape.cells[0] * body->shape.cells[1];
    enum status status = sample_check_size(body, (double)points->n, error);
    if (!status)
        status = array_create(&points->position, points->n, sizeof *points->position,
                              "the points of a sheet", error);
    if (status)
        return status;
    sheet_positions(body, points->position);
    report->volume = (double)points->n * spacing * spacing * spacing;
    report->thinnest = spacing;
    return STATUS_OK;
}

static enum status points_at_vertices(struct points *points, const struct body *body,
                                      struct sample_report *report, struct error *error)
{
    const double spacing = 2 * body->radius;
    struct surface surface;
    enum status status = STATUS_OK;
    if (body->shape.kind == SHAPE_BALL)
        status = sample_check_size(body, geodesic_vertices(body->shape.radius, spacing), error);
    if (!status)
        status = surface_create(&surface, &body->shape, spacing, error);
    if (status)
        return status;
    *points = (struct points){surface.n, surface.position, surface.n_triangles, surface.triangle};
    report->volume = surface.area * spacing;
    report->thinnest = spacing;
    report->left_out = surface.left_out;
    return STATUS_OK;
}

static enum status points_on_lattice(struct points *points, const struct body *body,
                                     struct solid *solid, struct sample_report *report,
                                     struct error *error)
{
    struct lattice_cells cells;
    enum status status = lattice_cells_create(&cells, solid, body, error);
    if (status)
        return status;
    points->n = cells.n_inside;
    status = array_create(&points->position, points->n, sizeof *points->position,
                          "the points of a body", error);
    if (!status) {
        lattice_cells_positions(&cells, points->position);
        report->thinnest = lattice_cells_thinnest(&cells, solid);
    }
    lattice_cells_free(&cells);
    return status;
}

static enum status points_in_solid(struct points *points, const struct scene *scene, size_t b,
                                   struct solid *solid, struct sample_report *report,
                                   struct error *error)
{
    const struct body *body = &scene->body[b];
    report->volume = solid_volume(solid);
    report->left_out = solid_left_out(solid);
    enum status status = sample_check_size(body, report->volume / pow(2 * body->radius, 3), error);
    if (status)
        return sample_name_scale(body, solid, status, error);
    if (body->sampling.method == SAMPLING_LATTICE)
        return points_on_lattice(points, body, solid, report, error);
    return relaxation_sample(body, solid, scene->seed, b, &points->position, &points->n,
                             &report->thinnest, error);
}

static enum status points_of_body(struct points *points, const struct scene *scene, size_t b,
                                  struct sample_report *report, struct error *error)
{
    const struct body *body = &scene->body[b];
    struct solid *solid = NULL;
    enum status status = sample_check_body(body, error);
    if (!status && body->shape.kind == SHAPE_SHEET) {
        status = points_of_sheet(points, body, report, error);
    } else if (!status && scene_body_at_vertices(scene, b)) {
        status = points_at_vertices(points, body, report, error);
    } else if (!status) {
        status = solid_create(&solid, &body->shape, error);
        if (!status)
            status = points_in_solid(points, scene, b, solid, report, error);
        solid_free(solid);
    }
    if (status)
        return status;
    double size = 2 * body->radius;
    struct box box = box_of(points);
    report->particles = points->n;
    report->extent = vec3_add(vec3_sub(box.high, box.low), vec3(size, size, size));
    report->volume_error = (double)points->n * pow(2 * body->radius, 3) / report->volume - 1;
    return STATUS_OK;
}

/* The copies of a body have the points of the first; a body that is not wanted has none. */
static enum status points_of_copy(struct points *points, const struct scene *scene,
                                  const bool *wanted, size_t b, struct sample_report *report,
                                  struct error *error)
{
    if (wanted && !wanted[b])
        return STATUS_OK;
    if (scene->body[b].copy == 0)
        return points_of_body(&points[b], scene, b, &report[b], error);
    points[b] = points[b - 1];
    report[b] = report[b - 1];
    return STATUS_OK;
}

static struct vec3 rotate(const double matrix[9], struct vec3 v)
{
    return vec3(matrix[0] * v.x + matrix[1] * v.y + matrix[2] * v.z,
                matrix[3] * v.x + matrix[4] * v.y + matrix[5] * v.z,
                matrix[6] * v.x + matrix[7] * v.y + matrix[8] * v.z);
}

/* Uniform in a cube of edge 2 jitter spacings around the lattice point; a sheet stays plane. */
static struct vec3 jitter(const struct scene *scene, const struct body *body, size_t particle)
{
    static const enum random_purpose purpose[3] = {RANDOM_JITTER_X, RANDOM_JITTER_Y,
                                                   RANDOM_JITTER_Z};
    double d[3], reach = body->jitter * 2 * body->radius;
    for (int i = 0; i < 3; i++)
        d[i] = reach * (2 * random_uniform(scene->seed, 0, particle, purpose[i]) - 1);
    return vec3(d[0], d[1], body->shape.kind == SHAPE_SHEET ? 0 : d[2]);
}

/* A displacement as small as rounding: a change in results that it makes is due to chance. */
static struct vec3 nudge(const struct scene *scene, const struct body *body, size_t particle)
{
    static const double reach = 1e-12; /* radii */
    static const enum random_purpose purpose[3] = {RANDOM_NUDGE_X, RANDOM_NUDGE_Y, RANDOM_NUDGE_Z};
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] =
            reach * body->radius * (2 * random_uniform(scene->nudge, 0, particle, purpose[i]) - 1);
    return vec3(d[0], d[1], d[2]);
}

/* A point in the box, with uniform probability. */
static struct vec3 scattered(const struct scene *scene, const struct box *box, size_t particle)
{
    static const enum random_purpose purpose[3] = {RANDOM_SCATTER_X, RANDOM_SCATTER_Y,
                                                   RANDOM_SCATTER_Z};
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = random_uniform(scene->seed, 0, particle, purpose[i]);
    struct vec3 size = vec3_sub(box->high, box->low);
    return vec3_add(box->low, vec3(d[0] * size.x, d[1] * size.y, d[2] * size.z));
}

static struct vec3 velocity_at(const struct body *body, struct vec3 offset)
{
    struct vec3 turning = vec3_cross(body->spin, offset);
    return vec3_add(vec3_add(body->velocity, turning), rotate(body->velocity_gradient, offset));
}

static void place_body(struct sample *sample, const struct scene *scene, size_t b, size_t first,
                       const struct points *points, const struct hold *hold)
{
    const struct body *body = &scene->body[b];
    const struct box box = box_of(points);
    const double mass = body->mass_from == MASS_FROM_VOLUME
                            ? body->density * sample->report[b].volume / (double)points->n
                            : body->particle_mass;
    struct particles *p = &sample->particles;
    for (size_t i = 0; i < points->n; i++) {
        size_t k = first + i;
        struct vec3 rest = points->position[i];
        if (body->jitter > 0 && body->sampling.method == SAMPLING_LATTICE)
            rest = vec3_add(rest, jitter(scene, body, k));
        sample->rest_position[k] = rest;
        bool fixed = hold_has(hold, i, points->position[i], rest);
        bool anywhere = body->start == START_SCATTERED && !fixed;
        struct vec3 begin = anywhere ? scattered(scene, &box, k) : rest;
        struct vec3 offset = prescribed_offset(body, begin);
        p->position[k] = vec3_add(body->position, offset);
        if (scene->nudge && !fixed)
            p->position[k] = vec3_add(p->position[k], nudge(scene, body, k));
        p->velocity[k] = fixed ? vec3(0, 0, 0) : velocity_at(body, offset);
        p->mass[k] = mass;
        p->radius[k] = body->radius;
        p->body[k] = (uint32_t)b;
        p->state[k] = fixed ? PARTICLE_FIXED : PARTICLE_FREE;
    }
}

static enum status place_and_hold(struct sample *sample, const struct scene *scene, size_t b,
                                  size_t first, const struct points *points,
                                  const struct prescribed_regions *motions, struct error *error)
{
    struct hold hold;
    enum status status = hold_create(&hold, motions, b, points->n, points->position, error);
    if (!status)
        place_body(sample, scene, b, first, points, &hold);
    hold_free(&hold);
    return status;
}

static enum status add_sheet(struct sheet *sheet, const struct scene *scene, size_t b,
                             const struct points *points, size_t first, struct error *error)
{
    sheet->body = (uint32_t)b;
    if (!scene_body_at_vertices(scene, b))
        return sheet_triangles(sheet, scene->body[b].shape.cells, first, error);
    if (array_create(&sheet->triangle, points->n_triangles, sizeof *sheet->triangle,
                     "triangles of a surface", error))
        return STATUS_FAILED;
    sheet->n_triangles = points->n_triangles;
    for (size_t k = 0; k < 3 * sheet->n_triangles; k++)
        sheet->triangle[k / 3][k % 3] = (uint32_t)first + points->triangle[k / 3][k % 3];
    return STATUS_OK;
}

static enum status place(struct sample *sample, const struct scene *scene,
                         const struct points *points, struct error *error)
{
    size_t n = 0, n_sheets = 0;
    struct prescribed_regions motions;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        n += points[b].n;
        n_sheets += points[b].n > 0 && scene_body_is_layer(scene, b);
    }
    enum status status = sample_check_total(scene, (double)n, error);
    if (!status)
        status = particles_create(&sample->particles, n, error);
    if (!status)
        status = array_create(&sample->rest_position, n, sizeof *sample->rest_position,
                              "rest positions", error);
    if (!status)
        status = array_create(&sample->sheet, n_sheets, sizeof *sample->sheet, "sheets", error);
    if (status)
        return status;
    status = prescribed_regions_create(&motions, scene, error);
    for (size_t b = 0, first = 0; b < scene->n_bodies && !status; first += points[b++].n) {
        if (points[b].n == 0)
            continue;
        status = place_and_hold(sample, scene, b, first, &points[b], &motions, error);
        if (!status && scene_body_is_layer(scene, b))
            status =
                add_sheet(&sample->sheet[sample->n_sheets++], scene, b, &points[b], first, error);
    }
    prescribed_regions_free(&motions);
    return status;
}

enum status sample_bodies(const struct scene *scene, const bool *wanted, struct sample *sample,
                          struct error *error)
{
    *sample = (struct sample){0};
    struct points *points = NULL;
    size_t n = scene->n_bodies;
    enum status status = array_create(&points, n, sizeof *points, "the bodies' points", error);
    if (!status)
        status = array_create(&sample->report, n, sizeof *sample->report, "the report", error);
    for (size_t b = 0; b < n && !status; b++)
        status = points_of_copy(points, scene, wanted, b, sample->report, error);
    if (!status)
        status = place(sample, scene, points, error);
    if (!status)
        status = sample_inlets(scene, sample, error);
    for (size_t b = 0; b < n && points; b++)
        if (scene->body[b].copy == 0) {
            free(points[b].position);
            free(points[b].triangle);
        }
    free(points);
    if (status)
        sample_free(sample);
    return status;
}

enum status sample_scene(const struct scene *scene, struct sample *sample, struct error *error)
{
    enum status status = sample_bodies(scene, NULL, sample, error);
    if (!status)
        status = sample_check(scene, sample, error);
    if (status)
        sample_free(sample);
    return status;
}

void sample_free(struct sample *sample)
{
    particles_free(&sample->particles);
    free(sample->rest_position);
    for (size_t s = 0; s < sample->n_sheets; s++)
        free(sample->sheet[s].triangle);
    free(sample->sheet);
    free(sample->report);
    *sample = (struct sample){0};
}
