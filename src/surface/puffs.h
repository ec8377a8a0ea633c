/* Smoke in pictures: soft balls that dim what is behind them, the older the larger and the thinner
 * (UPP, Section 7.2.4). */
#ifndef SURFACE_PUFFS_H
#define SURFACE_PUFFS_H

#include "base/vec3.h"

#include <stddef.h>

struct puffs {
    size_t n;
    struct vec3 *position; /* m (n) */
    float *radius;         /* m (n) */
    float *depth; /* optical, through the middle: exp(-depth) of the light comes through (n) */
};

#endif
