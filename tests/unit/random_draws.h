/* Random numbers and vectors, each of them drawn anew, for tests of merging and splitting. */
#ifndef TESTS_RANDOM_DRAWS_H
#define TESTS_RANDOM_DRAWS_H

#include "base/vec3.h"
#include "particles/random.h"

#include <math.h>

static uint64_t draws;

static double uniform(void)
{
    return random_uniform(11, 0, draws++, RANDOM_TEST);
}

static struct vec3 normal_vector(double length)
{
    uint64_t k = draws;
    draws += 3;
    return vec3(length * random_normal(13, 0, k, RANDOM_TEST),
                length * random_normal(13, 0, k + 1, RANDOM_TEST),
                length * random_normal(13, 0, k + 2, RANDOM_TEST));
}

/* 10^a, a uniform between low and high. */
static double power_of_ten(double low, double high)
{
    return pow(10.0, low + (high - low) * uniform());
}

#endif
