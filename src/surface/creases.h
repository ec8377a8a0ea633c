/* Prepares meshes to be drawn smooth but for their creases. */
#ifndef SURFACE_CREASES_H
#define SURFACE_CREASES_H

#include "surface/triangle_mesh.h"

/* Makes a copy of the mesh, without scalars, in which a vertex is split into several where
 * triangles around it meet at creases: edges across which normals turn by more than `degrees`. Each
 * of them has the mean normal of its own triangles. *origin (n_vertices of the copy), owned by the
 * caller, says which vertex of the mesh each one was. */
enum status mesh_creased(const struct triangle_mesh *mesh, double degrees,
                         struct triangle_mesh *creased, uint32_t **origin, struct error *error);

#endif
