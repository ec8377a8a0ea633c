/* Linear complementarity problems of contacts: for a symmetric positive semidefinite sparse matrix
 * W and a vector q in its range plus what is not negative, find
 *
 *     lambda >= 0,  w = W lambda + q >= 0,  lambda . w = 0
 *
 * by block principal pivoting: which entries of lambda are free is guessed, the linear system of
 * these is solved exactly (sparse_factor.h), and all entries of a wrong sign change sides at once
 * (Judice and Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
 * complementarity problems", Computers and Operations Research 21, 1994). That takes a few rounds,
 * or never ends: if the number of wrong entries does not fall for some rounds, lambda . W lambda /
 * 2
 * + q . lambda is minimized over lambda >= 0 by Newton's method with projected steps, which always
 * descends (Bertsekas, SIAM J. Control Optim. 20, 1982).
 *
 * Where lattices meet, W is singular: w is unique, lambda is not. Factors are those of W with a
 * diagonal larger by COMPLEMENTARITY_MORE, and the solution is refined with W itself: that is
 * nearly the lambda of least norm, in which equal supports have equal shares. Serial; the result
 * depends on the arguments alone. */
#ifndef SOLVERS_COMPLEMENTARITY_H
#define SOLVERS_COMPLEMENTARITY_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/sparse_factor.h"

/* By which fraction the diagonal of factored matrices is larger: so much that rounding in the
 * directions that W does not feel, 1e-16 over it, stays below the tolerance of signs. */
#define COMPLEMENTARITY_MORE 1e-8

/* Memory that is used again; an empty one is {0}. Release with complementarity_free. */
struct complementarity {
    struct sparse_factor factor;
    uint32_t *place; /* of each row of the matrix in the part at hand (place_capacity) */
    size_t place_capacity, placed;
    uint32_t *part;    /* the free rows (part_capacity) */
    double *change;    /* of these (change_capacity) */
    double *slope;     /* W lambda + q of the rows at hand (slope_capacity) */
    double *direction; /* of Newton's step for them (direction_capacity) */
    double *step;      /* of lambda, by row of the matrix; 0 for others (step_capacity) */
    size_t part_capacity, change_capacity, slope_capacity, direction_capacity, step_capacity;
};

struct complementarity_report {
    size_t rounds; /* factorizations */
    size_t wrong;  /* entries that still have the wrong sign */
};

void complementarity_free(struct complementarity *c);

/* Solves for the rows row[0..n-1], which no entry of W couples with others; they are eliminated in
 * this order. q, lambda and `free` belong to all rows of W; only those named are read and written.
 * `is_free`: the guess, then the solution's. `least` >= 0: values of w down to -least count as
 * zero. After most_rounds, more or less, it ends with the best that there is: then report->wrong >
 * 0. */
enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  size_t most_rounds, uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error);

/* Factors W of the rows with is_free[row], in their order, which are then part[0] to
 * part[factor.n - 1]; `change` has room for as many. */
enum status complementarity_factor(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                   const uint32_t *row, const uint8_t *is_free,
                                   struct error *error);

#endif
