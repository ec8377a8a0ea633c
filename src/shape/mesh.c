#include "shape/mesh.h"

#include "base/memory.h"
#include "config/mesh_digest.h"
#include "shape/mesh_check.h"
#include "shape/mesh_rows.h"
#include "shape/triangle_tree.h"

#include <stdlib.h>
#include <string.h>

struct mesh {
    struct triangles triangles; /* vertices in m */
    double volume;
    struct triangle_tree *tree;
    struct mesh_rows rows;
};

enum status mesh_check_digest(const struct shape *shape, struct error *error)
{
    const struct origin *at = &shape->origin;
    char digest[MESH_DIGEST];
    if (!shape->digest || !mesh_digest(shape->file, digest) || strcmp(digest, shape->digest) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: mesh file '%s' has digest %s, and was sampled with %s; restore "
                     "the file or sample again",
                     at->file, at->line, at->column, shape->file, digest, shape->digest);
}

static enum status scale_vertices(struct mesh *mesh, const char *path, double scale,
                                  struct error *error)
{
    struct triangles *t = &mesh->triangles;
    for (size_t v = 0; v < t->n_vertices; v++)
        t->vertex[v] = vec3_scale(scale, t->vertex[v]);
    mesh->volume *= scale * scale * scale;
    if (isfinite(mesh->volume) && mesh->volume > 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s: a scale of %g gives the mesh a volume of %g m^3; meters per unit of the "
                     "file would be right",
                     path, scale, mesh->volume);
}

enum status mesh_create(struct mesh **mesh, const char *path, double scale, struct error *error)
{
    enum status status = array_create(mesh, 1, sizeof **mesh, "a mesh", error);
    if (status)
        return status;
    status = triangles_read(&(*mesh)->triangles, path, error);
    if (!status)
        status = triangles_check(&(*mesh)->triangles, path, &(*mesh)->volume, error);
    if (!status)
        status = scale_vertices(*mesh, path, scale, error);
    if (!status)
        status = triangle_tree_create(&(*mesh)->tree, &(*mesh)->triangles, error);
    if (status) {
        mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}

void mesh_free(struct mesh *mesh)
{
    if (!mesh)
        return;
    triangle_tree_free(mesh->tree);
    mesh_rows_free(&mesh->rows);
    triangles_free(&mesh->triangles);
    free(mesh);
}

double mesh_distance(const struct mesh *mesh, struct vec3 point)
{
    uint32_t hint = 0;
    double distance = vec3_norm(vec3_sub(mesh_nearest(mesh, point, &hint), point));
    return triangle_tree_holds(mesh->tree, point) ? -distance : distance;
}

struct vec3 mesh_nearest(const struct mesh *mesh, struct vec3 point, uint32_t *hint)
{
    return triangle_tree_nearest(mesh->tree, point, hint);
}

double mesh_support(const struct mesh *mesh, struct vec3 direction)
{
    double reach = -HUGE_VAL;
    for (size_t v = 0; v < mesh->triangles.n_vertices; v++)
        reach = fmax(reach, vec3_dot(mesh->triangles.vertex[v], direction));
    return reach;
}

double mesh_volume(const struct mesh *mesh)
{
    return mesh->volume;
}

size_t mesh_left_out(const struct mesh *mesh)
{
    return mesh->triangles.n_left_out;
}

enum status mesh_set_lattice(struct mesh *mesh, const struct lattice *lattice, struct error *error)
{
    const struct triangles *t = &mesh->triangles;
    struct vec3 *vertex = NULL;
    enum status status =
        array_create(&vertex, t->n_vertices, sizeof *vertex, "vertices on a lattice", error);
    if (status)
        return status;
    const struct vec3 *axis = lattice->axis;
    for (size_t v = 0; v < t->n_vertices; v++) {
        struct vec3 d = vec3_sub(t->vertex[v], lattice->origin);
        vertex[v] = vec3(vec3_dot(d, axis[0]) / vec3_norm2(axis[0]),
                         vec3_dot(d, axis[1]) / vec3_norm2(axis[1]),
                         vec3_dot(d, axis[2]) / vec3_norm2(axis[2]));
    }
    mesh_rows_free(&mesh->rows);
    status = mesh_rows_create(&mesh->rows, lattice->n, vertex, t->n_faces,
                              (const uint32_t(*)[3])t->face, error);
    free(vertex);
    return status;
}

void mesh_row(const struct mesh *mesh, size_t j, size_t k, double *value)
{
    mesh_rows_signs(&mesh->rows, j, k, value);
}
