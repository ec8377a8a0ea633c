/* Continuous collision detection of one point against one triangle, all moving linearly in time. */
#ifndef MEASURE_CROSSING_H
#define MEASURE_CROSSING_H

#include "base/vec3.h"

#include <stdint.h>

/* A point on its way from `from` (time 0) to `to` (time 1). */
struct moving_point {
    struct vec3 from, to; /* m */
};

/* A triangle on its way, with the identities of its vertices, which order shared edges. */
struct moving_triangle {
    struct moving_point vertex[3];
    uint32_t id[3]; /* all different */
};

/* How often the point passes through the triangle within the interval: 0 ... 3.
 *
 * The signed volume of (point, triangle) is a cubic in time; its sign at the ends depends on the
 * positions there alone, so for consecutive intervals each change of side is seen once, by one of
 * them. Zero counts as positive. Of triangles that share an edge, in one plane, exactly one sees a
 * point that passes through the edge. */
unsigned crossing_count(const struct moving_point *point, const struct moving_triangle *triangle);

#endif
