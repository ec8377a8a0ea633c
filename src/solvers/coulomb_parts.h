/* Problems of contacts by compliant ones (coulomb_proximal.c), for the files of coulomb.h alone. */
#ifndef SOLVERS_COULOMB_PARTS_H
#define SOLVERS_COULOMB_PARTS_H

#include "solvers/coulomb.h"

/* ---- coulomb_cones.c: the contacts of a problem ---- */

void coulomb_cones_free(struct coulomb_cones *s);

/* Takes the contacts of the problem. z and the centers are zero, all contacts stick. */
enum status coulomb_cones_take(struct coulomb_cones *s, const struct coulomb_problem *p,
                               struct error *error);

/* y = W x */
void coulomb_cones_multiply(struct coulomb_cones *s, const double *x, double *y);

/* s->speed = W z + q */
void coulomb_cones_look(struct coulomb_cones *s);

/* ---- coulomb_motion.c: the motion of what contacts move ---- */

void coulomb_motion_free(struct coulomb_motion *m);

/* Takes what the contacts of s move, whose numbers are below n_numbers. */
enum status coulomb_motion_take(struct coulomb_cones *s, size_t n_numbers, struct error *error);

/* With W = K^T K: motion = K x, and y = K^T motion. */
void coulomb_motion_of(const struct coulomb_cones *s, const double *x, double *motion);
void coulomb_motion_speeds(const struct coulomb_cones *s, const double *motion, double *y);

/* Finds the step with (1 + H H^T (1 + L) W) step = r, from the ways and leads of the contacts. */
enum status coulomb_motion_step(struct coulomb_cones *s, const double *r, double *step,
                                struct error *error);

/* ---- coulomb_newton.c: one problem of compliant contacts ---- */

/* Impulses z such that at each contact
 *
 *     z = P(center - (W z + q + opening) / (compliance x yields))
 *
 * where P is the nearest place in the cone. */
struct coulomb_compliant {
    double compliance; /* as a fraction of what a contact yields alone */
    bool follows;      /* whether openings are those of the present slips; otherwise they stay */
    double enough;     /* m/s: what may be left of the equation, times `yields` */
    size_t most_steps; /* of Newton's method */
};

/* Goes on from s->z, and leaves it in the cones. `solved`: whether it came so far. */
enum status coulomb_newton(struct coulomb_cones *s, const struct coulomb_compliant *problem,
                           size_t *steps, bool *solved, struct error *error);

#endif
