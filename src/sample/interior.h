/* Keeping particles inside a solid: no particle is nearer to its surface than a radius. For
 * relaxation.c. */
#ifndef SAMPLE_INTERIOR_H
#define SAMPLE_INTERIOR_H

#include "shape/shape.h"

#include <stdbool.h>

/* A particle may be nearer to the surface than a radius by this much, in radii. */
#define INTERIOR_TOLERANCE 1e-6

struct interior {
    const struct solid *solid;
    double radius; /* of particles, m */
    double reach;  /* depths up to this are computed, m */
};

/* The place of a particle relative to the surface. */
struct resident {
    double depth; /* distance to the surface, m; or, if larger than `reach`, a lower bound of it */
    struct vec3 outward; /* to the nearest point of the surface, of length 1 or 0 (solid_depth) */
    uint32_t hint;
};

/* Moves a position inside the solid until it is a radius from the surface. It is moved away from
 * the nearest point of the surface, again and again, but never farther than the distance to that
 * point, so that it cannot leave the solid. False if it does not get there, as where the solid is
 * thinner than two radii. */
bool interior_admit(const struct interior *interior, struct vec3 *position,
                    struct resident *resident);

/* Moves a resident by a step of at most a radius, and then as interior_admit does. If that fails,
 * the resident stays where it was. */
void interior_move(const struct interior *interior, struct vec3 *position,
                   struct resident *resident, struct vec3 step);

/* The depth of a deepest point near the position of a resident, m: the radius of a ball that fits
 * in there. */
double interior_deepest(const struct interior *interior, struct vec3 position);

#endif
