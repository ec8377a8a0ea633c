#include "measure/so_far.h"

void so_far_update(const struct measure_row *before, struct measure_row *row)
{
    row->overlap_depth_so_far = largest_so_far(before->overlap_depth_so_far, row->overlap_depth);
    row->self_depth_so_far = largest_so_far(before->self_depth_so_far, row->self_depth);
    row->strain_so_far = largest_so_far(before->strain_so_far, row->strain);
}
