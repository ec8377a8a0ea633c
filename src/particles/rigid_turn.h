/* The rigid turn of a piece (rigid_pieces.h) that gives it back the angular momentum that a step
 * took from it. Forces inside a body have no torque, but those of a step of backward Euler do: they
 * act along lines at the end of the step, and from places x at its beginning. A system that knows
 * the impulses of its own forces removes their torque by a rigid turn, dv = w x R (x - hub). */
#ifndef PARTICLES_RIGID_TURN_H
#define PARTICLES_RIGID_TURN_H

#include "particles/rigid_pieces.h"

/* The impulses whose torque is to be removed. */
struct rigid_impulses {
    const struct vec3 *x;       /* the places at which they act, m */
    const struct vec3 *impulse; /* of the forces inside pieces, N s */
    const uint8_t *turns;       /* 1: a turn may change the particle's velocity */
    bool measure_only;          /* finds what was lost, and no turn */
};

/* Finds the turn of each piece by which its particles with `turns` take the torque of all its
 * impulses. After dv = rigid_turn(piece, x), the sum over the piece of x cross (impulse + m dv) is
 * 0. The sum of m dv is 0 in free pieces. There is no turn if these particles are too few, or if
 * the piece rotates too far in a step, or if its motion about its center is mostly no rotation. */
void rigid_pieces_turn(struct rigid_pieces *pieces, const struct rigid_state *at,
                       const struct rigid_impulses *of);

/* The change of velocity of a particle by the turn, m/s. */
static inline struct vec3 rigid_turn(const struct rigid_piece *piece, struct vec3 x)
{
    return vec3_cross(piece->rate, mat3_mul_vec3(&piece->rotation, vec3_sub(x, piece->hub)));
}

#endif
