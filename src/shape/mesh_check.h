/* Checks that triangles bound a solid, or are a surface. For mesh.c and surface.c alone. */
#ifndef SHAPE_MESH_CHECK_H
#define SHAPE_MESH_CHECK_H

#include "shape/mesh_file.h"

/* Checks that the surface is closed (every edge has two triangles), manifold (not more), oriented
 * alike from triangle to triangle, and free of self-intersections; names `path`, the number of
 * faults and the place of one otherwise. Parts that only touch, or lie on each other in one plane,
 * do not count as intersecting: no side of one passes through a triangle of the other.
 *
 * Which side is outside is then decided here, not taken from the file: each connected part is
 * turned outward, or inward if it lies within an odd number of other parts and so bounds a cavity.
 * A mesh that is inside out as a whole means the same solid, and is turned rather than refused.
 *
 * *volume is that of the solid, in cubed units of the file, by the divergence theorem. */
enum status triangles_check(struct triangles *triangles, const char *path, double *volume,
                            struct error *error);

/* The same of a surface that may have edges with one triangle. One that has such edges may cross
 * itself, and its sides are those of the file. */
enum status triangles_check_surface(struct triangles *triangles, const char *path,
                                    struct error *error);

/* The parts of the check. */
enum status mesh_check_crossings(const struct triangles *triangles, const char *path,
                                 struct error *error);
enum status mesh_orient(struct triangles *triangles, const char *path, double *volume,
                        struct error *error);

#endif
