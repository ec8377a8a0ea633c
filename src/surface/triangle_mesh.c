#include "surface/triangle_mesh.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const size_t most = INT32_MAX;

enum status triangle_mesh_add_vertex(struct triangle_mesh *m, struct vec3 vertex,
                                     struct error *error)
{
    if (m->n_vertices == most)
        return error_set(error, STATUS_FAILED,
                         "a mesh of more than %zu vertices; a coarser one would be right", most);
    enum status status = array_reserve(&m->vertex, &m->vertex_capacity, m->n_vertices + 1,
                                       sizeof *m->vertex, "vertices of a mesh", error);
    if (!status)
        m->vertex[m->n_vertices++] = vertex;
    return status;
}

enum status triangle_mesh_add(struct triangle_mesh *m, uint32_t a, uint32_t b, uint32_t c,
                              struct error *error)
{
    if (m->n_triangles == most)
        return error_set(error, STATUS_FAILED,
                         "a mesh of more than %zu triangles; a coarser one would be right", most);
    enum status status = array_reserve(&m->triangle, &m->triangle_capacity, m->n_triangles + 1,
                                       sizeof *m->triangle, "triangles of a mesh", error);
    if (status)
        return status;
    uint32_t *corner = m->triangle[m->n_triangles++];
    corner[0] = a, corner[1] = b, corner[2] = c;
    return STATUS_OK;
}

enum status triangle_mesh_append(struct triangle_mesh *m, const struct triangle_mesh *other,
                                 struct error *error)
{
    uint32_t first = (uint32_t)m->n_vertices;
    enum status status = STATUS_OK;
    for (size_t v = 0; status == STATUS_OK && v < other->n_vertices; v++)
        status = triangle_mesh_add_vertex(m, other->vertex[v], error);
    for (size_t t = 0; status == STATUS_OK && t < other->n_triangles; t++) {
        const uint32_t *corner = other->triangle[t];
        status =
            triangle_mesh_add(m, first + corner[0], first + corner[1], first + corner[2], error);
    }
    return status;
}

enum status triangle_mesh_add_normals(struct triangle_mesh *m, struct error *error)
{
    if (m->normal) {
        memset(m->normal, 0, m->n_vertices * sizeof *m->normal);
        return STATUS_OK;
    }
    return array_create(&m->normal, m->n_vertices, sizeof *m->normal, "normals of a mesh", error);
}

enum status triangle_mesh_add_scalar(struct triangle_mesh *m, const char *name, float **value,
                                     struct error *error)
{
    if (m->n_scalars == MESH_SCALARS_MAX)
        return error_set(error, STATUS_FAILED,
                         "a mesh of more than %d numbers per vertex; at most that many would be "
                         "right",
                         MESH_SCALARS_MAX);
    enum status status =
        array_create(value, m->n_vertices, sizeof **value, "numbers of vertices", error);
    if (!status)
        m->scalar[m->n_scalars++] = (struct mesh_scalar){name, *value};
    return status;
}

/* The angle between two sides of a triangle. atan2 is exact to rounding for slivers, too. */
static double angle_between(struct vec3 a, struct vec3 b)
{
    return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b));
}

static void add_to_normals(struct triangle_mesh *m, const uint32_t *corner)
{
    struct vec3 ab = vec3_sub(m->vertex[corner[1]], m->vertex[corner[0]]);
    struct vec3 ac = vec3_sub(m->vertex[corner[2]], m->vertex[corner[0]]);
    struct vec3 bc = vec3_sub(ac, ab);
    struct vec3 normal = vec3_cross(ab, ac);
    double length = vec3_norm(normal);
    if (!(length > 0.0))
        return;
    normal = vec3_scale(1.0 / length, normal);
    double angle[3];
    angle[0] = angle_between(ab, ac);
    angle[1] = angle_between(bc, vec3_scale(-1.0, ab));
    angle[2] = angle_between(ac, bc);
    for (int k = 0; k < 3; k++)
        m->normal[corner[k]] = vec3_axpy(m->normal[corner[k]], angle[k], normal);
}

enum status triangle_mesh_find_normals(struct triangle_mesh *m, struct error *error)
{
    enum status status = triangle_mesh_add_normals(m, error);
    if (status)
        return status;
    for (size_t t = 0; t < m->n_triangles; t++)
        add_to_normals(m, m->triangle[t]);
    for (size_t v = 0; v < m->n_vertices; v++) {
        double length = vec3_norm(m->normal[v]);
        m->normal[v] = length > 0.0 ? vec3_scale(1.0 / length, m->normal[v]) : vec3(0, 0, 1);
    }
    return STATUS_OK;
}

void triangle_mesh_free(struct triangle_mesh *m)
{
    free(m->vertex);
    free(m->triangle);
    free(m->normal);
    for (size_t k = 0; k < m->n_scalars; k++)
        free(m->scalar[k].value);
    *m = (struct triangle_mesh){0};
}
