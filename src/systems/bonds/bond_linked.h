/* Memory of the implicit step with links. Its unknowns are the changes of velocity of the network's
 * n particles and, behind them, of those particles of other systems that links join to them. */
#ifndef SYSTEMS_BONDS_BOND_LINKED_H
#define SYSTEMS_BONDS_BOND_LINKED_H

#include "base/vec3.h"
#include "particles/links.h"
#include "solvers/complementarity.h"

/* No unknown: who does not move. */
enum { BOND_NO_UNKNOWN = UINT32_MAX };

struct bond_linked {
    const struct links *links; /* during a step */
    size_t n, n_foreign;       /* unknowns; the last n_foreign are other systems' */
    struct vec3 *x, *b, *residual, *z, *direction, *image; /* (capacity, n in use) */
    size_t capacity;

    double *foreign_mass;       /* kg (n_foreign) */
    uint32_t *foreign_particle; /* (n_foreign) */
    size_t foreign_capacity;

    /* by end */
    uint32_t *unknown;     /* of each end (n_ends) */
    struct sym3 *mobility; /* inverse diagonal block of its unknown, 1/kg; 0: none (n_ends) */
    size_t end_capacity;

    /* by link */
    uint32_t *scope; /* the links of components with an unknown, in the order in which they are
                        eliminated (n_scope) */
    size_t n_scope;
    double *goal;     /* J dv that just holds, m/s (links->n) */
    double *q;        /* of the local problem, m/s (links->n) */
    double *impulse;  /* N s (links->n) */
    double *expected; /* the impulses of the local problem, N s (links->n) */
    uint8_t *held;    /* links that hold in the stage at hand (links->n) */
    size_t link_capacity;

    /* exact momentum, by body and, behind these, by foreign particle: scratch */
    uint32_t *tied;
    struct vec3 *tied_sum;
    double *tied_mass; /* 0: held by a support */
    size_t tied_capacity;

    struct links_matrix matrix; /* J D^-1 J^T */
    struct complementarity solver;
};

void bond_linked_free(struct bond_linked *l);

struct bond_implicit;

/* bond_linked_momentum.c: removes from the solution the momentum that the solver's residual stands
 * for, and from the residual too (bond_correct_momentum, for links). */
enum status bond_linked_correct_momentum(struct bond_implicit *step,
                                         const struct particles *particles, struct error *error);

/* ---- bond_linked_cg.c ---- */

struct bond_linked_report {
    size_t iterations;
    double residual; /* relative */
};

/* Solves A x = b + J^T impulse with J x = goal of the links that are held and no impulse of others,
 * by conjugate gradients in the space where J x does not change (Gould, Hribar and Nocedal, SIAM J.
 * Sci. Comput. 23, 2001). x: a guess on input. At the end, residual holds
 * b + J^T impulse - A x. */
enum status bond_linked_solve(struct bond_implicit *step, struct bond_linked_report *report,
                              struct error *error);

/* y = A x. */
void bond_linked_apply(struct bond_implicit *step, const struct vec3 *x, struct vec3 *y);

/* z = D^-1 r. */
void bond_linked_precondition(struct bond_implicit *step, const struct vec3 *r, struct vec3 *z);

/* J x, J D^-1 r, and r += J^T impulse, for vectors over unknowns. */
double bond_linked_speed(const struct bond_linked *l, uint32_t c, const struct vec3 *x);
double bond_linked_response(const struct bond_linked *l, uint32_t c, const struct vec3 *r);
void bond_linked_push(const struct bond_linked *l, uint32_t c, double impulse, struct vec3 *r);

#endif
