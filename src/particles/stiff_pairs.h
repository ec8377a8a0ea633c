/* Outside forces that depend on the motion in the step, as plain data: contact makes them, and a
 * system with an implicit solve finds them together with its own forces. The force that pushes the
 * particles of a pair apart, along its normal, is
 *
 *     f(w) = force - stiffness (n . w - at)
 *
 * where w is the displacement of j in the step less that of i. As in backward Euler, forces act
 * over the whole step with their values at its end. When the motion is known, these forces are
 * added to particles->force, so that the ledger sees them like any other outside force. */
#ifndef PARTICLES_STIFF_PAIRS_H
#define PARTICLES_STIFF_PAIRS_H

#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct stiff_pair {
    uint32_t i, j;      /* particle indices, i < j */
    struct vec3 normal; /* from i to j, of length 1 */
    double stiffness;   /* N/m, >= 0 */
    double force;       /* the force at n . w = at, N */
    double at;          /* m */
};

/* An empty list is {0}; it grows by array_reserve and keeps its memory from step to step. */
struct stiff_pairs {
    size_t n, capacity;
    struct stiff_pair *pair; /* (capacity, n in use), owned */
};

/* Whether there are any; NULL is an empty list. */
static inline bool stiff_pairs_any(const struct stiff_pairs *pairs)
{
    return pairs && pairs->n > 0;
}

/* The force of a pair, N, if its particles move with these velocities, m/s (by particle), for dt;
 * negative if it pulls. */
static inline double stiff_pair_force(const struct stiff_pair *pair, double dt,
                                      const struct vec3 *velocity)
{
    struct vec3 w = vec3_sub(velocity[pair->j], velocity[pair->i]);
    return pair->force - pair->stiffness * (dt * vec3_dot(pair->normal, w) - pair->at);
}

/* Adds these forces to `force`, N (by particle); both ends get exactly opposite ones. */
static inline void stiff_pairs_settle(const struct stiff_pairs *pairs, double dt,
                                      const struct vec3 *velocity, struct vec3 *force)
{
    for (size_t k = 0; pairs && k < pairs->n; k++) {
        const struct stiff_pair *pair = &pairs->pair[k];
        struct vec3 push = vec3_scale(stiff_pair_force(pair, dt, velocity), pair->normal);
        force[pair->i] = vec3_sub(force[pair->i], push);
        force[pair->j] = vec3_add(force[pair->j], push);
    }
}

static inline void stiff_pairs_free(struct stiff_pairs *pairs)
{
    free(pairs->pair);
    *pairs = (struct stiff_pairs){0};
}

#endif
