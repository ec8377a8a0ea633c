/* Steps in which particles moved too far. */
#include "run/warning_parts.h"

void warn_of_beyond_radius_steps(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    unsigned long long steps = run->simulation.step;
    if (run->simulation.scene->time.courant > 1.0)
        return; /* a factor above 1 asks for such steps */
    if (run->simulation.cfl_rule->limits_approach && row->relative_displacement_steps > 0.0)
        warn(to, "far steps",
             "in %.0f of %llu steps two particles nearly in touch moved by more than a radius "
             "relative to each other (relative_displacement_steps); lower time.courant",
             row->relative_displacement_steps, steps);
    else if (!run->simulation.cfl_rule->limits_approach && row->beyond_radius_steps > 0.0)
        warn(to, "far steps",
             "in %.0f of %llu steps a particle moved by more than its radius "
             "(beyond_radius_steps); lower time.courant",
             row->beyond_radius_steps, steps);
}
