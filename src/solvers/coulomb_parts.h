/* What the files of coulomb.h share: contacts one after the other, and compliant ones
 * (coulomb_proximal.c). */
#ifndef SOLVERS_COULOMB_PARTS_H
#define SOLVERS_COULOMB_PARTS_H

#include "solvers/coulomb.h"

/* ---- coulomb_sweeps.c: one contact after the other ---- */

/* Impulses on the way to a solution. */
struct coulomb_iterate {
    struct coulomb *c;
    const struct coulomb_problem *p;
    size_t rows; /* of each contact: 3, or 1 without friction */
    uint8_t *is_free;
    double *lambda;
    double *motion; /* what lambda moves, six for each number, in place of W; NULL: W is known */
    double largest; /* largest of |q| and |lambda| diagonal, to which rounding errors are in
                       proportion */
};

/* The next iterate of one contact, by Coulomb's law. */
struct coulomb_cone {
    uint32_t row; /* row of its normal */
    bool presses, sticks;
    double to[3];        /* new values of lambda */
    double direction[2]; /* unit vector of T */
    double diagonal;     /* larger diagonal entry of W of the tangential rows */
};

static inline double coulomb_plus(double x)
{
    return x > 0.0 ? x : 0.0;
}

void coulomb_set_largest(struct coulomb_iterate *s);

/* Values of w up to this count as zero. */
double coulomb_least(const struct coulomb_iterate *s);

/* Find whether the contact presses, and whether it sticks or else in which direction it slips; its
 * normal impulse N bounds T. */
void coulomb_project_normal(const struct coulomb_iterate *s, struct coulomb_cone *cone);
void coulomb_project_across(const struct coulomb_iterate *s, double N, struct coulomb_cone *cone);

/* Keeps what was found of the k-th contact, but no impulses. */
void coulomb_keep(struct coulomb_iterate *s, size_t k, const struct coulomb_cone *cone);

/* Sets an impulse to its new value; returns the change times the diagonal entry. */
double coulomb_move(struct coulomb_iterate *s, uint32_t row, double to);

/* By how much a sweep changed W lambda, in units of q: the most, and the number of contacts at
 * which it was more than was allowed. */
struct coulomb_change {
    double most;
    size_t wrong;
};

/* Solves for the impulses of each contact in turn while all others stay as they are. */
struct coulomb_change coulomb_sweep(struct coulomb_iterate *s, double allowed);

/* ---- coulomb_cones.c: the contacts of a problem ---- */

void coulomb_cones_free(struct coulomb_cones *s);

/* Takes the contacts of the problem. z and the centers are zero, all contacts stick. */
enum status coulomb_cones_take(struct coulomb_cones *s, const struct coulomb_problem *p,
                               struct error *error);

/* y = W x */
void coulomb_cones_multiply(struct coulomb_cones *s, const double *x, double *y);

/* s->speed = W z + q */
void coulomb_cones_look(struct coulomb_cones *s);

/* ---- coulomb_moved.c: what contacts move ---- */

void coulomb_motion_free(struct coulomb_motion *m);

/* Takes what the contacts of s move, whose numbers are below n_numbers. */
enum status coulomb_motion_take(struct coulomb_cones *s, size_t n_numbers, struct error *error);

/* ---- coulomb_motion.c: ... and its motion ---- */

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
