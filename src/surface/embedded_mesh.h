/* A mesh that moves with the particles of a solid and is finer than they are, such as the mesh that
 * the solid was filled from. */
#ifndef SURFACE_EMBEDDED_MESH_H
#define SURFACE_EMBEDDED_MESH_H

#include "shape/mesh_file.h"
#include "surface/rest_lattice.h"
#include "surface/triangle_mesh.h"

/* The ways in which a mesh follows: the word, its value. */
#define MESH_FOLLOWS(X)                                                                            \
    X("least-squares", FOLLOW_LEAST_SQUARES)                                                       \
    X("kernel", FOLLOW_KERNEL)
#define MESH_FOLLOW_VALUE_(word, value) value,
enum mesh_follow { MESH_FOLLOWS(MESH_FOLLOW_VALUE_) };
#define MESH_FOLLOW_WORD_(word, value) "|" word
#define MESH_FOLLOW_WORDS (&(MESH_FOLLOWS(MESH_FOLLOW_WORD_))[1])

/* Appends the triangles, whose vertices are in the unstressed body's frame (m), at the places to
 * which the particles took them, by moving least squares. Around each vertex X an affine map is
 * fitted to the particles within 2.5 spacings, with weights (1 - (d / 2.5 spacings)^2)^3, or to
 * farther ones, too, if these lie in a plane; a body of one layer has a rotation in place of the
 * linear part. Affine maps of the whole body are followed exactly, and the surface moves smoothly.
 * It does not tear.
 *
 * Positions are by particle of the whole set, `rest` in the body's frame; `start`: the body's
 * rotation at the beginning, row by row. STATUS_INVALID, with the vertex, if there is no particle
 * within 8 spacings. */
enum status embedded_mesh_follow(struct triangle_mesh *mesh, const struct triangles *triangles,
                                 const struct rest_lattice *lattice, const struct vec3 *rest,
                                 const struct vec3 *position, const double start[9],
                                 struct error *error);

#endif
