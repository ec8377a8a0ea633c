#include "shape/surface.h"

#include "base/memory.h"
#include "shape/geodesic.h"
#include "shape/mesh.h"
#include "shape/mesh_check.h"

#include <stdlib.h>

bool surface_is_of(const struct shape *shape)
{
    return shape->kind == SHAPE_MESH || shape->kind == SHAPE_BALL;
}

/* Takes over the triangles. */
static void take(struct surface *surface, struct triangles *t, const struct shape *shape)
{
    *surface = (struct surface){.n = t->n_vertices,
                                .position = t->vertex,
                                .n_triangles = t->n_faces,
                                .triangle = t->face,
                                .left_out = t->n_left_out};
    *t = (struct triangles){0};
    for (size_t v = 0; v < surface->n; v++)
        surface->position[v] = vec3_axpy(shape->center, shape->scale, surface->position[v]);
}

static enum status load(struct surface *surface, const struct shape *shape, struct error *error)
{
    struct triangles triangles = {0};
    enum status status = triangles_read(&triangles, shape->file, error);
    if (!status)
        status = triangles_check_surface(&triangles, shape->file, error);
    if (!status)
        take(surface, &triangles, shape);
    triangles_free(&triangles);
    return status;
}

static double area_of(const struct surface *s)
{
    double area = 0.0;
    for (size_t t = 0; t < s->n_triangles; t++) {
        const struct vec3 a = s->position[s->triangle[t][0]];
        const struct vec3 to_b = vec3_sub(s->position[s->triangle[t][1]], a);
        const struct vec3 to_c = vec3_sub(s->position[s->triangle[t][2]], a);
        area += 0.5 * vec3_norm(vec3_cross(to_b, to_c));
    }
    return area;
}

enum status surface_create(struct surface *surface, const struct shape *shape, double spacing,
                           struct error *error)
{
    const struct origin *at = &shape->origin;
    *surface = (struct surface){0};
    enum status status = mesh_check_digest(shape, error);
    if (status)
        return status;
    status = shape->kind == SHAPE_BALL
                 ? geodesic_create(surface, shape->radius, shape->center, spacing, error)
                 : load(surface, shape, error);
    if (!status)
        surface->area = area_of(surface);
    else
        surface_free(surface);
    return status == STATUS_INVALID
               ? error_prefix(error, "%s:%d:%d", at->file, at->line, at->column)
               : status;
}

void surface_free(struct surface *surface)
{
    free(surface->position);
    free(surface->triangle);
    *surface = (struct surface){0};
}
