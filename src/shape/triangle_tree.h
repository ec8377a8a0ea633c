/* A tree of boxes around the triangles of a mesh, for the place of its surface that is nearest to a
 * point. The trees of GTS, which mesh.c uses for rays, answer that, too, but only after a list of
 * candidates was made, and without remembering which triangle was near a moment ago: relaxing the
 * particles of a body (sample/relaxation.h) takes millions of answers. */
#ifndef SHAPE_TRIANGLE_TREE_H
#define SHAPE_TRIANGLE_TREE_H

#include "shape/mesh_file.h"

struct triangle_tree;

/* The triangles must outlive the tree, which depends on nothing else. */
enum status triangle_tree_create(struct triangle_tree **tree, const struct triangles *triangles,
                                 struct error *error);
void triangle_tree_free(struct triangle_tree *tree);

/* The nearest place of the surface, exact but for rounding. *hint is the triangle to begin with,
 * any, and then the one that the place is in: the next call near by is faster. */
struct vec3 triangle_tree_nearest(const struct triangle_tree *tree, struct vec3 point,
                                  uint32_t *hint);

#endif
