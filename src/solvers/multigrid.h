/* Symmetric equations on cells of a lattice, each coupled to at most six neighbors, such as those
 * for the pressure of an incompressible fluid:
 *
 *     open_i x_i + sum over neighbors j of c_ij (x_i - x_j) = b_i,    c_ij = c_ji >= 0, open_i >= 0
 *
 * Solved by conjugate gradients, preconditioned by one V-cycle of a multigrid method that knows
 * nothing but the coefficients: blocks of 2^3 cells become one coarse cell, and the coarse matrix
 * is half of the sum of the fine entries, P^T A P / 2 with constant interpolation P. (The sum alone
 * is the matrix of a lattice of the same spacing: a coarse coupling sums 4 of 8 fine faces over
 * twice the distance, so it is twice too stiff, in any dimension. Braess, "Towards algebraic
 * multigrid for elliptic problems of second order", Computing 55, 1995, calls the factor
 * overcorrection.) So walls, air, cut cells and coefficients that jump need no special treatment.
 * Smoother: two red-black Gauss-Seidel sweeps before the coarse correction and two after it, in
 * reverse order, so that the preconditioner is symmetric and positive.
 *
 * The cycle calculates in single precision, the iteration around it in double. */
#ifndef SOLVERS_MULTIGRID_H
#define SOLVERS_MULTIGRID_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Stands for the index of a neighbor that does not exist. */
#define LATTICE_NONE UINT32_MAX

/* The six faces of a cell; the face opposite to f is f ^ 1, its axis is f / 2. */
enum lattice_face {
    FACE_X_MINUS,
    FACE_X_PLUS,
    FACE_Y_MINUS,
    FACE_Y_PLUS,
    FACE_Z_MINUS,
    FACE_Z_PLUS
};
enum { LATTICE_FACES = 6 };

/* Coordinates are below this (21 bits each). */
enum { LATTICE_SIZE = 1 << 21 };

/* A row of the matrix. Coefficients may differ by many orders of magnitude. */
struct lattice_cell {
    uint32_t at[3];                   /* coordinates, each below LATTICE_SIZE */
    uint32_t neighbor[LATTICE_FACES]; /* index of the cell behind each face, or LATTICE_NONE */
    double
        coupling[3]; /* c of the faces +x, +y, +z, >= 0; not looked at without a neighbor there */
    double open;     /* sum of the coefficients of faces behind which x is 0, such as those
                      * toward air, >= 0 */
};

/* Cells ascend in the Morton order of their coordinates, lattice_morton below: the children of a
 * coarse cell are then consecutive, and neighbors are mostly near each other in memory. */
struct lattice_matrix {
    size_t n; /* less than LATTICE_NONE */
    const struct lattice_cell *cell;
};

/* The interleaved bits of the coordinates: x lowest, then y, then z. */
uint64_t lattice_morton(const uint32_t at[3]);

/* Coarse matrices and vectors, grown when a larger matrix comes and reused otherwise. */
struct multigrid;

enum status multigrid_create(struct multigrid **multigrid, struct error *error);
void multigrid_free(struct multigrid *multigrid); /* NULL is fine */

/* Copies the matrix and builds the coarse ones. STATUS_FAILED for want of memory, and for a matrix
 * that is not valid: cells not in ascending order, a neighbor that is not mutual or not one cell
 * away, a coefficient that is negative or not finite. */
enum status multigrid_prepare(struct multigrid *multigrid, const struct lattice_matrix *matrix,
                              struct error *error);

/* When to stop: |b - A x| <= tolerance max(|b|, scale) in the Euclidean norm, and no entry of the
 * residual is larger than `largest`. */
struct multigrid_goal {
    double tolerance;
    double scale;   /* 0, or the |b| of a larger problem of which this is a correction */
    double largest; /* unit of b; INFINITY: any */
    size_t max_iterations;
};

/* The smallest range that contains 0 and some values. */
struct multigrid_range {
    double least, most;
};

struct multigrid_report {
    size_t iterations;
    double right_side;               /* |b| without what was left out */
    double residual;                 /* |b - A x| at the end */
    double largest;                  /* the largest |b - A x| of a cell */
    struct multigrid_range left_out; /* means of b, see below */
};

/* Improves the guess x (n); a guess worse than 0 is replaced by 0. b (n) is not changed.
 *
 * A set of cells connected by positive couplings, none of them with an open coefficient, determines
 * x up to a constant, and its equations can be met only if its b sum to 0. For such a set the mean
 * of b is subtracted, so that x has the least residual possible, and the mean of x is 0. A cell
 * without any coefficient is such a set; its x is 0. The range of the means that were subtracted is
 * reported; the caller judges it.
 *
 * STATUS_FAILED, with a message that says how far it came, if max_iterations were not enough or
 * values are not finite; x is then the last iterate. Allocates nothing. The bits of x do not depend
 * on the number of threads. */
enum status multigrid_solve(struct multigrid *multigrid, const double *b, double *x,
                            const struct multigrid_goal *goal, struct multigrid_report *report,
                            struct error *error);

#endif
