/* The particle set: one array per quantity, n entries each. The index of a particle is its
 * permanent identity: every loop, every tie and every random draw refers to it. */
#ifndef PARTICLES_PARTICLES_H
#define PARTICLES_PARTICLES_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

struct particles {
    size_t n;
    struct vec3 *position; /* center, m (n) */
    struct vec3 *velocity; /* m/s (n) */
    struct vec3 *force;    /* outside force during this step: gravity, rivals' contact, N (n) */
    double *mass;          /* kg (n); of a fixed particle it only counts in reports */
    double *radius;        /* collision radius, m (n) */
    uint32_t *body;        /* index into the scene's bodies (n) */
    uint8_t *fixed;        /* 1: never moves, infinite mass to every collision (n) */
};

/* n particles, all zero. Release with particles_free, also after a failure. */
enum status particles_create(struct particles *particles, size_t n, struct error *error);
void particles_free(struct particles *particles);

#endif
