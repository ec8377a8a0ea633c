/* Largest values over a run, row by row. */
#ifndef MEASURE_SO_FAR_H
#define MEASURE_SO_FAR_H

#include <math.h>

/* A value that is not finite is the largest of all: fmax alone would pass over NaN, and a run that
 * was lost would look harmless. */
static inline double largest_so_far(double before, double now)
{
    return isfinite(now) ? fmax(before, now) : (double)INFINITY;
}

#endif
