/* A tree of boxes around the triangles of a mesh, which finds the point of its surface nearest to a
 * given one, and what is inside. The trees of GTS can do this, too, but they list candidates first,
 * on the heap, and cannot begin with the triangle that was nearest before. Relaxing the particles
 * of a body (sample/relaxation.h) and walls (shape/walls.h) take millions of queries. */
#ifndef SHAPE_TRIANGLE_TREE_H
#define SHAPE_TRIANGLE_TREE_H

#include "shape/mesh_file.h"

#include <stdbool.h>

struct triangle_tree;

/* The triangles must outlive the tree, which depends on nothing else. */
enum status triangle_tree_create(struct triangle_tree **tree, const struct triangles *triangles,
                                 struct error *error);
void triangle_tree_free(struct triangle_tree *tree);

/* The nearest point of the surface, exact up to rounding. On input, *hint is the triangle to begin
 * with; any will do. On output, it is the triangle of the nearest point, which makes the next query
 * nearby faster. */
struct vec3 triangle_tree_nearest(const struct triangle_tree *tree, struct vec3 point,
                                  uint32_t *hint);

/* Whether a point is within a closed surface: whether the ray from it towards +x crosses an odd
 * number of triangles, by the rule of triangle_crossed (mesh_rows.h). So the sign of a distance
 * needs no normals of edges and vertices, and surfaces that touch do no harm. */
bool triangle_tree_holds(const struct triangle_tree *tree, struct vec3 point);

#endif
