/* Linear complementarity problems of contacts: for a symmetric positive semidefinite sparse matrix
 * W, and a vector q that is the sum of one in the range of W and one without negative entries, find
 *
 *     lambda >= 0,  w = W lambda + q >= 0,  lambda . w = 0
 *
 * Small problems are solved by block principal pivoting: the solver guesses which entries of lambda
 * are free, solves the linear system of these exactly (sparse_factor.h), and lets all entries of
 * the wrong sign change sides at once (Judice and Pires, "A block principal pivoting algorithm for
 * large-scale strictly monotone linear complementarity problems", Computers and Operations Research
 * 21, 1994). This either takes a few rounds or does not terminate. Large problems, and small ones
 * on which pivoting does not terminate, are solved by projected conjugate gradients
 * (projected_gradients.h) down to rounding, without a factor that has fill.
 *
 * Where lattices meet, W is singular: w is unique, lambda is not. The solver factors W with a
 * diagonal larger by COMPLEMENTARITY_MORE and refines the solution with W itself. The result is
 * nearly the lambda of least norm, in which equal supports carry equal loads. Projected gradients
 * leave the part of lambda in the null space of W nearly as it is in the guess. The code is serial,
 * and the result depends on the arguments alone. */
#ifndef SOLVERS_COMPLEMENTARITY_H
#define SOLVERS_COMPLEMENTARITY_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/projected_gradients.h"
#include "solvers/sparse_factor.h"

/* Fraction by which the diagonal of a factored matrix is increased. Rounding in the null space of W
 * is 1e-16 over this fraction, and must stay below the tolerance for signs. */
#define COMPLEMENTARITY_MORE 1e-8

/* Problems of at most this many rows are solved by pivoting, because their factors are small. */
enum { COMPLEMENTARITY_FEW = 32 };

/* Memory that is reused; an empty one is {0}. Release with complementarity_free. */
struct complementarity {
    struct sparse_factor factor;
    uint32_t *place; /* index of each row of W among the factored rows (place_capacity) */
    size_t place_capacity, placed;
    uint32_t *part; /* the free rows (part_capacity) */
    double *change; /* correction of lambda in these rows (change_capacity) */
    size_t part_capacity, change_capacity;
    struct projected_gradients gradients;
};

struct complementarity_report {
    size_t rounds;     /* factorizations */
    size_t iterations; /* products with W of projected gradients */
    size_t wrong;      /* number of entries that still have the wrong sign, or 1 if there are any */
};

void complementarity_free(struct complementarity *c);

/* Solves for the rows row[0..n-1], which no entry of W couples with other rows; they are eliminated
 * in this order. q, lambda and `is_free` have all rows of W; only those named are read and written.
 * `is_free` tells which entries of lambda are free: on input as a guess, which is used for few rows
 * only, on output in the solution. `least` >= 0: values of w down to -least count as zero. If
 * thousands of products with W are not enough, the function returns what it has, with
 * report->wrong > 0. */
enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error);

/* Solves a part of the rows that projected_gradients_take took into c->gradients, by projected
 * gradients alone, from the guess lambda, in which negative entries count as 0. It ends when, in
 * every row, w is at least -tolerance and the smaller of w and lambda times the diagonal entry is
 * at most `tolerance`, in units of q. `is_free` is only written. */
struct complementarity_report complementarity_approach(struct complementarity *c, size_t part,
                                                       const double *q, double tolerance,
                                                       uint8_t *is_free, double *lambda);

/* Factors the part of W that consists of the rows with is_free[row], in their order. These rows are
 * then part[0] to part[factor.n - 1], and `change` has room for as many. */
enum status complementarity_factor(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                   const uint32_t *row, const uint8_t *is_free,
                                   struct error *error);

/* Does one round of iterative refinement of W lambda + q = 0 in the rows that
 * complementarity_factor factored. Returns the largest |W lambda + q| before the round. */
double complementarity_refine(struct complementarity *c, const struct sparse_rows *w,
                              const double *q, double *lambda);

#endif
