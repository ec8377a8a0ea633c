/* The parts of the multigrid solver: levels, the cycle over them, and sets without open faces.
 *
 * Cells are known by two numbers. Their *index* is their place in Morton order; their *slot* is
 * their place in memory, where all red cells (those with an even sum of coordinates) come before
 * all black ones, each color in Morton order. A sweep over a color is then a run through memory,
 * and so are the children of one color of a coarse cell. Vectors have one entry more than cells:
 * the last is 0 and stands for neighbors that do not exist. */
#ifndef SOLVERS_MULTIGRID_PARTS_H
#define SOLVERS_MULTIGRID_PARTS_H

#include "solvers/multigrid.h"

#include <stdbool.h>

/* A matrix in single precision, and the vectors of the cycle. */
struct multigrid_level {
    size_t room, n, n_red;
    uint32_t (*at)[3];   /* coordinates, by index */
    uint32_t *slot;      /* by index */
    uint32_t *first;     /* index of the first child, by index (n + 1); not on the finest level */
    uint32_t (*reds)[2]; /* slots of red children, from and up to; not on the finest level */

    /* by slot */
    uint32_t (*neighbor)[LATTICE_FACES]; /* a slot, or n: none */
    float (*coupling)[LATTICE_FACES];
    float *open;      /* open coefficient */
    float *inverse;   /* of the diagonal; 0 if that is 0 */
    uint32_t *parent; /* slot on the next coarser level; not on the coarsest */
    float *b, *x;     /* A x = b (n + 1) */
};

/* Coordinates have 21 bits, so that 21 halvings leave one cell. */
enum { MULTIGRID_LEVELS = 22 };

/* Connected cells without open faces. */
struct closed_sets {
    size_t room, set_room;
    size_t n;         /* sets */
    uint32_t *set_of; /* by index: number of the set, or LATTICE_NONE */
    uint8_t
        *leaves;   /* by index, while sets are sought: 1 if a cell of this root has an open face */
    size_t *count; /* cells, by set */
    double *mean;  /* by set, for the solver */
};

struct multigrid {
    size_t n_levels;
    struct multigrid_level level[MULTIGRID_LEVELS];
    struct closed_sets closed;
    double unit; /* largest coefficient: the cycle's matrix is A / unit */

    /* The finest matrix in double precision, by slot; neighbors are those of level[0]. */
    size_t room;
    double (*coupling)[LATTICE_FACES];
    double *diagonal;
    double *x, *residual, *direction, *image; /* x, r, p, A p (n + 1) */
};

/* Checks that the caller's matrix is as multigrid.h describes it. */
enum status multigrid_check(const struct lattice_matrix *matrix, struct error *error);

/* The coefficient of a face, 0 without a neighbor. */
double multigrid_coefficient(const struct lattice_cell *cell, size_t i, int face);

void multigrid_level_free(struct multigrid_level *level);

/* The finest level, its coefficients divided by `unit`. */
enum status multigrid_level_finest(struct multigrid_level *level,
                                   const struct lattice_matrix *matrix, double unit,
                                   struct error *error);

/* The next coarser level. */
enum status multigrid_level_coarser(struct multigrid_level *fine, struct multigrid_level *coarse,
                                    struct error *error);

/* Whether any cells are coupled; otherwise x = b / open is the solution. */
bool multigrid_level_coupled(const struct multigrid_level *level);

/* One V-cycle for level[0].b from x = 0; the result is level[0].x. */
void multigrid_cycle(struct multigrid *multigrid);

/* multigrid.c: computes A p, the product of an iteration; returns p . A p. */
double multigrid_apply(struct multigrid *multigrid);

void closed_sets_free(struct closed_sets *closed);
enum status closed_sets_find(struct closed_sets *closed, const struct lattice_matrix *matrix,
                             struct error *error);
/* The means of v, an array by index, over the sets. */
void closed_sets_mean(struct closed_sets *closed, size_t n, const double *v);

#endif
