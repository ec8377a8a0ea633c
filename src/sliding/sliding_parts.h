/* Declarations that the files of the scheme with links share. */
#ifndef SLIDING_SLIDING_PARTS_H
#define SLIDING_SLIDING_PARTS_H

#include "particles/links.h"
#include "schemes/scheme.h"
#include "sliding/link_search.h"
#include "sliding/linked.h"
#include "sliding/sliding.h"
#include "solvers/coulomb.h"

/* The effect of links in a step. */
struct link_report {
    size_t n, loaded;        /* links, and those with an impulse */
    double stored, returned; /* energy that merging stored and that splitting gave back, J */
    double work;     /* work of the impulses along normals, by the displacements in the step, J */
    double friction; /* ... and of those across normals, J */
    struct vec3 support; /* impulse of fixed particles and walls on free particles, N s */
    double support_work; /* work of the fixed particles and walls that move, J */
};

/* Memory of a step. Arrays are by row (rows_each n), by link (n) or by end (n_ends) of `links`;
 * those of velocities have room for the rates of rigid bodies behind their ends. */
struct sliding {
    struct scheme scheme; /* must be first */
    struct link_search search;
    struct links links;
    struct linked linked;      /* the implicit systems */
    struct link_owner *turned; /* pieces of implicit systems, which friction turns (n_turned) */
    size_t n_turned;
    double share; /* of the implicit systems (struct link_response); 1: there is none */
    struct links_matrix matrix;    /* J M^-1 J^T, where there are no rigid bodies */
    struct links_matrix normals;   /* the same for normals alone */
    struct contact_side *side;     /* what links move, where there is friction or a body (2 n) */
    struct rigid_motion *pushed;   /* of rigid bodies at links, by impulses that wait for
                                      sliding_spread, otherwise 0 (n_ends) */
    struct link_friction friction; /* `pressed` is the array below */
    struct coulomb solver;
    struct link_report report;
    size_t unsolved; /* links that a local problem of this step has left unsolved; those of several
                        problems count as often */

    double *merge;         /* impulses of merging, along normals, N s (rows_each n) */
    double *arrival;       /* impulses of merging again after the move, N s (rows_each n) */
    double *rub;           /* impulses of friction then, N s (rows_each n) */
    double *last;          /* impulses of the round before, sliding_friction.c, N s (rows_each n) */
    double *impulse;       /* impulses during integration, N s (rows_each n) */
    double *shift;         /* corrections of displacements along normals, as mass times displacement
                              over dt, N s (rows_each n) */
    double *q;             /* right side of a problem, m/s (rows_each n) */
    uint8_t *loaded;       /* rows whose impulse is free in the present problem (rows_each n) */
    uint8_t *marked;       /* links that are merged again after the move (n) */
    double *pressed;       /* impulses of merging and splitting that friction feels, N s (n) */
    uint32_t *normal_row;  /* normal rows of links, in the order of links.member (n) */
    uint32_t *chosen;      /* scratch: rows of a problem within one component (rows_each n) */
    double *stored;        /* energy that merging stored, of each component, J (n) */
    uint8_t *solved;       /* 1: the implicit systems have solved the component (n) */
    struct sym3 *mobility; /* 1 / mass of a free particle, else 0, 1/kg (n_ends) */
    struct rigid_bodies bodies;   /* of the scene; none: all 0 */
    struct vec3 residual_impulse; /* what the solve with links left of them, N s */
    double residual_work;         /* ... and its work, J */
    struct vec3 *moved;    /* places after the step, m (particles); NULL: there are no bodies */
    struct vec3 *kick;     /* changes of velocity by some impulses, m/s (n_ends) */
    struct vec3 *velocity; /* velocities of the present problem, m/s (n_ends) */
    size_t capacity;
};

/* ---- sliding_local.c: problems of links between particles that feel nothing else ---- */

/* Reserves memory for the present links, builds their matrix and finds what turns with them. */
enum status sliding_prepare(struct sliding *s, const struct step_view *view, struct error *error);

/* Copy the values of particles (n) to the ends of links, and the rates of rigid bodies behind them,
 * and back, to all particles of the bodies. */
