/* Geodesic spheres: icosahedra whose faces are divided into triangles that are nearly equal. For
 * surface.c and sample.c. */
#ifndef SHAPE_GEODESIC_H
#define SHAPE_GEODESIC_H

#include "shape/surface.h"

/* About how many vertices it has: as many as there are in a triangular lattice of its area. */
double geodesic_vertices(double radius, double spacing);

/* See surface_create. An edge of the icosahedron has f >= 1 parts, equal in angle, which makes
 * 10 f^2 + 2 vertices and 20 f^2 triangles. */
enum status geodesic_create(struct surface *surface, double radius, struct vec3 center,
                            double spacing, struct error *error);

#endif
