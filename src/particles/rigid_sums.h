/* Sums over the particles of a piece (rigid_pieces.h), about an origin, and what follows from them.
 */
#ifndef PARTICLES_RIGID_SUMS_H
#define PARTICLES_RIGID_SUMS_H

#include "particles/rigid_pieces.h"

enum rigid_sums {
    RIGID_MASS,
    RIGID_WAY, /* mass times distance from the origin, x, y, z */
    RIGID_MOMENTUM = RIGID_WAY + 3,
    RIGID_SPREAD = RIGID_MOMENTUM + 3, /* sum of m r r^T: xx, xy, xz, yy, yz, zz */
    RIGID_TORQUE = RIGID_SPREAD + 6,
    RIGID_SUMS = RIGID_TORQUE + 3
};

/* Sums begin at one of the piece's particles: the fixed one, or the first. */
struct vec3 rigid_origin_of(const struct rigid_pieces *pieces, const struct rigid_piece *piece,
                            const struct vec3 *x);

void rigid_add(double *sum, struct vec3 v);
struct vec3 rigid_sum_at(const double *sum);
void rigid_add_mass(double *sum, double m, struct vec3 r);

/* Moves the sums of mass and of torque to another origin, by `way`. */
void rigid_move_origin(double *sum, struct vec3 way);

struct mat3 rigid_spread(const double *sum);
double rigid_trace(const struct mat3 *m);

/* The w for which the sum of m r x (w x R r) is `moment`. */
struct vec3 rigid_rate_of(const struct rigid_piece *piece, const struct mat3 *rotation,
                          const struct mat3 *spread, struct vec3 moment);

#endif
