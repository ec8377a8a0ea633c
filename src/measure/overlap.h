/* Measures how deep particles lie in each other. */
#ifndef MEASURE_OVERLAP_H
#define MEASURE_OVERLAP_H

#include "particles/pairs.h"
#include "particles/particles.h"

#include <stddef.h>

/* Overlaps of some of the pairs that touch (delta > 0), delta = 1 - d / (r1 + r2). */
struct overlap {
    size_t touching;
    size_t half; /* pairs with delta > 1/2 */
    size_t
        inside;  /* pairs with a center inside the other particle: deeper than the smaller radius */
    double max;  /* 0 without touching pairs */
    double mean; /* 0 without touching pairs */
    double depth; /* largest (r1 + r2 - d) / min(r1, r2); 0 without touching pairs */
};

/* Pairs of different bodies. `pairs` holds each pair that may touch once, further pairs do no harm.
 * NaN in a position makes max, mean and depth NaN. The same for any number of threads. */
struct overlap overlap_measure(const struct particles *particles, const struct pair_list *pairs);

/* The same for pairs of one body, each body's contact with itself; `pairs` must hold none that a
 * whole bond joins. */
struct overlap overlap_measure_within(const struct particles *particles,
                                      const struct pair_list *pairs);

#endif
