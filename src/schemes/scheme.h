/* Schemes: ways from the velocities and positions at the start of a step to those at its end. The
 * parts that all schemes share are in step/step.c: outside forces, the length of the step, the move
 * itself, inlets and outlets, breaking, detection, the ledger. */
#ifndef SCHEMES_SCHEME_H
#define SCHEMES_SCHEME_H

#include "base/error.h"
#include "contact/contact.h"
#include "contact/synchronize.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "schemes/timing.h"
#include "systems/system.h"

#include <stdint.h>

/* The data that a scheme works on; all of it belongs to the simulation and outlives the scheme. */
struct step_view {
    double dt;     /* s */
    uint64_t step; /* steps done before this one; keys random draws */
    const struct scene *scene;
    struct particles *particles;     /* a scheme may change their forces, until it ends */
    const struct pair_list *meeting; /* pairs in touch at the present positions and, with
                                        contact.detection: swept, those that meet in the step */
    const struct walls *walls;       /* of the scene; NULL: none */
    struct system *const *system;    /* in the order of their particles (owners.n_systems) */
    struct owners owners;
    struct contact *contact;

    /* out */
    struct groups *groups; /* groups that moved as one in the last stage; all alone at the start */
    struct motion *motion; /* the particles move by motion->mean */
    struct vec3 *velocity; /* of every particle after the move, m/s (n) */
};

/* A step's report, for the ledger. */
struct scheme_report {
    struct contact_report contact;          /* in the last stage */
    struct synchronize_report synchronized; /* in the last stage */
    size_t approaching;                     /* pairs in touch that approach at the start */
    size_t stages;
    size_t late;       /* pairs merged in later stages */
    size_t unresolved; /* pairs that another stage would merge */
    size_t iterations_first, iterations_later;
    double residual;     /* the largest of all solves, relative */
    double projection;   /* work of the contact method's project, J */
    struct vec3 support; /* impulse of fixed particles and walls on free particles by contact,
                            beside that of forces and in meta-particles, N s */
    double support_work; /* work of the fixed particles and walls that move likewise, J */
};

struct scheme;

struct scheme_class {
    struct declaration declares; /* its name is that of the rows of contact methods */

    /* Fills *view->motion. The view's out arrays have room for all particles. */
    enum status (*create)(struct scheme **scheme, const struct step_view *view,
                          struct error *error);

    /* Carries out a step: sets groups, motion and velocity of the view. */
    enum status (*advance)(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report,
                           struct error *error);

    /* Before each step: the longest step that the scheme can take, s, beside what its systems allow
     * (struct system_class, `limit`). NULL: any step is possible. */
    double (*limit)(const struct scheme *scheme, const struct step_view *view);

    /* After `advance`, and before the positions move: reports the terms of the scheme's
     * declaration, in its order; zero on input. NULL: it has none. */
    void (*account)(const struct scheme *scheme, const struct step_view *view,
                    struct term_value term[MOST_TERMS]);

    void (*free)(struct scheme *scheme);
};

/* A scheme's own struct begins with this. */
struct scheme {
    const struct scheme_class *class;
    struct groups *seen; /* the groups that systems integrate: the view's, or parts of these */
};

/* velocity_level.c: systems are black boxes that find velocities; contact changes velocities before
 * and after (the paper's way). */
extern const struct scheme_class velocity_level;

/* incremental_potential.c: one minimum of inertia, bodies and contact together, for contact methods
 * that are a potential. STATUS_INVALID from create if a system cannot be part of it. */
extern const struct scheme_class incremental_potential;

/* All schemes, ended by NULL. A new one needs a file and a line in step/scheme_classes.c. */
extern const struct scheme_class *const scheme_classes[];

/* The scheme that carries out a contact method (config/contact_method.h); NULL if none of the table
 * has the name that the method's row gives. */
const struct scheme_class *scheme_of(enum contact_method method);

#endif
