/* Totals of all free particles, in one pass over them. */
#ifndef STEP_TOTALS_H
#define STEP_TOTALS_H

#include "particles/particles.h"

struct totals {
    double mass;          /* kg */
    double kinetic;       /* J */
    double gravitational; /* zero at the origin, J */
    struct vec3 momentum; /* kg m/s */
    struct vec3 angular;  /* about the origin, kg m^2/s */
};

struct totals totals_of(const struct particles *particles, struct vec3 gravity);

#endif
