/* Steps whose forces leave the rotation of each piece (rigid_pieces.h) alone.
 *
 * T = e x (x - center), a column for each of the three rotations of a piece about its center (or
 * the one about its axis) and a row for each coordinate, projects velocities onto those without
 * rotation, P = 1 - T (T^T M T)^-1 T^T M. With B in an implicit step replaced by P^T B P, and
 * forces f by P^T f, the step stays symmetric and positive definite, its forces have no torque, T^T
 * P^T = 0, and a change of rotation, by contact or outside forces, feels masses alone, P T = 0. */
#ifndef PARTICLES_RIGID_PROJECTION_H
#define PARTICLES_RIGID_PROJECTION_H

#include "particles/rigid_pieces.h"

/* out = P velocity (n each); may be in place. */
void rigid_hide_rotation(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                         const struct vec3 *velocity, struct vec3 *out);

/* impulse = P^T impulse (n). What holds a piece gets the opposite of what this adds to it. */
void rigid_remove_torque(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                         struct vec3 *impulse);

/* The work along `velocity`, as displacements over dt, of what the last rigid_remove_torque added,
 * J. */
double rigid_work_of_removal(const struct rigid_pieces *pieces, const struct rigid_state *at,
                             const struct vec3 *velocity);

/* The solver's residual has a torque: adds the rotations that it stands for to `change`, and takes
 * what it amounts to from the residual, in pieces that are not touched. */
void rigid_take_torque(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                       struct vec3 *residual, struct vec3 *change);

/* After rigid_remove_torque: sets `returned` of pieces that turn to the spin that its torque would
 * have taken, and `lost` of others to that which `impulse`, at the places x, takes. */
void rigid_account_spin(struct rigid_pieces *pieces, const struct vec3 *x,
                        const struct vec3 *impulse);

#endif
