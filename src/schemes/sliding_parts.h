/* What the files of the scheme with links share. */
#ifndef SCHEMES_SLIDING_PARTS_H
#define SCHEMES_SLIDING_PARTS_H

#include "particles/links.h"
#include "schemes/scheme.h"
#include "solvers/coulomb.h"

/* Memory of a step; arrays by row (rows_each n), by link (n) and by end (n_ends) of `links`. */
struct sliding {
    struct scheme scheme; /* must be first */
    struct links links;
    struct links_matrix matrix;    /* J M^-1 J^T */
    struct links_matrix normals;   /* ... of normals alone */
    struct link_friction friction; /* `pressed` is the array below */
    struct coulomb solver;

    double *merge;         /* impulses of merging, along normals, N s (rows_each n) */
    double *arrival;       /* ... and of merging again after the move (rows_each n) */
    double *rub;           /* ... and of friction then (rows_each n) */
    double *impulse;       /* ... and during integration, N s (rows_each n) */
    double *shift;         /* dt^-1 times mass times displacement, beyond that of velocities, along
                              normals, N s (rows_each n) */
    double *q;             /* right side of a problem, m/s (rows_each n) */
    uint8_t *loaded;       /* rows whose impulse is free, in the problem at hand (rows_each n) */
    uint8_t *marked;       /* links that are merged again after the move (n) */
    double *pressed;       /* impulses of merging and splitting that friction feels, N s (n) */
    uint32_t *normal_row;  /* of links in the order of links.member (n) */
    uint32_t *chosen;      /* scratch: rows of one component, of a problem (rows_each n) */
    double *stored;        /* energy that merging stored, of each component, J (n) */
    uint8_t *solved;       /* by the implicit system, of each component (n) */
    struct sym3 *mobility; /* 1 / mass of who is free, 1/kg (n_ends) */
    struct vec3 *kick;     /* changes of velocity by some impulses, m/s (n_ends) */
    struct vec3 *velocity; /* those of the problem at hand, m/s (n_ends) */
    size_t capacity;
};

/* ---- sliding_local.c: problems of links between particles that feel nothing else ---- */

/* Room for the links at hand, and their matrix. */
enum status sliding_prepare(struct sliding *s, const struct particles *particles,
                            struct error *error);

/* The values of particles at the ends of links (n), and back. */
void sliding_gather(const struct links *links, const struct vec3 *value, struct vec3 *at_end);
void sliding_scatter(const struct links *links, const struct vec3 *at_end, struct vec3 *value);

/* Approaching speeds that do not matter, m/s: what rounding leaves of s->velocity, and of what
 * outside forces change in a step. Contact at rest does not collide. */
double sliding_negligible(const struct sliding *s, const struct step_view *view);

/* J (s->velocity + M^-1 J^T impulse) >= -offset of the links of one component, by the least
 * impulses along normals that do so: fills `impulse` and changes s->velocity. `least`: approaching
 * speeds that do not matter, m/s. */
enum status sliding_solve(struct sliding *s, size_t component, double least, double *impulse,
                          struct error *error);

/* Without friction, for the links of `n` normal rows of one component, with which s->normals
 * couples no others. */
enum status sliding_solve_for(struct sliding *s, size_t n, const uint32_t *row, double least,
                              double *impulse, struct error *error);

/* The same with friction, which s->pressed bounds as well. `row`: the three rows of each of `n`
 * links of one component; the impulses of its other links are zero, in `impulse` too. */
enum status sliding_solve_with_friction(struct sliding *s, size_t n, const uint32_t *row,
                                        double least, double *impulse, struct error *error);

/* Kinetic energy that these impulses along normals of one component took when they were found, J:
 * -p^T J (v + V) / 2 with the velocities v before and V after, which s->velocity still is. */
double sliding_taken(const struct sliding *s, size_t component, const double *impulse);

/* kick = M^-1 J^T impulse of all links. */
void sliding_kick(const struct sliding *s, const double *impulse, struct vec3 *kick);

/* Adds the impulses of walls and fixed particles on free ones, and their work, which it returns, J;
 * s->velocity: at the ends now. */
double sliding_add_support(const struct sliding *s, const double *impulse,
                           struct link_report *report);

/* Kinetic energy of the free ends by these velocities, J. */
double sliding_kinetic(const struct links *links, const struct particles *particles,
                       const struct vec3 *at_end);

/* ---- sliding_arrival.c ---- */

/* Turns the normals to those of the moved positions, and fills s->velocity with motion->after; what
 * speculative links with an impulse of merging have let come into touch is merged, which changes
 * s->velocity, and adds to s->merge and s->stored. */
enum status sliding_arrive(struct sliding *s, const struct step_view *view,
                           struct scheme_report *report, struct error *error);

/* ---- sliding_split.c ---- */

/* After that: gives back the impulses of merging. Fills view->velocity, that take over after the
 * move, from s->velocity. */
void sliding_split(struct sliding *s, const struct step_view *view, double alpha,
                   struct scheme_report *report);

#endif