void sliding_gather(const struct links *links, const struct vec3 *value, struct vec3 *at_end);
void sliding_scatter(const struct links *links, const struct vec3 *at_end, struct vec3 *value);

/* The approaching speed below which a pair does not collide, m/s: what rounding leaves of
 * s->velocity and of the change by gravity in a step. So contact at rest is not merged. */
double sliding_negligible(const struct sliding *s, const struct step_view *view);

/* Finds the least impulses along normals with J (s->velocity + M^-1 J^T impulse) >= -offset for the
 * links of one component, fills `impulse`, and changes s->velocity accordingly. `least`:
 * approaching speeds that do not matter, m/s. */
enum status sliding_solve(struct sliding *s, size_t component, double least, double *impulse,
                          struct error *error);

/* Does the same for the `n` links with these normal rows of one component. s->normals must couple
 * them with no other rows. */
enum status sliding_solve_for(struct sliding *s, size_t n, const uint32_t *row, double least,
                              double *impulse, struct error *error);

/* Builds the matrices, or what links move, for the present normals. Rigid bodies fill W, which has
 * as many entries as the square of the number of links at one, but only the rank of their motion:
 * there, problems are solved by that (solvers/coulomb_motion.c), and W is not built. */
enum status sliding_build(struct sliding *s, struct error *error);

/* v += M^-1 J^T impulse, for the impulse of one row; its couples wait in their pieces, and the
 * motions of rigid bodies for sliding_spread, which gives those at these rows (n) to all ends. */
void sliding_give(const struct sliding *s, size_t row, double impulse, struct vec3 *v);
void sliding_spread(const struct sliding *s, size_t n, const uint32_t *row, struct vec3 *v);

/* The kinetic energy that these impulses along normals took from one component, J: -p^T J (v + V) /
 * 2 with the velocities v before and V after them. s->velocity must still be V. The second one is
 * the part of one normal row. */
double sliding_taken(const struct sliding *s, size_t component, const double *impulse);
double sliding_taken_at(const struct sliding *s, uint32_t row, const double *impulse);

/* kick = M^-1 J^T impulse, over all links. */
void sliding_kick(const struct sliding *s, const double *impulse, struct vec3 *kick);

/* Adds to the report the impulses of walls and fixed particles on free ones, and their work, J,
 * which it also returns. s->velocity must hold the present velocities. */
double sliding_add_support(const struct sliding *s, const double *impulse,
                           struct link_report *report);

/* Kinetic energy of the free ends by these velocities, J. */
double sliding_kinetic(const struct links *links, const struct particles *particles,
                       const struct vec3 *at_end);

/* ---- sliding_friction.c ---- */

/* Does the same as sliding_solve_for with friction, whose bound includes s->pressed. `row` has the
 * three rows of each of `n` links of some components, one after the other. The impulses of their
 * other links must be zero, in `impulse` too. Pieces turn at rates by s->velocity and those of the
 * particles that are no ends (link_pieces_look); `given` of each grows by the couples that it is to
 * be turned by. Sets `work` to the work of the impulses, J. */
enum status sliding_solve_with_friction(struct sliding *s, size_t n, const uint32_t *row,
                                        double least, double *impulse, double *work,
                                        struct error *error);

/* ---- sliding_arrival.c ---- */

/* Turns the normals to those of the moved positions, and fills s->velocity from view->velocity,
 * which must hold the velocities after the step so far, and receives what turns as a whole.
 * Merges the pairs of speculative links with an impulse of merging, which have now come into
 * contact; this changes s->velocity, and adds to s->merge and s->stored. Stops pairs that were
 * pressed in the step and still approach. */
enum status sliding_arrive(struct sliding *s, const struct step_view *view, struct error *error);

/* ---- sliding_split.c ---- */

/* To be called after sliding_arrive: gives back the impulses of merging. Fills view->velocity, the
 * velocities after the step, from s->velocity. */
void sliding_split(struct sliding *s, const struct step_view *view, double alpha);

/* ---- sliding_create.c ---- */

/* The scheme, as its class has it. Release with sliding_free, also after a failure. */
enum status sliding_create(struct scheme **scheme, const struct step_view *view,
                           struct error *error);
void sliding_free(struct scheme *scheme);

#endif
