/* What moved in a step, by displacements over its length (definitions: docs/measures.md). With
 * merging-and-splitting velocities at the end of a step are those between a split and the next
 * merge, and a body at rest under pressure has them, too. */
#ifndef MEASURE_MOTION_H
#define MEASURE_MOTION_H

#include "measure/measures.h"

/* Fills kinetic_of_motion, of free particles, and speed_of_motion, of all that are here. `from`:
 * positions at the start of the step, m (n); `dt`: its length, s. The same for any number of
 * threads. */
void motion_update(const struct vec3 *from, const struct particles *after, double dt,
                   struct measure_row *row);

#endif
