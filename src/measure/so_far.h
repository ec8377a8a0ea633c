/* Largest values over a run, row by row. */
#ifndef MEASURE_SO_FAR_H
#define MEASURE_SO_FAR_H

#include "measure/measures.h"

#include <math.h>

/* A value that is not finite is the largest of all: fmax alone would pass over NaN, and a run that
 * was lost would look harmless. */
static inline double largest_so_far(double before, double now)
{
    return isfinite(now) ? fmax(before, now) : (double)INFINITY;
}

/* Fills the columns of `row` that end in _so_far from those of the row before (zero for the first
 * step) and what they are the largest of. */
void so_far_update(const struct measure_row *before, struct measure_row *row);

#endif
