/* Linear operators, as the iterative solvers take them, and the arithmetic of their vectors. All
 * sums are over fixed blocks, so that results do not depend on the number of threads, if those of
 * the operator do not. */
#ifndef SOLVERS_LINEAR_OPERATOR_H
#define SOLVERS_LINEAR_OPERATOR_H

#include <stddef.h>
#include <stdint.h>

/* A, and an approximation M of it that is easily inverted. Vectors have n entries of `width`
 * doubles, entry by entry: 1 for a scalar, 3 for a vector in space or for three right sides that
 * share a matrix. */
struct linear_operator {
    size_t n, width;
    void *context;
    void (*apply)(void *context, const double *x, double *y);        /* y = A x */
    void (*precondition)(void *context, const double *r, double *z); /* z = M^-1 r; NULL: z = r */

    /* z = M^-1 r and w = A z, if what M^-1 r is found from makes that cheaper than `apply`; NULL:
     * it does not. The error of w should be small against r. */
    void (*precondition_and_apply)(void *context, const double *r, double *z, double *w);

    /* 1 for entries that count in scalar products, otherwise 0 (n); NULL: all count. 0 is for an
     * entry that is no unknown, for which apply and precondition give 0, and for one that mirrors
     * another, for which they give the same as for the other. */
    const uint8_t *mask;
};

/* u . v and |u|, over the entries that count. */
double linear_dot(const struct linear_operator *A, const double *u, const double *v);
double linear_norm(const struct linear_operator *A, const double *u);

/* u += s v */
void linear_add(const struct linear_operator *A, double s, const double *v, double *u);

/* p = z + s p */
void linear_turn(const struct linear_operator *A, double s, const double *z, double *p);

/* z = M^-1 r */
void linear_precondition(const struct linear_operator *A, const double *r, double *z);

#endif
