/* Random points within a box about the origin. A test includes this once and need not use every
 * function. */
#ifndef TESTS_RANDOM_POINTS_H
#define TESTS_RANDOM_POINTS_H

#include "base/vec3.h"
#include "particles/random.h"

__attribute__((unused)) static double random_between(uint64_t *draw, double low, double high)
{
    return low + (high - low) * random_uniform(7, 0, (*draw)++, RANDOM_TEST);
}

__attribute__((unused)) static struct vec3 random_in(uint64_t *draw, double x, double y, double z)
{
    double a = random_between(draw, -x, x), b = random_between(draw, -y, y);
    return vec3(a, b, random_between(draw, -z, z));
}

#endif
