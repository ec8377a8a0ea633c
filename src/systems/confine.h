/* The last resort that keeps particles within walls, for every system whose particles walls hold.
 */
#ifndef SYSTEMS_CONFINE_H
#define SYSTEMS_CONFINE_H

#include "systems/system.h"

/* Whether the path of particle i over dt ends nearer to the walls than `least`, m; false for a
 * particle that is not free. */
bool ends_near_walls(const struct walls *walls, double least, const struct particles *particles,
                     size_t i, double dt, const struct vec3 *mean);

/* A particle whose path walls shortened does not rebound: along the direction `back` in which they
 * pushed its end back, its velocity becomes at least that of the shortened path, `mean`. Adds to
 * *report. */
void confine_velocity(const struct particles *particles, size_t i, struct vec3 back,
                      struct vec3 mean, struct vec3 *velocity, struct confine_report *report);

/* Shortens the path of particle i over dt so that it ends at least `least` from the walls, m, and
 * confines its velocity. Adds to *report. Particles that are not free are left alone. */
void confine_to_walls(const struct walls *walls, double least, const struct particles *particles,
                      size_t i, double dt, struct vec3 *mean, struct vec3 *velocity,
                      struct confine_report *report);

#endif
