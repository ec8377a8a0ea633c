/* The step of all implicit systems with links (linked.c). Its unknowns are the changes of velocity
 * of their particles, which follow each other, and then those of particles of other systems that
 * links join to them, and two of each rigid body at links: the change of its center's velocity and
 * that of its rate, times a length so that both are speeds. Of a system it knows the linear problem
 * of its step alone (systems/linear_step.h). */
#ifndef SLIDING_LINKED_H
#define SLIDING_LINKED_H

#include "base/vec3.h"
#include "particles/links.h"
#include "schemes/scheme.h"
#include "sliding/newton.h"
#include "solvers/coulomb.h"
#include "systems/tied_bodies.h"

#include <stdbool.h>

/* The index of an unknown at an end that does not move. */
#define NO_UNKNOWN UINT32_MAX

/* The force of a link on its second particle, in the last step. */
struct link_force {
    uint32_t i, j;     /* as in struct link */
    struct vec3 force; /* N */
};

/* An implicit system. */
struct linked_system {
    struct system *system;
    struct linear_step step; /* at hand */
    size_t begin;            /* its first unknown */
};

struct linked {
    struct linked_system *system; /* (n_systems) */
    size_t n_systems;
    size_t first, n_own; /* their particles: [first, first + n_own), which are the first unknowns */
    size_t n_bodies;     /* of the scene */
    double share, tolerance; /* of the step at hand */
    size_t max_iterations;
    struct vec3 *given; /* impulses of links, N s (n_own) */
    uint8_t *at_link;   /* 1: the particle is an end of a link (n_own) */

    struct links *links; /* during a step */
    size_t n, n_foreign; /* unknowns; n_foreign particles of explicit systems are behind the own,
                            and rigid bodies behind these */
    struct vec3 *x, *b, *residual, *z, *direction, *image; /* (capacity, n in use) */
    struct vec3 *conjugate; /* conjugate direction of a descent, linked_local.c (...) */
    size_t capacity;

    double *foreign_mass;       /* kg (n_foreign) */
    uint32_t *foreign_particle; /* (n_foreign) */
    size_t foreign_capacity;

    /* by end */
    uint32_t *unknown;           /* index of the unknown of each end (n_ends) */
    struct sym3 *mobility;       /* inverse diagonal block of its unknown, 1/kg; 0: none (n_ends) */
    struct rigid_motion *before; /* of each rigid body at links, at the start of the step
                                    (links->rigid.n, at most n_ends) */
    size_t end_capacity;

    /* by row */
    uint32_t *scope; /* rows of the components that have a particle of an implicit system, in the
                        order of elimination (n_scope) */
    size_t n_scope, n_parts;
    size_t *part;     /* where each component begins in `scope` (n_parts + 1) */
    double *goal;     /* value of J dv at which the row holds, m/s (links->rows_each * links->n) */
    double *q;        /* q of the local problem, m/s (...) */
    double *impulse;  /* N s (...) */
    double *expected; /* the impulses of the local problem, N s (...) */
    uint8_t *held;    /* 1: the row holds in the present stage (...) */
    size_t link_capacity, part_capacity;

    struct tied_bodies tied; /* scratch for exact momentum, by body and then by foreign particle */

    /* forces of loaded links in the last step; part of the restart state */
    struct link_force *kept; /* ascending by (i, j) (n_kept) */
    size_t n_kept, kept_capacity;
    struct vec3 *recalled; /* that force for each present link, N (links->rows_each * links->n) */

    struct links_matrix matrix; /* J D^-1 J^T; where there are rigid bodies, its diagonal alone */
    struct contact_side *side;  /* ... and what links move (2 links->n) */
    size_t side_capacity;
    struct coulomb solver;
    struct newton newton;
};

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { LINKED_MANY = 8192 };

/* linked_systems.c: finds the implicit systems. STATUS_INVALID if their particles do not follow
 * each other. Release with linked_free, also after a failure. */
