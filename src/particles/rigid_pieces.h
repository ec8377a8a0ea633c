/* The rigid part of the motion of elastic bodies, and where it leads in a step.
 *
 * A piece is a set of particles that forces inside it hold together: a body, or a fragment of one.
 * A piece with one fixed particle turns about it, one whose fixed particles are on a line about
 * that, like a door; others with fixed particles do not turn.
 *
 * Forces inside a body have no torque. Those of a step of backward Euler do: they act along lines
 * at the end of the step, and from places x at its beginning. To second order the torque is
 * -(omega dt)^2 L in each step, whatever the stiffness: a spinning body slows down as
 * 1 / sqrt(1 + 2 omega^2 dt t). Two ways lead out: steps whose forces neither see rotations of a
 * piece nor cause them (rigid_projection.h), and a turn after the step (rigid_turn.h). */
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
    bool turns;           /* it has a rotation, and not too large a one */
    double angle;         /* ... by how much, rad */
    double extent;        /* sum of mass times squared distance from the center, kg m^2 */
    struct vec3 way;      /* sum of mass times distance from it, kg m */
    struct vec3 spin;     /* angular momentum about it, kg m^2/s */
    struct mat3 mobility; /* rate of rotation by moment about it, 1/(kg m^2) */

    /* rigid_projection.h */
    bool touched; /* more acts on it than its own forces and outside ones */
    struct vec3 moment;

    /* rigid_turn.h, and `rate` of a projection too */
    struct vec3 hub;     /* m */
    struct vec3 rate;    /* w, 1/s; 0: none */
    struct vec3 impulse; /* sum of m dv by the turn, from supports, N s */

    /* by either */
    double returned; /* by how much the spin is larger for it, kg m^2/s */
    double lost;     /* ... or would be, were it done */
};

struct rigid_pieces {
    size_t n, capacity;
    struct rigid_piece *piece; /* (n) */
    uint32_t *of;     /* the piece of each particle, or RIGID_NO_PIECE for one that is alone */
    uint32_t *member; /* ascending in each piece */
};

#define RIGID_NO_PIECE UINT32_MAX

/* A piece that turns farther in a step, in rad, has no prediction, and is left to lose its spin. */
#define RIGID_FARTHEST 0.5

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

/* Finds where the rigid motion of each piece leads. */
void rigid_pieces_predict(struct rigid_pieces *pieces, const struct rigid_state *at);

/* The displacement of a particle of the piece by its rigid motion over dt, as a velocity, m/s. */
static inline struct vec3 rigid_lead(const struct rigid_piece *piece, struct vec3 x, double dt)
{
    struct vec3 arm = vec3_sub(x, piece->center);
    struct vec3 way = vec3_sub(mat3_mul_vec3(&piece->rotation, arm), arm);
    return vec3_scale(1.0 / dt, vec3_add(way, vec3_sub(piece->place, piece->center)));
}

/* The component of a moment along the spin of the piece; 0 if it has none. */
static inline double rigid_along_spin(const struct rigid_piece *piece, struct vec3 moment)
{
    double spin = vec3_norm(piece->spin);
    return spin > 0.0 ? vec3_dot(moment, piece->spin) / spin : 0.0;
}

#endif
