/* The particle set: one array per quantity, n entries each. The index of a particle is its
 * permanent identity: every loop, every tie and every random draw refers to it. */
#ifndef PARTICLES_PARTICLES_H
#define PARTICLES_PARTICLES_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/stiff_pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a time step treats a particle. Only free particles are moved by forces and count in energies
 * and momenta; in collisions all others have infinite mass. The values are part of frames. */
enum particle_state {
    PARTICLE_FREE = 0,
    PARTICLE_FIXED = 1,      /* never moves */
    PARTICLE_PRESCRIBED = 2, /* fluid upstream of its inlet: moves with its given velocity, feels no
                                force and touches no particle; the fluid feels it */
    PARTICLE_GONE = 3, /* fluid that left through an outlet: stays at rest, without neighbors */
    PARTICLE_STATES
};

/* Whether particles of this state can be touched and count in measures. */
static inline bool particle_is_here(uint8_t state)
{
    return state < PARTICLE_PRESCRIBED;
}

struct particles {
    size_t n;
    struct vec3 *position; /* center, m (n) */
    struct vec3 *velocity; /* m/s (n) */
    struct vec3 *force;    /* outside force during this step: gravity, baselines' contact, N (n) */
    struct vec3 *reaction; /* the part of `force` by which fluids push what displaces them, N (n);
                              NULL: none does */
    const struct stiff_pairs
        *stiff;     /* outside forces that depend on the motion in the step, between
                       particles that one implicit system moves; NULL: none */
    double *mass;   /* kg (n); the mass of a particle that is not free only counts in reports */
    double *radius; /* collision radius, m (n) */
    uint32_t *body; /* index into the scene's bodies (n) */
    uint8_t *state; /* an enum particle_state; not 0: no force moves it (n) */
};

/* n particles, all zero. Release with particles_free, also after a failure. */
enum status particles_create(struct particles *particles, size_t n, struct error *error);
/* A copy, without outside forces, which last for a step. */
enum status particles_copy(struct particles *copy, const struct particles *particles,
                           struct error *error);
void particles_free(struct particles *particles);

#endif
