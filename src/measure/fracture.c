#include "measure/fracture.h"

#include "measure/so_far.h"

/* A square hole a tenth as wide as a square wall has this fraction. */
const double through_crack_fraction = 0.01;

void fracture_update(const struct measure_row *before, const struct fragments *fragments,
                     double time, double speed_max, struct measure_row *row)
{
    const struct fragment_count *count = &fragments->count;
    if (fragments->n == 0)
        return;
    row->fragments = (double)count->fragments;
    row->chunks = (double)count->chunks;
    row->largest_fraction = count->largest_fraction;
    row->debris_fraction = count->debris_fraction;
    row->detached_fraction = count->detached_fraction;
    row->through_crack = before->through_crack;
    row->overlap_before = before->overlap_before;
    row->depth_before = before->depth_before;
    row->speed_before = before->speed_before;
    if (before->through_crack > 0.0)
        return;
    row->overlap_before = largest_so_far(before->overlap_before, row->overlap_max);
    row->depth_before = largest_so_far(before->depth_before, row->overlap_depth);
    row->speed_before = largest_so_far(before->speed_before, speed_max);
    if (count->detached_fraction > through_crack_fraction)
        row->through_crack = time;
}
