/* Algorithm 1 of Macklin, Mueller, Chentanez and Kim, "Unified Particle Physics for Real-Time
 * Applications", ACM Transactions on Graphics 33 (2014), UPP: a step predicts positions, finds
 * contacts there, and corrects positions by a fixed number of iterations, one group of constraints
 * after the other. Velocities are what positions did. There is no linear system and no test of
 * convergence: the number of iterations is part of the physics.
 *
 *     position_based     the step
 *     position_create    its groups and arrays
 *     position_account   its part of the ledger
 *     position_state     what it keeps from step to step
 *     constraints/       the groups
 */
#ifndef SCHEMES_POSITION_BASED_H
#define SCHEMES_POSITION_BASED_H

#include "air/air.h"
#include "constraints/density.h"
#include "contact/near_pairs.h"
#include "schemes/scheme.h"

/* The impulses of a step, N s, and their works, J. */
struct position_report {
    double work[CONSTRAINT_KINDS];         /* of each group on free particles, on supports, and on
                                              those upstream of inlets */
    double friction;                       /* the part of that of contacts which is friction */
    struct vec3 support;                   /* of supports and walls on free particles */
    double support_work[CONSTRAINT_KINDS]; /* of supports that move on free particles */
    double rubbed_work;                    /* the part of that of contacts which is friction */
    struct vec3 inflow;                    /* of particles upstream of inlets on free ones */
    double inflow_work[CONSTRAINT_KINDS];  /* of these on free ones */
    struct compression compression;        /* of fluids */
    struct enstrophy enstrophy;            /* of gas */
    struct vec3 unbalanced;                /* what the averaging of corrections adds to momentum */
    double changed[VELOCITY_CHANGES];      /* work of what changes velocities alone, likewise */
    double changed_work;                   /* work of those upstream of inlets in these changes */
    struct vec3 air; /* of air on free particles: less weight, vortices, drag */
    double air_work; /* of less weight alone */
};

struct position_based {
    struct scheme scheme; /* must be first */
    struct constraint_set set;
    size_t n_walls; /* of the scene */
    double margin;  /* contacts are looked for up to this distance beyond touch, in smallest radii:
                       particles may come so much nearer while iterations move them */
    struct near_pairs near;
    struct candidates candidates;
    struct corrections corrections; /* of one iteration */
    struct position_report report;

    /* by particle (n) */
    struct vec3 *start, *at, *velocity;
    double *weight, *scaled;              /* the same array unless masses are scaled */
    struct vec3 *total[CONSTRAINT_KINDS]; /* the corrections of each group in this step, m */
    struct vec3 *rubbed;                  /* the part of them that is friction, m */
    bool *flows;                          /* particles of fluids */
};

/* position_create.c */
enum status position_create(struct scheme **scheme, const struct step_view *view,
                            struct error *error);
void position_free(struct scheme *scheme);

/* position_account.c: fills s->report, once the view's motion is final. */
void position_sum_up(struct position_based *s, const struct step_view *view);
/* ... and, before that, adds a change of velocities alone, in the corrections. */
void position_add_change(struct position_based *s, const struct step_view *view,
                         enum velocity_change kind);

enum {
    POSITION_FRICTION,
    POSITION_SHAPES,
    POSITION_VOLUMES,
    POSITION_PRESSURE,
    POSITION_COMPRESSION_MAX,
    POSITION_COMPRESSION_MEAN,
    POSITION_COHESION,
    POSITION_VORTICITY,
    POSITION_ENSTROPHY,
    POSITION_UNBALANCED,
    POSITION_AIR = POSITION_UNBALANCED + 3,
    POSITION_TERMS = POSITION_AIR + AIR_TERMS
};
extern const struct energy_term *const position_terms[POSITION_TERMS];
void position_account(struct scheme *scheme, const struct step_view *view, struct step_work *work);

/* position_state.c */
enum { POSITION_STATES = 2 };
extern const struct owned_state position_states[POSITION_STATES];

#endif
