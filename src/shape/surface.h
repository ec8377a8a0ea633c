/* Surfaces of triangles whose vertices become particles: the mesh of a file, or a geodesic sphere.
 */
#ifndef SHAPE_SURFACE_H
#define SHAPE_SURFACE_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"

#include <stddef.h>
#include <stdint.h>

struct surface {
    size_t n;
    struct vec3 *position; /* of the vertices, m (n) */
    size_t n_triangles;
    uint32_t (*triangle)[3]; /* of vertices, counter-clockwise seen from outside, or from the side
                                that the file has in front (n_triangles) */
    double area;             /* m^2 */
    size_t left_out;         /* triangles without area in the file */
};

/* The shapes that have vertices: meshes, which may be open, and balls. */
bool surface_is_of(const struct shape *shape);

/* Makes the surface of such a shape. A ball's is an icosahedron whose faces are divided so often
 * that the mean area of a vertex is nearest to that in a triangular lattice of this spacing, m; a
 * mesh has the vertices of its file, in their order. STATUS_INVALID with "file:line:column: ..."
 * for a file that is not such a mesh (mesh_file.h, mesh_check.h). Release with surface_free, unless
 * it failed. */
enum status surface_create(struct surface *surface, const struct shape *shape, double spacing,
                           struct error *error);
void surface_free(struct surface *surface);

#endif
