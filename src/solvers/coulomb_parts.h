/* Problems of contacts by compliant ones (coulomb_proximal.c), for the files of coulomb.h alone. */
#ifndef SOLVERS_COULOMB_PARTS_H
#define SOLVERS_COULOMB_PARTS_H

#include "solvers/coulomb.h"

/* ---- coulomb_cones.c: the rows of a problem ---- */

void coulomb_cones_free(struct coulomb_cones *s);

/* Takes the rows of the problem, whose entries of lambda must be zero; what other rows of W have
 * there stays, and counts in q. z and the centers are zero, all contacts stick. */
enum status coulomb_cones_take(struct coulomb_cones *s, const struct coulomb_problem *p,
                               const double *lambda, struct error *error);

/* y = W x */
void coulomb_cones_multiply(const struct coulomb_cones *s, const double *x, double *y);

/* s->speed = W z + q */
void coulomb_cones_look(struct coulomb_cones *s);

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
