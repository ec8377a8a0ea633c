#include "measure/resolution.h"

#include "measure/so_far.h"

#include <math.h>

const double resolution_fraction_limit = 0.1, resolution_gain_limit = 0.5;
const double resolution_density_limit = 0.01;

/* A step as long as the rule allows may be too long by rounding, and energies that are equal may
 * differ by that. */
static const double rounding = 1e-9;

/* The rise above the lowest sum so far, not the sum of what is positive: energies that steps take
 * and give back in turn are no gain, and backward Euler takes again what was made, in later steps.
 */
static void update_gain(const struct measure_row *before, const struct resolution_input *input,
                        struct measure_row *row)
{
    double gain = before->linearization_gain + input->linearization;
    row->linearization_gain = gain < 0.0 ? 0.0 : gain;
    row->linearization_gain_so_far =
        largest_so_far(before->linearization_gain_so_far, row->linearization_gain);
    row->energy_so_far = largest_so_far(before->energy_so_far, input->energy);
}

static void update_fluids(const struct measure_row *before, const struct resolution_input *input,
                          struct measure_row *row)
{
    const double was = before->density_error_so_far;
    row->unsolved_steps = before->unsolved_steps + (input->pressure_left > 1.0);
    row->pressure_left_so_far = largest_so_far(before->pressure_left_so_far, input->pressure_left);
    row->density_error_so_far = was + input->dt / input->time * (input->density_error - was);
}

/* Of the energy that is there without the common motion. Nothing of nothing is 0: two grains that
 * go on together have none, and lose none. */
static double fraction_lost(const struct measure_row *row)
{
    const double common = row->impact_kinetic - row->impact_internal;
    const double own = row->energy_available - common, least = rounding * row->energy_available;
    const double lost = row->numerical_dissipation_since_impact;
    return !(own > least) && fabs(lost) <= least ? 0.0 : lost / own;
}

void resolution_update(const struct measure_row *before, const struct resolution_input *input,
                       struct measure_row *row)
{
    row->beyond_radius_steps = before->beyond_radius_steps + (input->beyond_radius > 0.0);
    row->relative_displacement_steps =
        before->relative_displacement_steps + (input->relative_displacement > 1.0 + rounding);
    row->unresolved_steps = before->unresolved_steps + (input->unresolved > 0.0);
    row->unresolved_so_far = largest_so_far(before->unresolved_so_far, input->unresolved);
    update_gain(before, input, row);
    update_fluids(before, input, row);
    row->numerical_dissipation_since_impact = before->numerical_dissipation_since_impact;
    if (!(before->impact_kinetic > 0.0))
        return; /* the impact is the end of this step, at the earliest */
    row->numerical_dissipation_since_impact += input->numerical_dissipation;
    row->numerical_dissipation_fraction = fraction_lost(row);
}

double resolution_rebound_kept(double dt, double contact)
{
    double steps = fmax(contact / dt, 1.0); /* less than one step leaves no more than one */
    double phase = M_PI / steps;
    return pow(1.0 + phase * phase, -steps);
}

/* kept = exp(-pi^2 dt / contact) for short steps */
double resolution_rebound_step(double contact)
{
    return -log1p(-resolution_fraction_limit) * contact / (M_PI * M_PI);
}
