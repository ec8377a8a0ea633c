/* Linear complementarity problems of contacts: for a symmetric positive semidefinite sparse matrix
 * W and a vector q in its range plus what is not negative, find
 *
 *     lambda >= 0,  w = W lambda + q >= 0,  lambda . w = 0
 *
 * Small problems are solved by block principal pivoting: which entries of lambda are free is
 * guessed, the linear system of these is solved exactly (sparse_factor.h), and all entries of a
 * wrong sign change sides at once (Judice and Pires, "A block principal pivoting algorithm for
 * large-scale strictly monotone linear complementarity problems", Computers and Operations Research
 * 21, 1994). That takes a few rounds, or never ends. Large problems, and those, are solved by
 * projected conjugate gradients (projected_gradients.h) down to rounding, without any factor that
 * fills.
 *
 * Where lattices meet, W is singular: w is unique, lambda is not. Factors are those of W with a
 * diagonal larger by COMPLEMENTARITY_MORE, and the solution is refined with W itself: that is
 * nearly the lambda of least norm, in which equal supports have equal shares. Gradients leave the
 * part that W does not feel nearly as it is in the guess. Serial; the result depends on the
 * arguments alone. */
#ifndef SOLVERS_COMPLEMENTARITY_H
#define SOLVERS_COMPLEMENTARITY_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/projected_gradients.h"
#include "solvers/sparse_factor.h"

/* By which fraction the diagonal of factored matrices is larger: so much that rounding in the
 * directions that W does not feel, 1e-16 over it, stays below the tolerance of signs. */
#define COMPLEMENTARITY_MORE 1e-8

/* So many rows or fewer are solved by pivoting: its matrices are small. */
enum { COMPLEMENTARITY_FEW = 32 };

/* Memory that is used again; an empty one is {0}. Release with complementarity_free. */
struct complementarity {
    struct sparse_factor factor;
    uint32_t *place; /* of each row of the matrix in the part at hand (place_capacity) */
    size_t place_capacity, placed;
    uint32_t *part; /* the free rows (part_capacity) */
    double *change; /* of these (change_capacity) */
    size_t part_capacity, change_capacity;
    struct projected_gradients gradients;
};

struct complementarity_report {
    size_t rounds;     /* factorizations */
    size_t iterations; /* products with W of projected gradients */
    size_t wrong;      /* entries that still have the wrong sign, or 1 if there are some */
};

void complementarity_free(struct complementarity *c);

/* Solves for the rows row[0..n-1], which no entry of W couples with others; they are eliminated in
 * this order. q, lambda and `is_free` belong to all rows of W; only those named are read and
 * written. `is_free`: the guess of few rows, then the solution's. `least` >= 0: values of w down to
 * -least count as zero. If thousands of products with W are not enough, it ends with the best that
 * there is: then report->wrong > 0. */
enum status complementarity_solve(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                  const uint32_t *row, const double *q, double least,
                                  uint8_t *is_free, double *lambda,
                                  struct complementarity_report *report, struct error *error);

/* The same by gradients alone, from the guess lambda, of which what is negative counts as 0, until
 * w and lambda times its diagonal are off by at most `tolerance`, in units of q: w is at least
 * minus that, and one of them at most that. `is_free` is only written. */
enum status complementarity_approach(struct complementarity *c, const struct sparse_rows *w,
                                     size_t n, const uint32_t *row, const double *q,
                                     double tolerance, uint8_t *is_free, double *lambda,
                                     struct complementarity_report *report, struct error *error);

/* Factors W of the rows with is_free[row], in their order, which are then part[0] to
 * part[factor.n - 1]; `change` has room for as many. */
enum status complementarity_factor(struct complementarity *c, const struct sparse_rows *w, size_t n,
                                   const uint32_t *row, const uint8_t *is_free,
                                   struct error *error);

/* After that: one round of refinement of W lambda + q = 0 of the factored rows. Returns the largest
 * of it that there was, without its sign; lambda has changed by W^-1 times it. */
double complementarity_refine(struct complementarity *c, const struct sparse_rows *w,
                              const double *q, double *lambda);

#endif
