/* The rigid motion that brings one set of points closest to another. */
#ifndef ANALYSIS_RIGID_FIT_H
#define ANALYSIS_RIGID_FIT_H

#include "base/vec3.h"

#include <stddef.h>

/* x -> turn (x - from) + to */
struct rigid_placement {
    double turn[9]; /* rotation, row by row */
    struct vec3 from, to;
};

#define RIGID_REST                                                                                 \
    {                                                                                              \
        {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0},                                                    \
        {                                                                                          \
            0, 0, 0                                                                                \
        }                                                                                          \
    }

/* Minimizes the sum of the squares of the n distances, by Horn's quaternion (J. Opt. Soc. Am. A 4,
 * 629, 1987), which gives a proper rotation also for points in a plane. Positions that are not
 * finite make it nan. */
struct rigid_placement rigid_fit(size_t n, const struct vec3 *from, const struct vec3 *to);

static inline struct vec3 rigid_rotate(const struct rigid_placement *motion, struct vec3 a)
{
    const double *m = motion->turn;
    return vec3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
                m[6] * a.x + m[7] * a.y + m[8] * a.z);
}

static inline struct vec3 rigid_carry(const struct rigid_placement *motion, struct vec3 x)
{
    return vec3_add(rigid_rotate(motion, vec3_sub(x, motion->from)), motion->to);
}

#endif
