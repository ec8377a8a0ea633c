/* Velocities over one time step as plain data: systems fill them in, contact joins them, and the
 * step moves the particles by them. */
#ifndef PARTICLES_MOTION_H
#define PARTICLES_MOTION_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>

/* One entry per particle (n each). The members of a group hold the same values, except in own_* if
 * a group has members of several systems: there, each system's solution is at its own members. */
struct motion {
    struct vec3 *before;    /* at the start of the step, after merging, m/s */
    bool alone;             /* nothing is merged: `before` belongs to the particles */
    struct vec3 *own_after; /* at the end, as the particle's own system found, m/s */
    struct vec3 *own_mean;  /* displacement over dt, likewise, m/s */
    struct vec3 *after;     /* at the end, one velocity for a group, before splitting, m/s */
    struct vec3 *mean;      /* displacement over dt, likewise, m/s; the particles move by this */
};

/* After motion_create, own_after and after are the same array, and so are own_mean and mean. Use
 * motion_create_for_several if groups may have members of several systems, or if contact changes
 * what systems found. Release with motion_free, also after a failure. */
enum status motion_create(struct motion *motion, size_t n, struct error *error);
enum status motion_create_for_several(struct motion *motion, size_t n, struct error *error);
void motion_free(struct motion *motion);

/* For particles that are never merged: they start with what they have, `velocity`, m/s (n), which
 * is `before` from now on and must outlive the motion. */
void motion_leave_alone(struct motion *motion, struct vec3 *velocity);

#endif
