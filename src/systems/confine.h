/* The last resort that keeps particles within walls, for every system whose particles walls hold.
 */
#ifndef SYSTEMS_CONFINE_H
#define SYSTEMS_CONFINE_H

#include "systems/system.h"

/* Whether the path of particle i over dt ends nearer to the walls than `least`, m; false for a
 * particle that is not free. */
bool ends_near_walls(const struct walls *walls, double least, const struct particles *particles,
                     size_t i, double dt, const struct vec3 *mean);

/* Shortens the path of particle i over dt so that it ends at least `least` from the walls, m. The
 * particle does not rebound: along the direction in which the walls pushed its end back, its
 * velocity becomes at least that of the shortened path. Adds to *report. Particles that are not
 * free are left alone. */
void confine_to_walls(const struct walls *walls, double least, const struct particles *particles,
                      size_t i, double dt, struct vec3 *mean, struct vec3 *velocity,
                      struct confine_report *report);

#endif
