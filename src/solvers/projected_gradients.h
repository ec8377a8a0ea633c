/* Complementarity problems (complementarity.h) as the least value of lambda . W lambda / 2 +
 * q . lambda over lambda >= 0, by conjugate gradients that stay within these bounds: modified
 * proportioning with reduced gradient projections (Dostal and Schoberl, "Minimizing quadratic
 * functions subject to bound constraints with the rate of convergence and finite termination",
 * Computational Optimization and Applications 30, 2005), with the diagonal of W as preconditioner.
 *
 * No matrix is factored: an iteration costs in proportion to the entries of W. What W does not feel
 * stays as it was in the guess. Serial; the result depends on the arguments alone. */
#ifndef SOLVERS_PROJECTED_GRADIENTS_H
#define SOLVERS_PROJECTED_GRADIENTS_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/incomplete_factor.h"

/* Memory that is used again; an empty one is {0}. Release with projected_gradients_free. Of the
 * problem at hand, in the variables x = lambda sqrt(diagonal), in which the diagonal is 1. */
struct projected_gradients {
    uint32_t *row;             /* of W, ascending (n) */
    uint32_t *place;           /* of each row of W in the problem (place_capacity) */
    double *root;              /* of the diagonal, sqrt(m/s / (N s)) (n) */
    double *x;                 /* (n) */
    double *slope;             /* W x + q (n) */
    double *direction, *image; /* ... and W direction (n) */
    double *gradient;          /* preconditioned (n) */
    struct incomplete_factor factor;
    struct sparse_rows w; /* without its diagonal (n) */
    uint8_t *works;       /* in the direction (n) */
    size_t row_capacity, works_capacity, gradient_capacity, place_capacity, root_capacity,
        x_capacity, slope_capacity, direction_capacity, image_capacity, start_capacity,
        column_capacity, value_capacity;
};

struct projected_gradients_report {
    size_t iterations; /* products with W */
    double worst; /* the largest |min(W lambda + q, lambda times the diagonal)|, in units of q */
};

void projected_gradients_free(struct projected_gradients *g);

/* Solves for the rows row[0..n-1], which no entry of W couples with others and whose diagonal is
 * positive. q and lambda belong to all rows of W; only those named are read and written. lambda:
 * the guess, of which what is negative counts as 0, then the solution. Ends when `worst` is at most
 * `tolerance`, in units of q, or after most_iterations. */
enum status projected_gradients_solve(struct projected_gradients *g, const struct sparse_rows *w,
                                      size_t n, const uint32_t *row, const double *q,
                                      double tolerance, size_t most_iterations, double *lambda,
                                      struct projected_gradients_report *report,
                                      struct error *error);

#endif
