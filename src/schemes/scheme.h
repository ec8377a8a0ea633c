/* Schemes: ways from the velocities and positions at the start of a step to those at its end. The
 * parts that all schemes share are in step/step.c: outside forces, the length of the step, the move
 * itself, inlets and outlets, breaking, detection, the ledger. */
#ifndef SCHEMES_SCHEME_H
#define SCHEMES_SCHEME_H

#include "base/error.h"
#include "contact/contact.h"
#include "declared/energy_sums.h"
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
    struct detector *detector;       /* finds contacts at the end of steps */
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
    size_t approaching; /* pairs in touch that approach at the start */
    size_t stages;
    size_t late;       /* pairs merged in later stages */
    size_t unresolved; /* pairs that another stage would merge */
    size_t iterations_first, iterations_later;
    size_t contact_iterations; /* of the contact method's own solver, in all stages */
    double residual;           /* the largest of all solves, relative */
};

/* Where the energy and the momentum of a step went. Before a scheme adds to it, it has what the
 * forces and impulses of `begin` of the contact method did, and what holds merged particles. */
struct step_work {
    double damping, linearization, wall_dissipation; /* columns of the ledger, J */
    double contact_work;                             /* likewise, J */
    struct vec3 support;     /* impulse of fixed particles and walls on free particles, N s */
    double support_work;     /* work of fixed particles and walls that move, J */
    struct vec3 prescribed;  /* impulse of prescribed particles on free ones, N s */
    double prescribed_work;  /* J */
    struct energy_sums sums; /* terms of systems and of the contact method */
    struct term_value term[MOST_TERMS]; /* of the scheme's declaration, in its order; zero */
};

struct scheme;

struct scheme_class {
    struct declaration declares; /* fields of frames, columns of the ledger */

    /* Fills *view->motion. The view's out arrays have room for all particles. */
    enum status (*create)(struct scheme **scheme, const struct step_view *view,
                          struct error *error);

    /* Before each step: shortens *dt, s, to the longest step that the scheme can take, which may
     * become 0 or less if there is none. NULL: any step is possible. */
    enum status (*limit)(struct scheme *scheme, const struct step_view *view, double *dt,
                         struct error *error);

    /* Carries out a step: sets groups, motion and velocity of the view. */
    enum status (*advance)(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report,
                           struct error *error);

    /* After `advance`, and before the positions move: adds all that the scheme, and what it had
     * integrated, did with energy and momentum. */
    void (*account)(struct scheme *scheme, const struct step_view *view, struct step_work *work);

    /* After the positions have moved, and before bonds break: what changes once a step is done. It
     * may add to work->term, which is as `account` left it. NULL: nothing does. */
    enum status (*finish)(struct scheme *scheme, const struct step_view *view,
                          struct step_work *work, struct error *error);

    void (*free)(struct scheme *scheme);
};

/* A scheme's own struct begins with this. */
struct scheme {
    const struct scheme_class *class;
    struct groups *seen;      /* the groups that systems integrate: the view's, or parts of these */
    const struct vec3 *place; /* of every particle after the move, m (n), with motion->mean by
                                 displacement_to; bounds may still stop some. NULL: x + dt mean */
};

/* Displacement over dt of a particle that moves from x to `place`, m/s. */
static inline struct vec3 displacement_to(struct vec3 place, struct vec3 x, double dt)
{
    return vec3_scale(1.0 / dt, vec3_sub(place, x));
}

/* velocity_level.c: systems are black boxes that find velocities; contact changes velocities before
 * and after (the paper's way). */
extern const struct scheme_class velocity_level;

/* incremental_potential.c: one minimum of inertia, bodies and contact together, for contact methods
 * that are a potential. STATUS_INVALID from create if a system cannot be part of it. */
extern const struct scheme_class incremental_potential;

/* position_based.c: positions that fulfil constraints, in place of forces (Macklin et al. 2014). */
extern const struct scheme_class position_based;

#endif
