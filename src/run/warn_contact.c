/* Bodies that are in each other, or do not part. */
#include "run/warning_parts.h"

void warn_of_sticking(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->sticking == 0.0)
        return;
    if (row->interlocked > 0.0)
        warn(to, "sticking",
             "bodies are interlocked, %.0f pairs of particles with a center inside the other; "
             "shorter steps or slower bodies would part",
             row->interlocked);
    else
        warn(to, "sticking",
             "bodies have touched for %.3g s though nothing holds them; they should have parted "
             "within %.3g s",
             row->free_contact_time, row->separation_time);
}

void warn_of_interlocking(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->interlocked_steps > 0.0 && row->interlocked == 0.0)
        warn(
            to, "interlocked",
            "after %.0f of %llu steps there were centers of particles inside those of other bodies "
            "(interlocked_steps)",
            row->interlocked_steps, (unsigned long long)run->simulation.step);
}
