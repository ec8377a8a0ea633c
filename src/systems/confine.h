/* What keeps particles within walls when all else fails: for every system whose particles walls
 * hold.
 */
#ifndef SYSTEMS_CONFINE_H
#define SYSTEMS_CONFINE_H

#include "systems/system.h"

/* Whether the path of particle i over dt ends nearer to the walls than `least`, m; not of a
 * particle that is not free. */
bool ends_near_walls(const struct walls *walls, double least, const struct particles *particles,
                     size_t i, double dt, const struct vec3 *mean);

/* Ends the path of particle i over dt where the walls allow, at least `least` from them, m, and
 * without a rebound: along the direction in which a wall pushed it back, its velocity is at least
 * that of the shortened path. Adds to *report. Particles that are not free are left alone. */
void confine_to_walls(const struct walls *walls, double least, const struct particles *particles,
                      size_t i, double dt, struct vec3 *mean, struct vec3 *velocity,
                      struct confine_report *report);

#endif
