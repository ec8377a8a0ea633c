/* Rigid bodies: sets of particles that keep their shape. As a whole a body is one particle that
 * also turns: it has a mass, a center and a moment of inertia, those of its particles, and an
 * impulse J at a place r from its center changes its motion by J / m and I^-1 (r x J).
 *
 * Particles keep velocities of their own, v + w x r, so that all that looks at particles need not
 * know of bodies. */
#ifndef PARTICLES_RIGID_BODIES_H
#define PARTICLES_RIGID_BODIES_H

#include "base/error.h"
#include "base/mat3.h"
#include "base/vec3.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rigid_body {
    size_t begin, end; /* its particles */
    bool fixed;        /* they do not obey forces */

    /* rigid_bodies_place */
    double mass;         /* kg */
    struct vec3 center;  /* of mass, m */
    struct sym3 inertia; /* about it, kg m^2 */
    struct sym3 yields;  /* its inverse, 1/(kg m^2); 0 about a line on which all particles are */
};

/* An empty list is {0}. */
struct rigid_bodies {
    size_t n;
    struct rigid_body *body; /* ascending (n) */
    size_t first, end;       /* their particles */
    uint32_t *of;            /* the body of each (end - first) */
};

/* v + w x r */
struct rigid_motion {
    struct vec3 velocity; /* of the center, m/s */
    struct vec3 rate;     /* w, 1/s */
};

/* Makes a body of each run of particles of [first, end) that are of one body of the scene. Release
 * with rigid_bodies_free, also after a failure. */
enum status rigid_bodies_create(struct rigid_bodies *bodies, const struct particles *particles,
                                size_t first, size_t end, struct error *error);
void rigid_bodies_free(struct rigid_bodies *bodies);

/* Finds where bodies with particles at x (by particle of the whole set) are, and their moments of
 * inertia there. */
void rigid_bodies_place(struct rigid_bodies *bodies, const double *mass, const struct vec3 *x);

/* The body of a particle that obeys forces; NULL: none. */
static inline struct rigid_body *rigid_body_of(const struct rigid_bodies *bodies, size_t i)
{
    if (i < bodies->first || i >= bodies->end)
        return NULL;
    struct rigid_body *body = &bodies->body[bodies->of[i - bodies->first]];
    return body->fixed ? NULL : body;
}

/* The motion that has the momentum and the angular momentum of these velocities, m/s. All arrays
 * are by particle of the whole set. */
struct rigid_motion rigid_motion_of(const struct rigid_body *body, const double *mass,
                                    const struct vec3 *x, const struct vec3 *velocity);

/* The change of motion by an impulse, N s, and a moment about the center, kg m^2/s. */
static inline struct rigid_motion rigid_response(const struct rigid_body *body, struct vec3 impulse,
                                                 struct vec3 moment)
{
    return (struct rigid_motion){vec3_scale(1.0 / body->mass, impulse),
                                 sym3_mul(body->yields, moment)};
}

/* The velocity at a place, r from the center. */
static inline struct vec3 rigid_velocity(struct rigid_motion motion, struct vec3 r)
{
    return vec3_add(motion.velocity, vec3_cross(motion.rate, r));
}

/* The turn of a body in dt, s, that begins with the rate w and on which nothing acts: the angular
 * momentum L in space stays, and the body turns by the midpoint rule, with the rate that L has at
 * half of the turn. That is of second order and reversible, so that energy does not drift. */
struct mat3 rigid_turn_by(const struct rigid_body *body, struct vec3 rate, double dt);

#endif
