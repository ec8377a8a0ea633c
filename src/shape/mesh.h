/* Closed triangle meshes as solids. For shape.c and surface.c. The GNU Triangulated Surface library
 * searches for self-intersections.
 *
 * That library, and glib beneath it, end the process when memory runs out, and may do so when a
 * surface is not valid; so a mesh is read and its edges are checked before the library sees it. */
#ifndef SHAPE_MESH_H
#define SHAPE_MESH_H

#include "base/error.h"
#include "shape/shape.h"

struct mesh;

/* Whether the file of a shape that is a mesh is the one that the shape was configured with.
 * STATUS_INVALID with "file:line:column: ..." otherwise. */
enum status mesh_check_digest(const struct shape *shape, struct error *error);

/* Reads and checks the mesh (see mesh_file.h and mesh_check.h for what is refused, STATUS_INVALID)
 * and multiplies its coordinates by `scale`, m per unit of the file. */
enum status mesh_create(struct mesh **mesh, const char *path, double scale, struct error *error);
void mesh_free(struct mesh *mesh);

/* Exact signed distance, negative inside, m; the sign by counting crossings. */
double mesh_distance(const struct mesh *mesh, struct vec3 point);

/* The point of the surface nearest to a given one: see triangle_tree_nearest. */
struct vec3 mesh_nearest(const struct mesh *mesh, struct vec3 point, uint32_t *hint);

/* Largest dot product of a vertex with the direction. */
double mesh_support(const struct mesh *mesh, struct vec3 direction);

double mesh_volume(const struct mesh *mesh); /* m^3 */

size_t mesh_left_out(const struct mesh *mesh); /* triangles without area in its file */

/* Like solid_set_lattice and solid_row in shape.h. */
enum status mesh_set_lattice(struct mesh *mesh, const struct lattice *lattice, struct error *error);
void mesh_row(const struct mesh *mesh, size_t j, size_t k, double *value);

#endif
