/* Velocities at the end that are not motion. */
#include "run/warning_parts.h"

#include <math.h>

/* What splitting returns is merged again in the next step if something presses particles together,
 * which then do not move: their velocities do not matter where they are below this fraction of
 * what an impact allows. */
static const double worth_a_word = 0.01;

void warn_of_velocities_at_rest(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    const struct particles *p = &run->simulation.particles;
    double kinetic = run->simulation.energy.kinetic, fastest = 0.0;
    if (!(row->impact_kinetic > 0.0) || !(row->kinetic_of_motion < 0.5 * kinetic))
        return;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] == PARTICLE_FREE)
            fastest = fmax(fastest, vec3_norm(p->velocity[i]));
    if (fastest > worth_a_word * row->speed_allowed)
        warn(to, "velocities",
             "of %.3g J of kinetic energy at the end, with velocities up to %.3g m/s, %.3g J is "
             "motion (kinetic_of_motion), up to %.3g m/s (speed_of_motion): the rest is what "
             "splitting returned, and the next merging takes it again",
             kinetic, fastest, row->kinetic_of_motion, row->speed_of_motion);
}
