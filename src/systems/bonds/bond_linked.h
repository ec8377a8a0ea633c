/* Memory and parts of the implicit step with links (bond_linked.c). Its unknowns are the changes of
 * velocity of the network's n particles, followed by those of the particles of other systems that
 * links join to them. */
#ifndef SYSTEMS_BONDS_BOND_LINKED_H
#define SYSTEMS_BONDS_BOND_LINKED_H

#include "base/vec3.h"
#include "particles/links.h"
#include "solvers/coulomb.h"
#include "systems/bonds/bond_newton.h"

/* The index of an unknown at an end that does not move. */
#define BOND_NO_UNKNOWN UINT32_MAX

/* The force of a link on its second particle, in the last step. */
struct link_force {
    uint32_t i, j;     /* as in struct link */
    struct vec3 force; /* N */
};

struct bond_linked {
    struct links *links; /* during a step */
    size_t n, n_foreign; /* unknowns; the last n_foreign are other systems' */
    struct vec3 *x, *b, *residual, *z, *direction, *image; /* (capacity, n in use) */
    struct vec3 *conjugate; /* conjugate direction of a descent, bond_linked_local.c (...) */
    size_t capacity;

    double *foreign_mass;       /* kg (n_foreign) */
    uint32_t *foreign_particle; /* (n_foreign) */
    size_t foreign_capacity;

    /* by end */
    uint32_t *unknown;     /* index of the unknown of each end (n_ends) */
    struct sym3 *mobility; /* inverse diagonal block of its unknown, 1/kg; 0: none (n_ends) */
    size_t end_capacity;

    /* by row */
    uint32_t *scope; /* rows of the components that have an unknown of the network, in the order of
                        elimination (n_scope) */
    size_t n_scope, n_parts;
    size_t *part;     /* where each component begins in `scope` (n_parts + 1) */
    double *goal;     /* value of J dv at which the row holds, m/s (links->rows_each * links->n) */
    double *q;        /* q of the local problem, m/s (...) */
    double *impulse;  /* N s (...) */
    double *expected; /* the impulses of the local problem, N s (...) */
    uint8_t *held;    /* 1: the row holds in the present stage (...) */
    size_t link_capacity, part_capacity;

    /* scratch for exact momentum, by body and then by foreign particle */
    uint32_t *tied;
    struct vec3 *tied_sum;
    double *tied_mass; /* 0: held by a support */
    size_t tied_capacity;

    /* forces of loaded links in the last step; part of the restart state */
    struct link_force *kept; /* ascending by (i, j) (n_kept) */
    size_t n_kept, kept_capacity;
    struct vec3 *recalled; /* that force for each present link, N (links->rows_each * links->n) */

    struct links_matrix matrix; /* J D^-1 J^T */
    struct coulomb solver;
    struct bond_newton newton;
};

void bond_linked_free(struct bond_linked *l);

/* bond_linked_kept.c: copies the forces of the last step into a list of i, j and the force (5 n),
 * which the caller owns, and restores them from it. STATUS_INVALID if the numbers cannot be such
 * forces. */
enum status bond_linked_list(const struct bond_linked *l, size_t *n, void **data,
                             struct error *error);
enum status bond_linked_give(struct bond_linked *l, size_t n, const double *data,
                             struct error *error);

struct bond_implicit;

/* bond_linked_momentum.c: corrects the solution by the momentum that the solver's residual amounts
 * to, and removes it from the residual (the counterpart of bond_correct_momentum for links). */
enum status bond_linked_correct_momentum(struct bond_implicit *step,
                                         const struct particles *particles, struct error *error);

/* ---- bond_linked_cg.c ---- */

struct bond_linked_report {
    size_t iterations;
    double residual; /* relative */
};

/* Solves A x = b + J^T impulse, where J x = goal in the rows that hold, and impulse = 0 in all
 * others. The method is conjugate gradients in the space in which J x does not change (Gould,
 * Hribar and Nocedal, SIAM J. Sci. Comput. 23, 2001). x is a guess on input. At the end,
 * l->residual holds b + J^T impulse - A x. J D^-1 J^T of the rows that hold must be factored. */
enum status bond_linked_solve(struct bond_implicit *step, struct bond_linked_report *report,
                              struct error *error);

/* y = A x. */
void bond_linked_apply(struct bond_implicit *step, const struct vec3 *x, struct vec3 *y);

/* a . b, summed in an order that does not depend on the number of threads. */
double bond_linked_dot(const struct bond_linked *l, const struct vec3 *a, const struct vec3 *b);

/* z = D^-1 r. */
void bond_linked_precondition(struct bond_implicit *step, const struct vec3 *r, struct vec3 *z);

/* The velocity of the second surface of link c relative to the first; a row of J x; a row of
 * J D^-1 r, without the turning of pieces; r += J^T impulse, of a link or of one row. Vectors are
 * over unknowns. With friction, bond_linked_look(x) must come before what is asked of x, and
 * bond_linked_turn(r) after all that is pushed, which turns pieces by the couples. */
void bond_linked_look(const struct bond_linked *l, const struct vec3 *x);
struct vec3 bond_linked_apart(const struct bond_linked *l, size_t c, const struct vec3 *x);
double bond_linked_speed(const struct bond_linked *l, uint32_t row, const struct vec3 *x);
double bond_linked_response(const struct bond_linked *l, uint32_t row, const struct vec3 *r);
void bond_linked_push(const struct bond_linked *l, size_t c, struct vec3 impulse, struct vec3 *r);
void bond_linked_push_row(const struct bond_linked *l, uint32_t row, double impulse,
                          struct vec3 *r);
void bond_linked_turn(const struct bond_linked *l, struct vec3 *r);

#endif
