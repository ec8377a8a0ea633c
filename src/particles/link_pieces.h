/* What turns with the ends of links. Friction acts where two particles touch, not at their centers:
 * impulses T on particle j and -T on i, a distance apart, would change angular momentum. Particles
 * have no spin, but the pieces that they belong to have (rigid_pieces.h): a piece with the angular
 * velocity w carries the surface of its particle i, at a distance a_i from its center along the
 * normal n, with v_i + a_i w x n. So the slip across a link, in a direction t, is
 *
 *     t . (v_j - v_i) - (a_i w_i + a_j w_j) . (n x t),   w = I^-1 sum m (x - c) x v,
 *
 * and by the transpose of this row the couples -a_i n x T and -a_j n x T turn the two pieces, each
 * as a whole. Together they undo the change of angular momentum, because a_i + a_j is the distance
 * of the two centers. A rigid piece is carried exactly; in one that bends, the surface of a
 * particle turns with the piece on average, which is off by a part of a radius.
 *
 * A particle without a piece has no couple, nor has one whose piece is held, or as thin as itself,
 * which bends rather than turns: a cloth or a rope. There, slip is that of the center, and a part
 * a n x T of angular momentum is lost or gained. */
#ifndef PARTICLES_LINK_PIECES_H
#define PARTICLES_LINK_PIECES_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/rigid_pieces.h"

#include <stddef.h>
#include <stdint.h>

#define LINK_NO_PIECE UINT32_MAX

/* The pieces of a system. */
struct link_owner {
    const struct rigid_pieces *pieces;
    size_t first, n; /* its particles: [first, first + n) */
};

struct link_piece {
    const struct link_owner *owner;
    uint32_t number;    /* in owner->pieces->piece */
    struct vec3 center; /* of mass, m */
    struct sym3 yields; /* inverse of the moment of inertia about it, 1/(kg m^2) */
    struct vec3 rate;   /* w of the velocities that were last looked at, 1/s */
    struct vec3 couple; /* sum of couples that are not yet spread, kg m^2/s */
    struct vec3 moment; /* of impulses at ends, scratch of those who follow the rate, kg m^2/s */
    struct vec3 given;  /* couples that only ends know of yet, likewise, kg m^2/s */
};

/* An empty list is {0}. Arrays are by particle of the owners, which follow each other. */
struct link_pieces {
    size_t n, capacity;
    struct link_piece *piece; /* (n) */
    uint32_t *of_end;         /* index of the piece of each end, or LINK_NO_PIECE (n_ends) */
    size_t end_capacity;
    uint32_t *index; /* scratch, by piece of all owners */
    size_t index_capacity;

    const struct link_owner *owner; /* ascending (n_owners) */
    size_t n_owners;
    size_t first;               /* the first owner's first particle */
    const struct vec3 *x, *way; /* places, m, and how they moved since, m/s; NULL: not at all */
    double dt;                  /* for how long, s */
    const double *mass, *radius;
};

struct links;
struct particles;

void link_pieces_free(struct link_pieces *turning);

/* Finds the pieces at the ends of connected links. The owners, one at least, their pieces and
 * `particles` must outlive their use. */
enum status link_pieces_find(struct links *links, const struct link_owner *owner, size_t n_owners,
                             const struct particles *particles, struct error *error);

/* No piece turns: forgets all of them. */
enum status link_pieces_forget(struct links *links, struct error *error);

/* Takes the places dt * way away from the present ones. */
void link_pieces_move(struct link_pieces *turning, const struct vec3 *way, double dt);

/* Finds the rates of pieces whose particles have these velocities. */
void link_pieces_look(struct link_pieces *turning, const struct vec3 *velocity);

/* Turns pieces by their couples, which are 0 after that: adds the impulses to `impulse`, or the
 * changes of velocity to `velocity`. The other one is NULL. */
void link_pieces_spread(struct link_pieces *turning, struct vec3 *impulse, struct vec3 *velocity);

/* The place of a particle. */
static inline struct vec3 link_pieces_place(const struct link_pieces *turning, size_t i)
{
    return turning->way ? vec3_axpy(turning->x[i], turning->dt, turning->way[i]) : turning->x[i];
}

#endif
