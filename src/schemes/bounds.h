/* Where walls let particles move. */
#ifndef SCHEMES_BOUNDS_H
#define SCHEMES_BOUNDS_H

#include "schemes/scheme.h"

/* Scratch: paths of members of groups. Zero at first. */
struct wall_stops {
    struct vec3 *unbounded; /* (capacity) */
    size_t capacity;
};

void bounds_free(struct wall_stops *bounds);

/* Keeps particles, and with them the groups of the view, within the bounds of systems, by changing
 * the displacements over dt by which they would move, `mean`, and their velocities after that (by
 * particle), m/s. Adds to *report. Fails only if memory runs out. */
enum status bounds_keep(struct wall_stops *bounds, const struct step_view *view, struct vec3 *mean,
                        struct vec3 *velocity, struct confine_report *report, struct error *error);

#endif
