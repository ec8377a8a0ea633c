/* The rigid part of the motion of elastic bodies: where it leads in a step, and the rigid turn that
 * gives a body back the angular momentum that an implicit step took from it.
 *
 * Forces inside a body have no torque. Those of a step of backward Euler do: they act along lines
 * at the end of the step, and from places x at its beginning. To second order the torque is
 * -(omega dt)^2 L in each step, whatever the stiffness: a spinning body slows down as
 * 1 / sqrt(1 + 2 omega^2 dt t). A system that knows the impulses of its own forces therefore
 * removes their torque by a rigid turn of the body, dv = w x R (x - hub).
 *
 * A piece is a set of particles that forces inside it hold together: a body, or a fragment of one.
 * A piece with one fixed particle turns about it, one with two about their axis; one with more
 * does not turn. */
#ifndef PARTICLES_RIGID_PIECES_H
#define PARTICLES_RIGID_PIECES_H

#include "base/error.h"
#include "base/mat3.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rigid_hold { RIGID_FREE, RIGID_POINT, RIGID_AXIS, RIGID_HELD };

struct rigid_piece {
    size_t begin, end; /* its particles: pieces->member[begin] to [end - 1] */
    enum rigid_hold hold;
    uint32_t pivot;   /* RIGID_POINT, RIGID_AXIS: a fixed particle */
    struct vec3 axis; /* RIGID_AXIS, of length 1 */

    /* of the step: rigid_pieces_predict */
    double mass;          /* of its free particles, kg */
    struct vec3 center;   /* center of mass, or the pivot, m */
    struct vec3 place;    /* where that is after the step if nothing acts, m */
    struct mat3 rotation; /* R, of the step if nothing acts */
    bool turns;           /* ... which it is likely to do as a whole */
    double angle;         /* ... by how much, rad */
    double extent;        /* sum of mass times squared distance from the center, kg m^2 */
    struct vec3 spin;     /* angular momentum about the center, kg m^2/s */

    /* the turn: rigid_pieces_turn */
    struct vec3 hub;     /* m */
    struct vec3 rate;    /* w, 1/s; 0: none */
    struct vec3 impulse; /* sum of m dv by the turn, from supports, N s */
    double returned;     /* by how much the turn made the spin larger, kg m^2/s */
    double lost;         /* ... or would have made it, were there one */
};

struct rigid_pieces {
    size_t n, capacity;
    struct rigid_piece *piece; /* (n) */
    uint32_t *of;     /* the piece of each particle, or RIGID_NO_PIECE for one that is alone */
    uint32_t *member; /* ascending in each piece */
};

#define RIGID_NO_PIECE UINT32_MAX

/* Room for n particles, of which none is in a piece. Release with rigid_pieces_free, also after a
 * failure. */
enum status rigid_pieces_create(struct rigid_pieces *pieces, size_t n, struct error *error);
void rigid_pieces_free(struct rigid_pieces *pieces);

/* Makes a piece of each set of two or more particles; set[i] is the smallest particle of the set of
 * particle i (n). */
enum status rigid_pieces_assign(struct rigid_pieces *pieces, size_t n, const uint32_t *set,
                                struct error *error);

/* What a step knows of the particles, by particle. */
struct rigid_state {
    double dt;                /* s */
    const struct vec3 *x, *v; /* at the start of the step, m, m/s */
    const double *mass;       /* kg */
    const uint8_t *state;     /* an enum particle_state */
};

/* Finds where the rigid motion of each piece leads. There are no turns yet. */
void rigid_pieces_predict(struct rigid_pieces *pieces, const struct rigid_state *at);

/* The displacement of a particle of the piece by its rigid motion over dt, as a velocity, m/s. */
static inline struct vec3 rigid_lead(const struct rigid_piece *piece, struct vec3 x, double dt)
{
    struct vec3 arm = vec3_sub(x, piece->center);
    struct vec3 way = vec3_sub(mat3_mul_vec3(&piece->rotation, arm), arm);
    return vec3_scale(1.0 / dt, vec3_add(way, vec3_sub(piece->place, piece->center)));
}

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
 * the piece rotates too far in a step. */
void rigid_pieces_turn(struct rigid_pieces *pieces, const struct rigid_state *at,
                       const struct rigid_impulses *of);

/* The change of velocity of a particle by the turn, m/s. */
static inline struct vec3 rigid_turn(const struct rigid_piece *piece, struct vec3 x)
{
    return vec3_cross(piece->rate, mat3_mul_vec3(&piece->rotation, vec3_sub(x, piece->hub)));
}

#endif
