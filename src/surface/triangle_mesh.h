/* Triangle meshes that are made here: surfaces of fluids and solids, to be drawn or written to
 * files (mesh_formats.h). Meshes that bound bodies of a scene are those of shape/mesh.h. */
#ifndef SURFACE_TRIANGLE_MESH_H
#define SURFACE_TRIANGLE_MESH_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

/* A number per vertex, such as a speed or a damage. */
struct mesh_scalar {
    const char *name; /* one word; a constant of the caller */
    float *value;     /* n_vertices */
};

enum { MESH_SCALARS_MAX = 8 };

/* All zero: empty. Owns its arrays; triangle_mesh_free releases them. */
struct triangle_mesh {
    size_t n_vertices, vertex_capacity;
    struct vec3 *vertex; /* m (n_vertices) */
    size_t n_triangles, triangle_capacity;
    uint32_t (*triangle)[3]; /* vertices, counterclockwise as seen from outside (n_triangles) */
    struct vec3 *normal;     /* unit vectors, outwards (n_vertices); NULL: none */
    size_t n_scalars;
    struct mesh_scalar scalar[MESH_SCALARS_MAX];
};

/* Appends a vertex, whose number is n_vertices - 1 afterwards. STATUS_FAILED when memory runs out
 * or there are 2^31 - 1 of them, the most that all formats can number. Vertices must be added
 * before normals and scalars. */
enum status triangle_mesh_add_vertex(struct triangle_mesh *mesh, struct vec3 vertex,
                                     struct error *error);

/* Appends a triangle of three vertices that are there. STATUS_FAILED as above. */
enum status triangle_mesh_add(struct triangle_mesh *mesh, uint32_t a, uint32_t b, uint32_t c,
                              struct error *error);

/* Appends a copy of the vertices and triangles of another mesh. Neither has normals or scalars. */
enum status triangle_mesh_append(struct triangle_mesh *mesh, const struct triangle_mesh *other,
                                 struct error *error);

/* Adds an array of n_vertices zeros; normals that are there already become zeros. The mesh owns
 * them; the caller fills them. At most MESH_SCALARS_MAX scalars. */
enum status triangle_mesh_add_normals(struct triangle_mesh *mesh, struct error *error);
enum status triangle_mesh_add_scalar(struct triangle_mesh *mesh, const char *name, float **value,
                                     struct error *error);

/* Sets normals (which it adds if there are none) to the mean of those of the triangles around each
 * vertex, weighted by their angle at the vertex (Thuermer and Wuethrich 1998): it does not depend
 * on how a flat face is cut into triangles. A vertex of no triangle, or of ones without an area,
 * has the normal (0, 0, 1). */
enum status triangle_mesh_find_normals(struct triangle_mesh *mesh, struct error *error);

void triangle_mesh_free(struct triangle_mesh *mesh);

#endif
