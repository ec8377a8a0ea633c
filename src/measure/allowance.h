/* The largest speed that physics allows particles to reach (definition: "Stability" in
 * docs/measures.md): by an elastic impact of two particles with the initial velocities, and by the
 * work of gravity since then. */
#ifndef MEASURE_ALLOWANCE_H
#define MEASURE_ALLOWANCE_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>

struct allowance {
    struct vec3 gravity; /* m/s^2 */
    size_t n;
    double *start[3]; /* where gravity begins to work on each particle, along each axis that it has
                         a component along, m (n); NULL: it has none */
    double *weight;   /* of each body, what its own lift leaves of gravity where it is a gas that
                         rises, < 0; 1 of all others (n_bodies) */
    double elastic;   /* largest speed after an elastic impact of particles of two bodies, m/s */
    double factor;  /* largest speed of a particle hit at rest over that of the one that hits it */
    double mass;    /* of free particles at the start, kg */
    bool supported; /* something is fixed: particles or walls */
};

/* `initial`: the particles before the first step, also for a resumed run. Release with
 * allowance_free, also after a failure. */
enum status allowance_create(struct allowance *allowance, const struct scene *scene,
                             const struct particles *initial, struct error *error);
void allowance_free(struct allowance *allowance);

/* The speed allowed now, m/s, once `released` joules of the elastic energy of the start have been
 * set free (at most 0: none). Not finite if a position is. The same for any number of threads. */
double allowance_speed(const struct allowance *allowance, const struct particles *particles,
                       double released);

/* Kinetic energy of free particles faster than `speed`, J, beyond what they would have at that
 * speed. The same for any number of threads. */
double allowance_excess(const struct particles *particles, double speed);

#endif
