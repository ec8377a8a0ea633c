/* Measures how near the particles of a body are to the vertices of its mesh. */
#include "analysis/sampling.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "particles/cell_grid.h"
#include "shape/mesh_file.h"
#include "shape/shape.h"

#include <math.h>
#include <stdlib.h>

struct surface {
    struct triangles triangles; /* vertices in the body's frame, m */
    struct vec3 *normal;        /* outward, of length 1 (n_vertices) */
    double *distance;           /* to the nearest particle, radii (n_vertices) */
    double *thin;               /* the same of thin vertices (n_thin) */
    size_t n_thin;
};

static void surface_free(struct surface *s)
{
    triangles_free(&s->triangles);
    free(s->normal);
    free(s->distance);
    free(s->thin);
}

/* The normal of a vertex is the mean of those of its triangles, weighted by area. If all triangles
 * of a file are inside out, the volume between them and the origin is negative, and normals are
 * reversed. */
static void find_normals(struct surface *s)
{
    const struct triangles *t = &s->triangles;
    double volume = 0.0;
    for (size_t f = 0; f < t->n_faces; f++) {
        const uint32_t *c = t->face[f];
        struct vec3 a = t->vertex[c[0]], b = t->vertex[c[1]], d = t->vertex[c[2]];
        struct vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(d, a));
        volume += vec3_dot(a, vec3_cross(b, d));
        for (int k = 0; k < 3; k++)
            s->normal[c[k]] = vec3_add(s->normal[c[k]], n);
    }
    for (size_t v = 0; v < t->n_vertices; v++) {
        double length = vec3_norm(s->normal[v]);
        double scale = length > 0.0 ? copysign(1.0 / length, volume) : 0.0;
        s->normal[v] = vec3_scale(scale, s->normal[v]);
    }
}

static enum status surface_read(struct surface *s, const struct shape *shape, struct error *error)
{
    struct triangles *t = &s->triangles;
    enum status status = triangles_read(t, shape->file, error);
    if (status)
        return status;
    const size_t n = t->n_vertices;
    for (size_t v = 0; v < n; v++)
        t->vertex[v] = vec3_axpy(shape->center, shape->scale, t->vertex[v]);
    if (array_create(&s->normal, n, sizeof *s->normal, "normals of a mesh", error) ||
        array_create(&s->distance, n, sizeof *s->distance, "distances of a mesh", error) ||
        array_create(&s->thin, n, sizeof *s->thin, "distances of a mesh", error))
        return STATUS_FAILED;
    find_normals(s);
    return STATUS_OK;
}

/* The distance from a place to the nearest particle. The reach is doubled until a particle is
 * within it. */
static double nearest_to(const struct cell_grid *grid, const struct vec3 *rest, struct vec3 place,
                         double reach, uint32_t *found)
{
    size_t n = 0;
    for (; n == 0; reach *= 2.0)
        n = cell_grid_within(grid, place, reach, found);
    double nearest = HUGE_VAL;
    for (size_t k = 0; k < n; k++)
        nearest = fmin(nearest, vec3_norm2(vec3_sub(rest[found[k]], place)));
    return sqrt(nearest);
}

static enum status find_distances(struct surface *s, double radius, size_t n,
                                  const struct vec3 *rest, struct error *error)
{
    struct cell_grid grid = {0};
    uint32_t *found = NULL;
    enum status status =
        array_create(&found, cell_grid_room(n), sizeof *found, "particles near a vertex", error);
    if (!status)
        status = cell_grid_build(&grid, n, NULL, rest, 2.0 * radius, error);
    for (size_t v = 0; v < s->triangles.n_vertices && !status; v++)
        s->distance[v] =
            nearest_to(&grid, rest, s->triangles.vertex[v], 2.0 * radius, found) / radius;
    cell_grid_free(&grid);
    free(found);
    return status;
}

/* Gathers the distances of thin vertices, at which no ball with the radius of a spacing fits
 * inside. A ball that touches the surface at the vertex from inside fits if its center is as deep
 * as its radius. A twentieth less is accepted, because flat triangles cut off a little of a curved
 * surface. */
static void find_thin(struct surface *s, const struct solid *solid, double radius)
{
    const double ball = 2.0 * radius;
    for (size_t v = 0; v < s->triangles.n_vertices; v++) {
        struct vec3 center = vec3_axpy(s->triangles.vertex[v], -ball, s->normal[v]);
        if (solid_distance(solid, center) > -0.95 * ball)
            s->thin[s->n_thin++] = s->distance[v];
    }
}

static double mean_of(size_t n, const double *value)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += value[k];
    return n > 0 ? sum / (double)n : (double)NAN;
}

static double percentile_99(size_t n, double *value)
{
    return n > 0 ? value_of_rank(n, value, (99 * n + 99) / 100) : (double)NAN;
}

enum status sampling_judge_surface(const struct body *body, const struct solid *solid, size_t n,
                                   const struct vec3 *rest, struct sampling_row *row,
                                   struct error *error)
{
    struct surface s = {0};
    enum status status = surface_read(&s, &body->shape, error);
    if (!status)
        status = find_distances(&s, body->radius, n, rest, error);
    if (!status) {
        const size_t n_vertices = s.triangles.n_vertices;
        find_thin(&s, solid, body->radius);
        row->surface_mean = mean_of(n_vertices, s.distance);
        row->surface_99 = percentile_99(n_vertices, s.distance);
        row->surface_max = value_of_rank(n_vertices, s.distance, n_vertices);
        row->thin_vertices = (double)s.n_thin;
        row->thin_mean = mean_of(s.n_thin, s.thin);
        row->thin_99 = percentile_99(s.n_thin, s.thin);
    }
    surface_free(&s);
    return status;
}
