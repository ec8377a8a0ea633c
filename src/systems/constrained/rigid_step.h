/* The step of rigid bodies in schemes that solve for velocities (particles/rigid_bodies.h): outside
 * forces change momentum and angular momentum, and bodies turn as such. Until contact is done, a
 * body moves by v + w x r with r at the start of the step, in displacements too, so that contact
 * has impulses and arms alone to think of; rigid_step_carry then replaces this by the turn. */
#ifndef SYSTEMS_CONSTRAINED_RIGID_STEP_H
#define SYSTEMS_CONSTRAINED_RIGID_STEP_H

#include "particles/motion.h"
#include "particles/rigid_bodies.h"

struct rigid_step {
    struct rigid_bodies bodies;
    struct vec3 *inner; /* impulse of what keeps the shape, of each of their particles, N s */
    double *work;       /* of what keeps the shape while each body turns, J (bodies.n) */
};

/* Release with rigid_step_free, also after a failure. */
enum status rigid_step_create(struct rigid_step *step, const struct particles *particles,
                              size_t first, size_t n, struct error *error);
void rigid_step_free(struct rigid_step *step);

/* Fills motion->own_after and motion->own_mean of the bodies' particles, after rigid_bodies_place.
 */
void rigid_step_integrate(struct rigid_step *step, const struct particles *particles, double dt,
                          struct motion *motion);

/* Turns bodies: `mean` becomes the displacement of the turn, over dt, and `after` the velocities at
 * the places after it, with the same momentum and angular momentum. */
void rigid_step_carry(struct rigid_step *step, const struct particles *particles, double dt,
                      struct motion *motion);

/* The work of what keeps the shape, J: all that bodies gain beyond the work that outside forces do
 * along the turn and contact along v + w x r. */
double rigid_step_work(const struct rigid_step *step);

#endif
