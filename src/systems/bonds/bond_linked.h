/* Memory of the implicit step with links (bond_linked.c). Its unknowns are the changes of velocity
 * of the network's n particles and, behind them, of those particles of other systems that links
 * join to them. */
#ifndef SYSTEMS_BONDS_BOND_LINKED_H
#define SYSTEMS_BONDS_BOND_LINKED_H

#include "base/vec3.h"
#include "particles/links.h"
#include "solvers/coulomb.h"

/* No unknown: who does not move. */
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
    struct vec3 *conjugate; /* of a descent (bond_linked_local.c) (...) */
    size_t capacity;

    double *foreign_mass;       /* kg (n_foreign) */
    uint32_t *foreign_particle; /* (n_foreign) */
    size_t foreign_capacity;

    /* by end */
    uint32_t *unknown;     /* of each end (n_ends) */
    struct sym3 *mobility; /* inverse diagonal block of its unknown, 1/kg; 0: none (n_ends) */
    size_t end_capacity;

    /* by row */
    uint32_t *scope; /* the rows of components with an unknown, in the order in which they are
                        eliminated (n_scope) */
    size_t n_scope;
    double *goal;         /* J dv that just holds, m/s (links->rows_each * links->n) */
    double *q;            /* of the local problem, m/s (...) */
    double *impulse;      /* N s (...) */
    double *expected;     /* the impulses of the local problem, N s (...) */
    uint8_t *held;        /* rows that hold in the stage at hand (...) */
    double *known;        /* impulses of rows that do not hold in it, at their goal, N s (...) */
    double *drag;         /* impulse beyond the known one over speed, of rows that give way in it,
                             N s / (m/s), or 0 (...) */
    double *diagonal;     /* of the matrix of rows with drags: scratch (...) */
    uint8_t *bears;       /* rows of that matrix: scratch (...) */
    struct vec3 *along;   /* to which the direction across of each link turns in it (...) */
    double *tilt;         /* by how much of that its normal tilts against it (...) */
    double *shift;        /* speed of tilted normals that just holds, m/s (...) */
    struct link *upright; /* links as they are between stages (...) */
    uint32_t *normal_row; /* of links in the order of links->member (...) */
    size_t link_capacity;

    /* exact momentum, by body and, behind these, by foreign particle: scratch */
    uint32_t *tied;
    struct vec3 *tied_sum;
    double *tied_mass; /* 0: held by a support */
    size_t tied_capacity;

    /* forces of the last step, of links with load; state of a restart */
    struct link_force *kept; /* ascending by (i, j) (n_kept) */
    size_t n_kept, kept_capacity;
    struct vec3 *recalled; /* of each link now, N (links->rows_each * links->n) */

    struct links_matrix matrix;  /* J D^-1 J^T */
    struct links_matrix normals; /* ... of normals alone */
    struct links_matrix turned;  /* ... as rows are turned in the stage at hand, with friction */
    struct coulomb solver;
};

void bond_linked_free(struct bond_linked *l);

/* bond_linked_kept.c: the forces of the last step as a list of i, j and the force (5 n), which is
 * the caller's, and back. STATUS_INVALID if they cannot be such forces. */
enum status bond_linked_list(const struct bond_linked *l, size_t *n, void **data,
                             struct error *error);
enum status bond_linked_give(struct bond_linked *l, size_t n, const double *data,
                             struct error *error);

struct bond_implicit;

/* bond_linked_momentum.c: removes from the solution the momentum that the solver's residual stands
 * for, and from the residual too (bond_correct_momentum, for links). */
enum status bond_linked_correct_momentum(struct bond_implicit *step,
                                         const struct particles *particles, struct error *error);

/* ---- bond_linked_friction.c: with links->rows_each 3 ---- */

/* Solves the local problem of cones, of which q is filled, in components that are `solved`, from
 * the guess in `expected` and `held` (coulomb_approach). wrong: contacts that are not solved. */
enum status bond_linked_approach_friction(struct bond_linked *l,
                                          const struct link_friction *friction,
                                          const uint8_t *solved, double tolerance,
                                          size_t most_sweeps, size_t *wrong, struct error *error);

/* In a tilted stage N of who slips is part of the solution, in a known one the impulses across
 * follow from the N that is expected. */
enum bond_friction_stage { BOND_FRICTION_TILTED, BOND_FRICTION_KNOWN };

/* Who sticks and who slips in the next stage, from the local problem that was solved last: `q`,
 * without its impulses, `expected`, `held`. */
void bond_linked_plan_friction(struct bond_linked *l, const struct link_friction *friction,
                               enum bond_friction_stage stage);

/* How many links are not as the law asks, at the solution x with its impulses; speeds of `little`
 * m/s do not matter. */
size_t bond_linked_judge_friction(struct bond_linked *l, const struct link_friction *friction,
                                  double little);

/* Turns and tilts the rows of links before a stage, and back after it, with their impulses; goals
 * and the matrix are then to be made anew. */
void bond_linked_turn(struct bond_linked *l);
void bond_linked_turn_back(struct bond_linked *l);

/* Factors J D^-1 J^T of the rows that hold, and with friction of those that drag, whose diagonal is
 * larger by 1 / drag. */
enum status bond_linked_factor(struct bond_linked *l, struct error *error);

/* ---- bond_linked_cg.c ---- */

struct bond_linked_report {
    size_t iterations;
    double residual; /* relative */
};

/* Solves A x = b + J^T impulse with J x = goal of the rows that are held, impulse = drag (goal - J
 * x) of those that drag and what is known of others, by conjugate gradients in the space where J x
 * does not change (Gould, Hribar and Nocedal, SIAM J. Sci. Comput. 23, 2001). x: a guess on input.
 * At the end, residual holds b + J^T impulse - A x. */
enum status bond_linked_solve(struct bond_implicit *step, struct bond_linked_report *report,
                              struct error *error);

/* y = A x. */
void bond_linked_apply(struct bond_implicit *step, const struct vec3 *x, struct vec3 *y);

/* z = D^-1 r. */
void bond_linked_precondition(struct bond_implicit *step, const struct vec3 *r, struct vec3 *z);

/* J x, J D^-1 r, and r += J^T impulse, for vectors over unknowns. */
double bond_linked_speed(const struct bond_linked *l, uint32_t row, const struct vec3 *x);
double bond_linked_response(const struct bond_linked *l, uint32_t row, const struct vec3 *r);
void bond_linked_push(const struct bond_linked *l, uint32_t row, double impulse, struct vec3 *r);

#endif
