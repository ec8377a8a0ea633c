/* Energy that a run made, and energy that its integrator took. */
#include "measure/resolution.h"
#include "run/advice.h"
#include "run/warning_parts.h"

void warn_of_instability(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->unstable != 0.0)
        warn(to, "unstable",
             "energy_gain %.3g, speed_ratio %.3g; contact made %.3g J out of nowhere",
             row->energy_gain, row->speed_ratio, row->energy_created);
}

void warn_of_dissipation(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->numerical_dissipation_fraction > resolution_fraction_limit)
        warn(to, "dissipation",
             "the time integrator dissipated %.3g %% of the energy since the impact "
             "(numerical_dissipation_fraction); shorter steps would keep more of it%s",
             100.0 * row->numerical_dissipation_fraction,
             advice_newmark(run) ? ", and solver.integrator: newmark" : "");
}
