#include "measure/resolution.h"

const double resolution_share_limit = 0.1;

/* A step as long as the rule allows is so only to rounding. */
static const double rounding = 1e-9;

void resolution_update(const struct measure_row *before, const struct resolution_input *input,
                       struct measure_row *row)
{
    row->far_steps = before->far_steps + (input->far > 0.0);
    row->approach_steps = before->approach_steps + (input->approach > 1.0 + rounding);
    row->numerical_lost = before->numerical_lost;
    if (!(before->impact_kinetic > 0.0))
        return; /* the impact is the end of this step, at the earliest */
    row->numerical_lost += input->numerical;
    double brought = row->energy_available - row->impact_kinetic;
    row->numerical_share = row->numerical_lost / (row->impact_internal + brought);
}
