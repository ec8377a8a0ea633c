/* Preconditioned conjugate gradients for the bond network: the iteration of
 * solvers/conjugate_gradients.h, fused into two passes over memory, and limited to the entries that
 * the vectors have reached. test_bond_cg.c compares the iterates of both.
 *
 * Unknowns may be mirrored: several entries can stand for one unknown, all holding the same value,
 * and only the one of weight 1 counts in scalar products. An entry that is not an unknown (a fixed
 * particle) has weight 0, and operator and preconditioner give zero there. */
#ifndef SYSTEMS_BONDS_BOND_CG_H
#define SYSTEMS_BONDS_BOND_CG_H

#include "base/error.h"
#include "base/vec3.h"
#include "systems/bonds/bond_frontier.h"

#include <stddef.h>
#include <stdint.h>

struct bond_problem {
    size_t n;
    void *context;
    /* y = A x, for entries at most `farthest` away: those farther away are zero in x and are not
     * read in y. frontier NULL: everywhere */
    void (*apply)(void *context, const struct frontier *frontier, size_t farthest,
                  const struct vec3 *x, struct vec3 *y);
    /* z = M^-1 r for entries [begin, end); called by several threads */
    void (*precondition)(void *context, size_t begin, size_t end, const struct vec3 *r,
                         struct vec3 *z);
    const uint8_t *weight; /* 1 or 0 (n) */
    /* where `precondition` adds to z, the rest of M^-1 r, which each entry may need all of r for;
     * for solves without a frontier. NULL: `precondition` sets z */
    void (*coarse)(void *context, const struct vec3 *r, struct vec3 *z);
};

struct bond_cg_workspace {
    size_t n;
    struct vec3 *residual, *z, *direction, *image; /* (n) each */
    double *partial;                               /* block sums */
};

struct bond_cg_report {
    size_t iterations;
    double residual; /* |b - A x| / |b| at the end; 0 for b = 0 */
    double scale;    /* |b| */
};

enum status bond_cg_workspace_create(struct bond_cg_workspace *work, size_t n, struct error *error);
void bond_cg_workspace_free(struct bond_cg_workspace *work);

/* Improves the guess x until |b - A x| <= tolerance |b|; work->residual then holds b - A x. A guess
 * worse than 0 is replaced by 0. Reaching max_iterations, or a breakdown by values that are not
 * finite, is STATUS_FAILED with a message that says how far it came. The bits of x do not depend on
 * the number of threads. */
enum status bond_cg_solve(const struct bond_problem *problem, const struct vec3 *b, struct vec3 *x,
                          double tolerance, size_t max_iterations, struct bond_cg_workspace *work,
                          struct bond_cg_report *report, struct error *error);

/* Improves an x that is wrong in a few places. work->residual holds b - A x, which is zero at
 * distances above 1. Stops when its norm is at most tolerance x scale, where scale > 0 is |b| or
 * another measure that the caller chooses; report->residual is relative to it. Entries that the
 * vectors do not reach are not touched and cost nothing. */
enum status bond_cg_incremental(const struct bond_problem *problem, const struct frontier *frontier,
                                double scale, double tolerance, size_t max_iterations,
                                struct vec3 *x, struct bond_cg_workspace *work,
                                struct bond_cg_report *report, struct error *error);

#endif