enum status linked_create(struct linked *l, const struct step_view *view, struct error *error);
void linked_free(struct linked *l);

/* Input and output of a solve. Its particles are the free ones of implicit systems and, of others,
 * those at links of the same components. Let A be the matrices of the former and the masses of the
 * others, and V the velocities at the start
 * (motion->before). The solve finds the change of velocity dv and the impulses of the links such
 * that
 *
 *     A dv = b + J^T impulse,   0 <= impulse,  J u + offset >= 0,  one of them 0
 *
 * for each link (complementarity), where u is the mean velocity of the step, by which particles
 * move: V + share dv for backward Euler (share 1) and for Newmark's method with beta = gamma / 2
 * (share 1/2). The work of the impulses, z J u = -z offset, is then never positive, whatever the
 * integrator; with the velocities at the end in place of u, pairs that part at the start of a step
 * and are pressed in it would gain (1 - share) z J V. The solve proceeds in stages, each of which
 * solves with a guess of the active set: the links that have an impulse. With friction
 * (links->rows_each is 3) these conditions hold for normals, and impulses across links follow
 * Coulomb's law with the velocities at the end. */
struct link_response {
    size_t most_stages;
    void (*later)(void *context); /* called at most once, when the first stage is done and others
                                     follow, so that the caller can time these */
    void *context;
    const struct vec3 *guess; /* first guess of the velocities at the end, by particle, m/s; NULL:
                                 the system's own guess */
    struct vec3 *after;       /* velocities of ends after the step, m/s; in: those of other systems'
                                 particles, without links; out: those of all ends in these components,
                                 with links (links->n_ends) */
    double *impulse;          /* out: of each row of these components, N s (links->rows_each n) */
    struct link_friction friction;
    double share;      /* out: the part of a change of velocity by links that the displacement over
                          dt takes, in these components; 0 < share <= 1 */
    uint8_t *solved;   /* out: 1 for these components; other entries are not touched
                          (links->n_components) */
    size_t stages;     /* out, like all members below */
    size_t late;       /* links that got an impulse in later stages */
    size_t unresolved; /* links that another stage would have loaded or unloaded */
    size_t iterations_first, iterations_later;
    double residual; /* relative, of the last stage */
};

/* Integrates all implicit systems. Fills motion->own_after and motion->own_mean of their particles.
 */
enum status linked_integrate(struct linked *l, const struct step_view *view, struct links *links,
                             struct link_response *response, struct error *error);

/* ---- linked_bodies.c: the unknowns of rigid bodies ---- */

/* The first unknown of the k-th body at links. */
static inline size_t linked_body(const struct linked *l, size_t k)
{
    return l->n_own + l->n_foreign + 2 * k;
}

/* The body of an end, or LINK_NO_BODY. */
static inline uint32_t linked_body_at(const struct linked *l, uint32_t end)
{
    return link_body_at(&l->links->rigid, end);
}

/* Unknowns as a motion, and back. */
struct rigid_motion linked_motion(const struct linked *l, size_t k, const struct vec3 *x);
void linked_set_motion(const struct linked *l, size_t k, struct rigid_motion motion,
                       struct vec3 *x);

/* The velocity by unknowns x where link c pushes an end of a body; the same by D^-1 r; r += J^T
 * impulse there. */
struct vec3 linked_body_velocity(const struct linked *l, size_t c, uint32_t end,
                                 const struct vec3 *x);
struct vec3 linked_body_response(const struct linked *l, size_t c, uint32_t end,
                                 const struct vec3 *r);
void linked_body_push(const struct linked *l, size_t c, uint32_t end, struct vec3 impulse,
                      struct vec3 *r);

/* The parts of all bodies in y = A x, in z = A^-1 r, which is z = D^-1 r as well, and in z += D^-1
 * r. */
