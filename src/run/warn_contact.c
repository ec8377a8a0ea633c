/* Bodies that are in each other, do not part, or whose contacts are not solved. */
#include "config/contact_method.h"
#include "run/advice.h"
#include "run/warning_parts.h"

#include <math.h>

/* Particles that are deeper than this in each other, in radii, are warned of. */
static const double deep = 0.5;

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

/* One pressure sees no pairs: where particles have few neighbors, as at corners, they may come near
 * without being dense, in steps of any length. */
void warn_of_overlap(const struct run *run, const struct listener *to)
{
    double depth = run->last.overlap_depth_so_far;
    if (!(depth > deep) || !isfinite(depth) || run->last.interlocked_steps > 0.0)
        return;
    const char *what = "shorter steps keep them apart";
    if (contact_has(run->scene.contact.method, METHOD_PRESSURE))
        what = "corners enter so far in steps of any length, and less far with a smaller radius";
    warn(to, "overlap",
         "particles of different bodies were up to %.3g radii in each other (overlap_depth); %s%s",
         depth, what,
         advice_fits(run, "contact.detection=swept", to) ? ", and contact.detection: swept" : "");
}

void warn_of_self_overlap(const struct run *run, const struct listener *to)
{
    double depth = run->last.self_depth_so_far;
    if (depth > deep && isfinite(depth))
        warn(to, "self-overlap",
             "particles of one body that no bond joins were up to %.3g radii in each other "
             "(self_depth)",
             depth);
}

/* Links alone: other methods leave pairs to the next step by design. */
void warn_of_unresolved_contacts(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->unresolved_steps > 0.0 && contact_has(run->scene.contact.method, METHOD_LINKS))
        warn(to, "unresolved contacts",
             "in %.0f of %llu steps contacts and their friction were not solved to tolerance, up "
             "to %.0f of them in a step (unresolved); shorter steps or more contact.stages than "
             "%u may solve them",
             row->unresolved_steps, (unsigned long long)run->simulation.step,
             row->unresolved_so_far, (unsigned)run->scene.contact.stages);
}
