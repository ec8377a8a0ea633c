/* A simulation system: owns the forces inside its bodies and integrates them. It sees
 * meta-particles as ordinary particles and knows nothing of contacts or of other systems. */
#ifndef SYSTEMS_SYSTEM_H
#define SYSTEMS_SYSTEM_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"
#include "particles/bonded.h"
#include "particles/groups.h"
#include "particles/links.h"
#include "particles/motion.h"
#include "particles/particles.h"
#include "shape/walls.h"
#include "systems/energy.h"
#include "systems/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct solve_report {
    size_t iterations;
    double residual; /* relative, at the end */
};

/* What a system that solves with links is asked, and answers. Its own free particles and all others
 * at links of the components that these belong to are its unknowns. With A the matrix of its own
 * ones, and the masses of the others, and V the velocities at the start (motion->before), it finds
 * the change of velocity dv and the impulses with
 *
 *     A dv = b + J^T impulse,   0 <= impulse,  J (V + dv) + offset >= 0,  one of them 0
 *
 * in stages, each of which solves with a guess of the links that have an impulse. With friction
 * (links->rows_each is 3) this is so for normals, and impulses across links follow Coulomb's law.
 */
struct link_response {
    size_t most_stages;
    void (*later)(void *context); /* called once, if at all: when the first stage is done and others
                                     begin; whoever measures time wants to know */
    void *context;
    const struct vec3 *guess; /* velocities at the end to start from, by particle, m/s; NULL: the
                                 system's own guess */
    struct vec3 *after; /* of each end, m/s; in: of the particles of other systems, without links;
                           out: of all in these components, with them (links->n_ends) */
    double *impulse;    /* out: of each row of these components, N s (links->rows_each n) */
    struct link_friction friction;
    uint8_t *solved;   /* out: 1 for these components, the others are not touched
                          (links->n_components) */
    size_t stages;     /* out, as all that follows */
    size_t late;       /* links that got an impulse in later stages */
    size_t unresolved; /* links that another stage would have loaded or unloaded */
    size_t iterations_first, iterations_later;
    double residual; /* relative, of the last stage */
};

/* The work of a system's forces during a step, along motion->mean: the closing terms of the ledger,
 * each computed from its own definition. These are those of every system. */
struct work_report {
    double damping;          /* dissipated by damping, J */
    double wall_dissipation; /* work done against walls that hold its particles, J */
    double linear_elastic;   /* work of the (linearized) forces that have a potential energy, J;
                                positive if they speed particles up */
    struct vec3 on_supports; /* impulse of the system's forces on groups that do not move, less that
                                of walls, or anything else that is no particle, on the system,
                                N s */
    double support_work;     /* of groups that do not obey forces, against the system's, J */
    struct vec3 on_prescribed; /* ... on prescribed particles, N s */
    double prescribed_work;    /* work of whoever prescribes their motion, against the forces, J */
    struct term_value term[MOST_TERMS]; /* those of the class, as class->energy lists them */
};

/* What bounds did to the particles of a step beyond all forces. */
struct confine_report {
    size_t stopped;      /* particles whose path was changed */
    struct vec3 impulse; /* on them, N s */
    struct vec3 shift;   /* sum of mass times change of displacement, kg m */
    double kinetic;      /* lost to it, J */
};

/* What a system is made of: the particles [first, first + n) of all, which follow each other body
 * by body. Everything but `rest` must outlive the system. */
struct system_setting {
    const struct scene *scene;
    const struct particles *particles;
    const struct vec3 *rest;   /* unstressed positions of all particles, each in the frame of its
                                  body, m */
    const struct walls *walls; /* what holds fluids, and solids; NULL: none */
    size_t first, n;
};

/* An impulse of the system's forces on a group that does not obey them, and moves with `mean`. */
static inline void report_on_support(struct work_report *report, struct vec3 impulse,
                                     struct vec3 mean)
{
    report->on_supports = vec3_add(report->on_supports, impulse);
    report->support_work -= vec3_dot(impulse, mean);
}

struct system;

struct system_class {
    const char *name;

    /* The models of materials whose bodies it moves; and whether each of these materials is a
     * system of its own, or all are one. Without a body there is no system. */
    struct model_family family;

    /* Whether `integrate` solves for particles->stiff, between particles that are both its own. */
    bool solves_stiff_pairs;

    /* What it keeps and shows (systems/state.h). */
    size_t n_state;
    const struct system_state *state; /* (n_state) */

