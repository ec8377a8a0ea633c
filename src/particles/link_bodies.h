/* Rigid bodies whose particles are ends of links (links.h). An impulse at one of its ends moves all
 * of a body: its ends have the velocities v + w x r of one motion, of which vectors over ends hold
 * v + w x r at each end and, behind all ends, w of each body. */
#ifndef PARTICLES_LINK_BODIES_H
#define PARTICLES_LINK_BODIES_H

#include "base/error.h"
#include "particles/rigid_bodies.h"

#define LINK_NO_BODY UINT32_MAX

struct link_body {
    const struct rigid_body *body;
    uint32_t begin, end; /* its ends, which follow each other */
};

struct link_bodies {
    size_t n; /* bodies at links; the others are filled by links_connect and link_bodies_place */
    struct link_body *body;   /* (n) */
    uint32_t *of_end;         /* index of the body of each end, or LINK_NO_BODY (n_ends) */
    struct vec3 *arm;         /* of each end from the center of its body, m (n_ends) */
    const uint8_t *state;     /* of particles */
    const uint32_t *particle; /* of each end */

    struct rigid_bodies *all; /* NULL: there are none; belongs to whoever sets it */
    const double *mass;       /* by particle, kg */
    const struct vec3 *x;     /* the places that bodies are at, by particle, m */
    size_t capacity;          /* in ends */
};

void link_bodies_release(struct link_bodies *rigid);

/* Finds the bodies at these ends, ascending (n). */
enum status link_bodies_reserve(struct link_bodies *rigid, size_t n_ends, struct error *error);
void link_bodies_find(struct link_bodies *rigid, size_t n_ends, const uint32_t *particle,
                      const uint8_t *state);

/* Places the bodies, whose particles are at x by particle. x must outlive its use. */
void link_bodies_place(struct link_bodies *rigid, const double *mass, const struct vec3 *x);

/* The index of the body of an end. */
static inline uint32_t link_body_at(const struct link_bodies *rigid, uint32_t end)
{
    return rigid->n > 0 ? rigid->of_end[end] : LINK_NO_BODY;
}

/* Whether an end is a free particle of no body. */
static inline bool link_bodies_free(const struct link_bodies *rigid, uint32_t end)
{
    return link_body_at(rigid, end) == LINK_NO_BODY &&
           rigid->state[rigid->particle[end]] == PARTICLE_FREE;
}

/* The motion of a body by a vector over ends, of which `rate` are the rates behind the ends. */
static inline struct rigid_motion link_body_motion(const struct link_bodies *rigid, size_t k,
                                                   const struct vec3 *at_end,
                                                   const struct vec3 *rate)
{
    const uint32_t e = rigid->body[k].begin;
    return (struct rigid_motion){vec3_sub(at_end[e], vec3_cross(rate[k], rigid->arm[e])), rate[k]};
}

#endif
