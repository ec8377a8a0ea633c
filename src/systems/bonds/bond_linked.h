/* Memory and parts of the implicit step with links (bond_linked.c). Its unknowns are the changes of
 * velocity of the network's n particles, followed by those of the particles of other systems that
 * links join to them. */
#ifndef SYSTEMS_BONDS_BOND_LINKED_H
#define SYSTEMS_BONDS_BOND_LINKED_H

#include "base/vec3.h"
#include "particles/links.h"
#include "solvers/coulomb.h"

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
    double *known; /* impulses, at their goal, of rows that do not hold in this stage, N s (...) */
    double *drag;  /* of rows that give way in this stage: impulse beyond the known one, over
                      speed, N s / (m/s); 0 for other rows (...) */
    double *diagonal;     /* scratch: diagonal of the matrix of rows with drags (...) */
    uint8_t *bears;       /* scratch: 1 for rows of that matrix (...) */
    struct vec3 *along;   /* first tangential direction of each link in this stage (...) */
    double *tilt;         /* fraction of `along` by which the normal is tilted against it (...) */
    double *shift;        /* speed at which a tilted normal holds, m/s (...) */
    struct link *upright; /* links as they are outside of tilted stages (...) */
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
    struct links_matrix turned; /* the same with rows as turned in a stage with friction */
    struct coulomb solver;
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

/* ---- bond_linked_friction.c: with links->rows_each 3 ---- */

/* Solves the local problem of cones in the components that are `solved`, from the guess in
 * `expected` and `held` (coulomb_approach). q must be filled. wrong: number of contacts that are
 * not solved. */
enum status bond_linked_approach_friction(struct bond_linked *l,
                                          const struct link_friction *friction,
                                          const uint8_t *solved, double tolerance,
                                          size_t most_sweeps, size_t *wrong, struct error *error);

/* In a tilted stage, N of a slipping link is part of the solution. In a known stage, its tangential
 * impulses follow from the expected N. */
enum bond_friction_stage { BOND_FRICTION_TILTED, BOND_FRICTION_KNOWN };

/* Plans which links stick and slip in the next stage, from the local problem that was solved last:
 * from `q` (without its impulses), `expected` and `held`. */
void bond_linked_plan_friction(struct bond_linked *l, const struct link_friction *friction,
                               enum bond_friction_stage stage);

/* Counts the links that violate Coulomb's law at the solution x with its impulses. Speeds up to
 * `little`, m/s, do not matter. */
size_t bond_linked_judge_friction(struct bond_linked *l, const struct link_friction *friction,
                                  double little);

/* Turn and tilt the rows of links before a stage, and turn them back after it together with their
 * impulses. The caller must make the goals and the matrix anew after either. */
void bond_linked_turn(struct bond_linked *l);
void bond_linked_turn_back(struct bond_linked *l);

/* Factors J D^-1 J^T of the rows that hold and, with friction, of the rows that drag, whose
 * diagonal is larger by 1 / drag. */
enum status bond_linked_factor(struct bond_linked *l, struct error *error);

/* ---- bond_linked_cg.c ---- */

struct bond_linked_report {
    size_t iterations;
    double residual; /* relative */
};

/* Solves A x = b + J^T impulse, where J x = goal in the rows that hold, impulse = known + drag
 * (goal
 * - J x) in those that drag, and impulse = known in all others. The method is conjugate gradients
 * in the space in which J x does not change (Gould, Hribar and Nocedal, SIAM J. Sci. Comput. 23,
 * 2001). x is a guess on input. At the end, l->residual holds b + J^T impulse - A x. */
enum status bond_linked_solve(struct bond_implicit *step, struct bond_linked_report *report,
                              struct error *error);

/* y = A x. */
void bond_linked_apply(struct bond_implicit *step, const struct vec3 *x, struct vec3 *y);

/* z = D^-1 r. */
void bond_linked_precondition(struct bond_implicit *step, const struct vec3 *r, struct vec3 *z);

/* A row of J x; a row of J D^-1 r; r += J^T impulse of one row. Vectors are over unknowns. */
double bond_linked_speed(const struct bond_linked *l, uint32_t row, const struct vec3 *x);
double bond_linked_response(const struct bond_linked *l, uint32_t row, const struct vec3 *r);
void bond_linked_push(const struct bond_linked *l, uint32_t row, double impulse, struct vec3 *r);

#endif
