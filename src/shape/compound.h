/* Distance from the surface of a union or a difference. The distances from its parts' surfaces
 * bound it from below; where the part's nearest point is within another part, as at the seam of two
 * boxes that make one tank, the true one is larger: it is found among the smooth surfaces that
 * bound the parts (face.h) and the curves in which two of them meet (edge.h), by asking the shape
 * which of their points are on its surface. For shape.c. */
#ifndef SHAPE_COMPOUND_H
#define SHAPE_COMPOUND_H

#include "shape/shape.h"

struct compound;

/* Finds the faces of the solid's primitives and the edges of its surface. The solid has no mesh in
 * it, and outlives the compound. */
enum status compound_create(struct compound **compound, const struct solid *solid,
                            const struct shape *shape, struct error *error);
void compound_free(struct compound *compound);

/* Signed distance from the surface, negative inside, exact up to rounding. Where solid_bound is
 * exact, it is that number. Gaps between parts, and parts, that are thinner than 1e-9 of the solid
 * are not there. */
double compound_distance(const struct compound *compound, struct vec3 point);

#endif
