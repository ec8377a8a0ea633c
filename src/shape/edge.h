/* Curves in which two faces meet, cut into pieces short enough to be nearly straight. For
 * compound.c. */
#ifndef SHAPE_EDGE_H
#define SHAPE_EDGE_H

#include "base/error.h"
#include "shape/face.h"

#include <stddef.h>

struct edge {
    const struct face *first, *second;
    struct vec3 begin, end; /* on the curve, m */
    double bulge;           /* the curve is no farther than this from the chord, m; 0: straight */
};

struct edges {
    size_t n, capacity;
    struct edge *edge;
};

/* Adds the pieces of the curve in which the faces meet, as far as both solids' bounds reach, to
 * `edges`. Loops shorter than some 1/500 of the smaller face may be missed, and faces that touch
 * without crossing have no curve. `hair` is a length far above rounding. */
enum status edges_add(struct edges *edges, const struct face *a, const struct face *b, double hair,
                      struct error *error);

/* The point of the piece whose projection on the chord is at the fraction `s` of it, on both faces
 * up to rounding, and the curve's direction there, of length 1, from `begin` to `end`. */
struct vec3 edge_point(const struct edge *edge, double s, struct vec3 *direction);

/* Distance of the piece from a point, exact up to rounding; cheaper where the piece is no nearer
 * than `limit`, when any number from there on may come back. */
double edge_distance(const struct edge *edge, struct vec3 point, double limit);

#endif