void linked_bodies_apply(const struct linked *l, const struct vec3 *x, struct vec3 *y);
void linked_bodies_invert(const struct linked *l, const struct vec3 *r, struct vec3 *z);
void linked_bodies_respond(const struct linked *l, const struct vec3 *r, struct vec3 *z);

/* The residuals of all bodies: their impulse, N s; returns their work by `mean`, displacements over
 * dt by particle, J. */
double linked_bodies_residual(const struct linked *l, const struct vec3 *mean,
                              struct vec3 *impulse);

/* linked_systems.c: the linear problems of all systems, and what their solution means for each. */
enum status linked_begin_systems(struct linked *l, const struct step_view *view,
                                 struct error *error);
void linked_end_systems(struct linked *l, const struct step_view *view);

/* linked_kept.c: copies the forces of the last step into a list of i, j and the force (5 n),
 * which the caller owns, and restores them from it. STATUS_INVALID if the numbers cannot be such
 * forces. */
enum status linked_list(const struct linked *l, size_t *n, void **data, struct error *error);
enum status linked_give(struct linked *l, size_t n, const double *data, struct error *error);

/* linked_momentum.c: corrects the solution by the momentum that the solver's residual amounts
 * to, and removes it from the residual. */
enum status linked_correct_momentum(struct linked *l, const struct particles *particles,
                                    struct error *error);

/* ---- linked_cg.c ---- */

struct linked_report {
    size_t iterations;
    double residual; /* relative */
};

/* Solves A x = b + J^T impulse, where J x = goal in the rows that hold, and impulse = 0 in all
 * others. The method is conjugate gradients in the space in which J x does not change (Gould,
 * Hribar and Nocedal, SIAM J. Sci. Comput. 23, 2001). x is a guess on input. At the end,
 * l->residual holds b + J^T impulse - A x. J D^-1 J^T of the rows that hold must be factored. */
enum status linked_solve(struct linked *l, struct linked_report *report, struct error *error);

/* y = A x. */
void linked_apply(const struct linked *l, const struct vec3 *x, struct vec3 *y);

/* a . b, summed in an order that does not depend on the number of threads. */
double linked_dot(const struct linked *l, const struct vec3 *a, const struct vec3 *b);

/* z = D^-1 r. */
void linked_precondition(const struct linked *l, const struct vec3 *r, struct vec3 *z);

/* z += D^-1 r, for an r that is zero where there are no links. */
void linked_add_response(const struct linked *l, const struct vec3 *r, struct vec3 *z);

/* z = P^-1 r, with P = D where a system has none; whether any has one. */
void linked_invert(const struct linked *l, const struct vec3 *r, struct vec3 *z);
bool linked_inverts(const struct linked *l);

/* The velocity of the second surface of link c relative to the first; a row of J x; a row of
 * J D^-1 r; r += J^T impulse, of a link or of one row. Vectors are over unknowns. J D^-1, and what
 * ends with `_ends`, leave out how pieces turn. With friction, linked_look(x) must come before what
 * is asked of x, and linked_turn(r) after all that is pushed, which turns pieces by the couples. */
void linked_look(const struct linked *l, const struct vec3 *x);
struct vec3 linked_apart(const struct linked *l, size_t c, const struct vec3 *x);
struct vec3 linked_apart_ends(const struct linked *l, size_t c, const struct vec3 *x);
double linked_speed(const struct linked *l, uint32_t row, const struct vec3 *x);
double linked_response(const struct linked *l, uint32_t row, const struct vec3 *r);
struct vec3 linked_response_at(const struct linked *l, size_t c, const struct vec3 *r);
void linked_push(const struct linked *l, size_t c, struct vec3 impulse, struct vec3 *r);
void linked_push_ends(const struct linked *l, size_t c, struct vec3 impulse, struct vec3 *r);
void linked_push_row(const struct linked *l, uint32_t row, double impulse, struct vec3 *r);
void linked_turn(const struct linked *l, struct vec3 *r);

#endif
