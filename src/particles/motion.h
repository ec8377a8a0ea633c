/* Velocities over one time step as plain data: systems fill them in, contact joins them, and the
 * step moves the particles by them. */
#ifndef PARTICLES_MOTION_H
#define PARTICLES_MOTION_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>

/* Mirrored: the members of a group hold the same values, but for own_* where a group has members of
 * several systems: there each system's solution stands at its own members (n each). */
struct motion {
    struct vec3 *before;    /* at the start of the step, after merging, m/s */
    struct vec3 *own_after; /* at the end, as the particle's own system found, m/s */
    struct vec3 *own_mean;  /* displacement over dt, likewise, m/s */
    struct vec3 *after;     /* at the end, one velocity for a group, before splitting, m/s */
    struct vec3 *mean;      /* displacement over dt, likewise, m/s; the particles move by this */
};

/* Where no group can have members of several systems, and contact changes nothing that systems
 * found, own_* and the others are the same arrays; otherwise use motion_create_for_several.
 * Release with motion_free, also after a failure. */
enum status motion_create(struct motion *motion, size_t n, struct error *error);
enum status motion_create_for_several(struct motion *motion, size_t n, struct error *error);
void motion_free(struct motion *motion);

#endif
