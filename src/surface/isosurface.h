/* The surface on which a field is zero, as a closed and oriented mesh.
 *
 * It is found by marching tetrahedra: each cell of the lattice is six tetrahedra around its
 * diagonal (Kuhn), which meet face to face because all cells are cut alike. A tetrahedron has no
 * ambiguous case, so the mesh is a manifold whatever the field is, also where blocks meet; tables
 * of marching cubes leave holes unless they are chosen with care. A vertex belongs to an edge of
 * the lattice, which names it: the block that has the edge's lower end makes it, and others find it
 * by its number.
 *
 * The surface library of shape/mesh.h has an isosurface, too, but wants all of a lattice, slice by
 * slice: it looks at every point of the bounding box, with one thread, and ends the process when
 * memory runs out. */
#ifndef SURFACE_ISOSURFACE_H
#define SURFACE_ISOSURFACE_H

#include "surface/lattice_blocks.h"
#include "surface/triangle_mesh.h"

/* Fills `mesh`, which is empty, with the surface of the field in the finished list of blocks. Every
 * cell that the surface crosses must be in one of them. Points at which the field is negative are
 * inside. The order of vertices and triangles is that of the blocks, for any number of threads. */
enum status isosurface(const struct block_list *blocks, block_field *field, const void *context,
                       double spacing, struct triangle_mesh *mesh, struct error *error);

#endif
