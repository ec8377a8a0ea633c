/* Meshes to be drawn smooth, but for their edges. */
#ifndef SURFACE_CREASES_H
#define SURFACE_CREASES_H

#include "surface/triangle_mesh.h"

/* A copy of the mesh, without scalars, in which a vertex is several where triangles around it meet
 * at creases: at edges across which normals turn by more than `degrees`. Each has the mean normal
 * of its own triangles. *origin (n_vertices of the copy), owned by the caller, says which vertex of
 * the mesh each one was. */
enum status mesh_creased(const struct triangle_mesh *mesh, double degrees,
                         struct triangle_mesh *creased, uint32_t **origin, struct error *error);

#endif
