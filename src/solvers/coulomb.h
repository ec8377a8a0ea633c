/* Problems of contacts with Coulomb's law of friction. Every contact has three rows of a symmetric
 * positive semidefinite sparse matrix W: its normal and two directions across it. With w = W lambda
 * + q, N the normal entry of lambda and T the two others, find for each contact
 *
 *     N >= 0,  w_n >= 0,  N w_n = 0
 *     w_t = 0  and  |T| <= sticking (N + pressed),  or  T = -sliding (N + pressed) w_t / |w_t|
 *
 * This is no minimum of anything, because the bound of T depends on N. Which contacts press, stick
 * and slip is guessed; the linear system of the equations w = 0 that follow is solved exactly
 * (sparse_factor.h), and the impulses of those who slip, which follow from N, are iterated with the
 * same factor. A better guess is who presses, sticks and slips after one projection of each contact
 * onto its cone, a semismooth Newton method (Alart and Curnier, "A mixed formulation for frictional
 * contact problems", Comput. Methods Appl. Mech. Eng. 92, 1991) with N known in its bound. Where
 * that does not get on, contacts are solved one after the other (projected Gauss and Seidel: Jean,
 * "The non-smooth contact dynamics method", Comput. Methods Appl. Mech. Eng. 177, 1999).
 *
 * A contact that slips sticks again only if its slip would turn around; one that sticks, or had no
 * load, may take an impulse up to `sticking`. Serial; the result depends on the arguments alone. */
#ifndef SOLVERS_COULOMB_H
#define SOLVERS_COULOMB_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/complementarity.h"

struct coulomb_problem {
    const struct sparse_rows *w;
    size_t n;            /* contacts */
    const uint32_t *row; /* their rows in the order in which they are eliminated, the three of a
                            contact one behind the other, from 3 c of contact c (3 n) */
    const double *q;     /* of all rows of W */
    double sliding, sticking; /* coefficients, 0 <= sliding <= sticking */
    const double *pressed;    /* of all contacts, at least 0: what the bound has beside N */
    double least;             /* values of w that do not matter, at least 0 */
    size_t most_rounds;       /* factorizations; then it ends with the best that there is */
};

/* Memory that is used again; an empty one is {0}. Release with coulomb_free. */
struct coulomb {
    struct complementarity normals;
    double *direction; /* of the k-th contact in its entries 2 k and 2 k + 1: that of T of one that
                          slips, of length 1; zero while there is none (capacity) */
    size_t capacity;
    double *past, *along; /* of sweeps: impulses before one, and the conjugate direction */
    size_t past_capacity, along_capacity;
};

void coulomb_free(struct coulomb *c);

/* lambda: out, of all rows of W, of which only those
 * named are written. `is_free`: the guess, then the solution's: who presses, of normals; who
 * sticks, alike of the two other rows. report->wrong: contacts that are not solved. */
enum status coulomb_solve(struct coulomb *c, const struct coulomb_problem *problem,
                          uint8_t *is_free, double *lambda, struct complementarity_report *report,
                          struct error *error);

/* The same by sweeps alone, from the guess lambda, until one of them changes W lambda by at most
 * `tolerance` at every contact, in units of q, and some sweeps farther: who asks step by step gets
 * nearer. Between sweeps lambda goes on in conjugate directions (Silcowitz, Niebe and Erleben, "A
 * nonsmooth nonlinear conjugate gradient method for interactive contact force problems", The Visual
 * Computer 26, 2010), but not after the last. `is_free`: who slips or sticks in the guess, then who
 * does. report->iterations: sweeps. */
enum status coulomb_approach(struct coulomb *c, const struct coulomb_problem *problem,
                             double tolerance, size_t most_sweeps, uint8_t *is_free, double *lambda,
                             struct complementarity_report *report, struct error *error);

#endif