    /* What it reports of a step (systems/energy.h). */
    size_t n_energy;                         /* at most MOST_TERMS */
    const struct energy_term *const *energy; /* (n_energy) */

    /* A system in the state of the setting's particles. */
    enum status (*create)(struct system **system, const struct system_setting *setting,
                          struct error *error);

    /* Before each step: the longest that this system can take from the state of now, s; infinity:
     * any. The forces at x^n may be evaluated here already; prepare follows for the same
     * positions. NULL: any. */
    enum status (*limit)(struct system *system, const struct particles *particles, double *dt,
                         struct error *error);

    /* Once per step, shared by all stages: forces and matrix at the positions of now. NULL: nothing
     * to prepare, or limit has done it. */
    enum status (*prepare)(struct system *system, const struct particles *particles, double dt,
                           struct error *error);

    /* motion->before in, motion->own_after and motion->own_mean out, for the system's own
     * particles. A black box: it may be called again, with other groups, for the same step. A group
     * is a particle like any other: it has the mass of all its members and feels their outside
     * forces, whichever systems they belong to; to the forces inside the system its own members
     * contribute. Fills all of *report; without iterations it is zero. */
    enum status (*integrate)(struct system *system, const struct particles *particles,
                             const struct groups *groups, double dt, struct motion *motion,
                             struct solve_report *report, struct error *error);

    /* After prepare: the impulses of the system's forces on its own particles in a step of dt in
     * which these move with `velocity`, N s (both by particle of the whole set), as `integrate`
     * has them for particles alone; linear in the velocity. NULL: the velocities at both ends of a
     * step matter, or the forces are not linear in them. */
    void (*impulses)(struct system *system, double dt, const struct vec3 *velocity,
                     struct vec3 *impulse);

    /* The same with links in place of groups, of an implicit system: its solution respects all
     * links of the components that its free particles belong to (struct link_response), whoever
     * else belongs to them. Called last, and of one system at most. NULL: the system is explicit,
     * and is integrated without links before. */
    enum status (*integrate_linked)(struct system *system, const struct particles *particles,
                                    const struct groups *groups, struct links *links, double dt,
                                    struct motion *motion, struct link_response *response,
                                    struct error *error);

    /* Once per step, after the last stage: where the energy of the step went. The forces are those
     * of the last call of integrate. Fills all of *report. */
    void (*account)(struct system *system, const struct particles *particles,
                    const struct groups *groups, double dt, const struct motion *motion,
                    struct work_report *report);

    /* After account and before the positions move: keeps the system's free particles within its
     * bounds whatever groups and other systems made of them, by changing displacement over dt
     * (mean) and velocity (by particle of the whole set). NULL: no bounds. */
    void (*confine)(struct system *system, const struct particles *particles, double dt,
                    struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

    /* After the positions moved: bonds break. `term` is as in struct work_report, zero at first:
     * the energy that they release, for instance. If the potential energy changed, so did
     * system->changes. NULL: nothing changes. */
    enum status (*finish)(struct system *system, const struct particles *particles,
                          struct term_value term[MOST_TERMS], struct error *error);

    /* The speed of the fastest elastic or sound wave in each of its bodies, m/s, into the entry of
     * that body (of all bodies of the scene); those without waves, and the bodies of other systems,
     * stay as they are. Asked before anything broke; `rest` as in the setting. NULL: no waves. */
    enum status (*wave_speeds)(const struct system *system, const struct particles *particles,
                               const struct vec3 *rest, size_t n_bodies, double *speed,
                               struct error *error);

    /* Bytes that it will take for these particles, all of one body, beside what every particle
     * takes: an estimate, asked before create to refuse what does not fit. NULL: hardly any. */
    double (*memory)(const struct system_setting *setting);

    /* Energy stored in the system's forces at the positions of now, J. The system may keep what it
     * evaluates for that. NULL: none. */
    double (*potential_energy)(struct system *system, const struct particles *particles);

    void (*free)(struct system *system);
};

/* The members that all systems share; a system's own struct begins with it. */
struct system {
    const struct system_class *class;
    size_t first, n;      /* its particles: [first, first + n) */
    struct bonded bonded; /* who of its particles never collides; linked by the simulation */
    uint64_t changes;     /* grows whenever `bonded` changes */
};

/* All classes, ended by NULL: bodies and particles are in this order. A new class is a folder and a
 * line in system_classes.c. */
extern const struct system_class *const system_classes[];

/* The class that moves bodies of this material. */
const struct system_class *system_class_of(const struct material *material);

#endif
