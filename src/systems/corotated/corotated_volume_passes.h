/* The passes over particles of the conjugate gradients for volume, whose algorithm is in
 * corotated_volume_solve.c. Operations on vectors are merged so that an iteration has three. A pass
 * works on one stretch at a time, by all threads of a parallel region, which wait for each other at
 * its end; it leaves its sums in c->volume.sums. */
#ifndef SYSTEMS_COROTATED_COROTATED_VOLUME_PASSES_H
#define SYSTEMS_COROTATED_COROTATED_VOLUME_PASSES_H

#include "systems/corotated/corotated_parts.h"

/* A stretch: particles of the system, which belong to one body. */
struct place {
    const struct corotated *c;
    const struct corotated_volume *v;
    double factor; /* what the pass needs besides: a length of time, or a coefficient */
    size_t begin, end;
    const double *volume; /* of particle `begin` and so on, m^3 */
    double *sum;
};
typedef void volume_pass(const struct place *at);

/* Does a pass. */
void volume_run(const struct corotated *c, volume_pass *use, double factor);
/* Finds `pressing` = f(pressure), summed over groups, and then does a pass that needs it. */
void volume_push(struct corotated *c, volume_pass *use, double factor);
/* Finds `widening` = t(c->x), and then does a pass that needs it. */
void volume_widen(const struct corotated *c, volume_pass *use, double factor);

/* ---- passes; r is `missing`, p is `pressure`, x is c->next_pressure ---- */

/* x and p: the first guess, which goes on as pressures changed in the last two steps. Prepares the
 * preconditioner and the weights of the estimate. Factor: dt^2. */
volume_pass volume_guess;
/* r of this guess, and of a guess of 0. Factor: dt^2. */
volume_pass volume_find_residual;
/* x = 0 and its r. */
volume_pass volume_forget_guess;
/* p = z + beta p, with z = M^-1 r. Factor: beta. */
volume_pass volume_find_direction;
/* c->x = the accelerations by `pressing`; p . A p. Factor: dt^2. */
volume_pass volume_set_in_motion;
/* x = x + alpha p, r = r - alpha A p. Factor: alpha. */
volume_pass volume_advance;

/* p = x, and p = the pressures that r is worth. */
volume_pass volume_take_solution;
volume_pass volume_take_residual;
/* c->change of velocity by `pressing`. Factor: dt. */
volume_pass volume_change_velocity;
/* The square of `pressing`. */
volume_pass volume_square_forces;
/* r, for the gradients c->gradient of c->change. Factor: dt. */
volume_pass volume_find_exact_residual;

#endif
