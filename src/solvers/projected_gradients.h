/* Solves complementarity problems (complementarity.h) as minima of lambda . W lambda / 2 +
 * q . lambda over lambda >= 0, by conjugate gradients that stay within these bounds: modified
 * proportioning with reduced gradient projections (Dostal and Schoberl, "Minimizing quadratic
 * functions subject to bound constraints with the rate of convergence and finite termination",
 * Computational Optimization and Applications 30, 2005), with the diagonal of W and an incomplete
 * factor of it (incomplete_factor.h) as preconditioner.
 *
 * W is taken once for any number of problems that differ in q. It may have several parts that no
 * entry couples; each of them is a problem of its own.
 *
 * The cost of an iteration is in proportion to the entries of W. The part of lambda in the null
 * space of W stays nearly as it is in the guess. The code is serial, and the result depends on the
 * arguments alone. */
#ifndef SOLVERS_PROJECTED_GRADIENTS_H
#define SOLVERS_PROJECTED_GRADIENTS_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/incomplete_factor.h"

/* A part of the rows that were taken. */
struct projected_gradients_part {
    size_t first, end;
    double fixed_step; /* length of a step along the gradient where bounds are met, at most 2 / |W|
                        */
};

/* Memory that is reused; an empty one is {0}. Release with projected_gradients_free. It holds the
 * problem in the variables x = lambda sqrt(diagonal), in which the diagonal is 1. */
struct projected_gradients {
    struct projected_gradients_part *part;
    uint32_t *row;             /* the rows of W, part by part, ascending in each (n) */
    uint32_t *place;           /* index of each row of W among these (place_capacity) */
    double *root;              /* sqrt(diagonal), sqrt(m/s / (N s)) (n) */
    double *x;                 /* (n) */
    double *slope;             /* W x + q (n) */
    double *direction, *image; /* ... and W direction (n) */
    double *gradient;          /* preconditioned gradient (n) */
    struct incomplete_factor factor;
    struct sparse_rows w; /* the scaled matrix without its diagonal (n) */
    uint8_t *works;       /* 1: the row takes part in the direction (n) */
    size_t part_capacity, row_capacity, works_capacity, gradient_capacity, place_capacity,
        root_capacity, x_capacity, slope_capacity, direction_capacity, image_capacity,
        start_capacity, column_capacity, value_capacity;
};

struct projected_gradients_report {
    size_t iterations; /* products with W */
    double worst; /* the largest |min(W lambda + q, lambda times the diagonal)|, in units of q */
};

void projected_gradients_free(struct projected_gradients *g);

/* Takes rows of W, whose diagonal is positive there. Part k is row[start[k]] to row[start[k+1]-1],
 * in any order; start[0] is 0. No entry of W may couple a part with other rows. W itself need not
 * be kept. */
enum status projected_gradients_take(struct projected_gradients *g, const struct sparse_rows *w,
                                     size_t n_parts, const size_t *start, const uint32_t *row,
                                     struct error *error);

/* Solves for a part. q and lambda have all rows of W; only those of the part are read and written.
 * lambda is the guess on input, in which negative entries count as 0, and the solution on output.
 * Ends when `worst` is at most `tolerance`, in units of q, or after most_iterations. */
struct projected_gradients_report projected_gradients_solve(struct projected_gradients *g,
                                                            size_t part, const double *q,
                                                            double tolerance,
                                                            size_t most_iterations, double *lambda);

#endif
