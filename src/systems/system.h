/* A simulation system: owns the forces inside its bodies and integrates them. It sees
 * meta-particles as ordinary particles and knows nothing of contacts or of other systems. */
#ifndef SYSTEMS_SYSTEM_H
#define SYSTEMS_SYSTEM_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"
#include "declared/declaration.h"
#include "particles/bonded.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/particles.h"
#include "particles/rigid_pieces.h"
#include "shape/sheet.h"
#include "shape/walls.h"
#include "systems/energy.h"
#include "systems/linear_step.h"
#include "systems/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct solve_report {
    size_t iterations;
    double residual; /* relative, at the end */
};

/* The work of a system's forces during a step, along motion->mean: the closing terms of the ledger,
 * each computed from its own definition. Every system reports these. */
struct work_report {
    double damping;            /* dissipated by damping, J */
    double wall_dissipation;   /* work done against walls that hold its particles, J */
    double linear_elastic;     /* work of the (linearized) forces that have a potential energy, J;
                                  positive if they speed particles up */
    struct vec3 on_supports;   /* impulse of the system's forces on groups that do not move,
                                  less that of walls and of anything else that is no particle on
                                  the system, N s */
    double support_work;       /* work of groups that do not obey forces, done against the system's
                                  forces, J */
    struct vec3 on_prescribed; /* ... on prescribed particles, N s */
    double prescribed_work;    /* work that prescribing their motion takes against the forces, J */
    struct term_value
        term[MOST_TERMS]; /* the terms of the class, in the order of its declaration */
};

/* How bounds changed the motion of particles in a step, beyond all forces. */
struct confine_report {
    size_t stopped;      /* particles whose path was changed */
    struct vec3 impulse; /* on them, N s */
    struct vec3 shift;   /* sum of mass times change of displacement, kg m */
    double kinetic;      /* kinetic energy lost, J */
};

/* What a system is created from. Its particles are [first, first + n) of the whole set, body by
 * body. Everything but `rest` must outlive the system. */
struct system_setting {
    const struct scene *scene;
    const struct particles *particles;
    const struct vec3 *rest;   /* unstressed positions of all particles, each in the frame of its
                                  body, m */
    const struct walls *walls; /* of the scene, for fluids and solids; NULL: none */
    size_t n_sheets;
    const struct sheet *sheet; /* triangles between the particles of sheets and surfaces (n_sheets);
                                  needed for bodies at vertices alone */
    size_t n_torn;
    const uint64_t *torn; /* bonds that are broken from the start, by their numbers in frames,
                             ascending (n_torn) */
    bool moves; /* the system is made to move its particles, so that it may do without what only
                   those need to know who look at bodies */
    size_t first, n;
};

/* Reports an impulse of the system's forces on a group that does not obey them and moves with
 * `mean`. */
static inline void report_on_support(struct work_report *report, struct vec3 impulse,
                                     struct vec3 mean)
{
    report->on_supports = vec3_add(report->on_supports, impulse);
    report->support_work -= vec3_dot(impulse, mean);
}

struct system;
struct constraint_set; /* constraints/constraint.h */

/* What an implicit solve does to a body in steps of some length, beside what the integrator
 * dissipates. */
struct step_errors {
    double slower; /* by how much longer its slowest swings take, about, relative */
    double softer; /* by how much farther it gives way at rest if stretched, relative */
};

struct system_class {
    struct declaration declares; /* fields of frames, columns of the ledger */

    /* The material models whose bodies this class moves, and whether each of these materials forms
     * a system of its own or all of them form one. Without a body there is no system. */
    struct model_family family;

    /* Creates a system in the state of the setting's particles. */
    enum status (*create)(struct system **system, const struct system_setting *setting,
                          struct error *error);

    /* Before each step: finds the longest step that the system can take from its current state, s;
     * infinity if any is possible. The forces at x^n may be evaluated here already, because prepare
     * follows for the same positions; a system that pushes_others adds its forces on their
     * particles to `force` and `reaction`, here or in `integrate`, which takes back those of an
     * earlier stage. NULL: any step is possible. */
    enum status (*limit)(struct system *system, const struct particles *particles, double *dt,
                         struct error *error);

    /* Once per step, for all stages: prepares forces and matrix at the current positions. NULL:
     * there is nothing to prepare, or limit has done it. */
    enum status (*prepare)(struct system *system, const struct particles *particles, double dt,
                           struct error *error);

    /* Integrates the system's own particles over the step: reads motion->before, fills
     * motion->own_after and motion->own_mean. It may be called again for the same step with other
     * groups. A group counts as one particle: it has the mass of all its members and feels the
     * outside forces on all of them, whichever systems they belong to; the forces inside the system
     * act on those of its members that belong to this system. Fills all of *report; without
     * iterations it is zero. */
    enum status (*integrate)(struct system *system, const struct particles *particles,
                             const struct groups *groups, double dt, struct motion *motion,
                             struct solve_report *report, struct error *error);

    /* After prepare: finds the impulses, N s, of the system's forces on its own particles in a step
     * of dt in which these move with `velocity` (both arrays by particle of the whole set). They
     * are those of `integrate` for particles outside groups, and linear in the velocity. NULL: the
     * impulses depend on the velocities at both ends of a step, or are not linear in them. */
    void (*impulses)(struct system *system, double dt, const struct vec3 *velocity,
                     struct vec3 *impulse);

    /* What lets a scheme solve the system's step together with constraints, in place of
     * `integrate`. Systems of a run that have it follow each other. NULL: the system is explicit,
     * or its step is no linear problem. */
    const struct linear_class *linear;

    /* For schemes that solve for positions, in place of limit, prepare and integrate: adds the
     * constraints of the system's particles, as they are now, to those of the scheme. Called once,
     * before the first step. NULL: the system cannot take part in such a scheme. */
    enum status (*constrain)(struct system *system, const struct particles *particles,
                             struct constraint_set *set, struct error *error);

    /* After prepare: the pieces of the system's particles that its forces hold together, which
     * friction at links turns (particles/link_pieces.h). NULL: there are none. */
    const struct rigid_pieces *(*pieces)(const struct system *system);

    /* After integrate, when contact has changed velocities and before it splits them: bodies that
     * have moved by v + w x r so far turn. Changes motion->mean and motion->after of its own
     * particles. NULL: nothing turns. */
    void (*carry)(struct system *system, const struct particles *particles, double dt,
                  struct motion *motion);

    /* Once per step, after the last stage: reports where the energy of the step went, with the
     * forces of the last call of integrate. Fills all of *report. */
    void (*account)(struct system *system, const struct particles *particles,
                    const struct groups *groups, double dt, const struct motion *motion,
                    struct work_report *report);

    /* After account and before the positions move: keeps the system's free particles within its
     * bounds, wherever groups and other systems moved them, by changing displacement over dt (mean)
     * and velocity (by particle of the whole set). NULL: no bounds. */
    void (*confine)(struct system *system, const struct particles *particles, double dt,
                    struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

    /* After the positions have moved: lets bonds break, for example, and reports the energy that
     * they release in `term`, which is as in struct work_report and zero on input. Increments
     * system->changes if the potential energy changed. NULL: nothing changes. */
    enum status (*finish)(struct system *system, const struct particles *particles,
                          struct term_value term[MOST_TERMS], struct error *error);

    /* Writes the speed of the fastest elastic or sound wave in each of the system's bodies, m/s, to
     * that body's entry of `speed`, which has one for every body of the scene. Entries of bodies
     * without waves and of other systems' bodies stay as they are. Called before anything has
     * broken; `rest` as in the setting. NULL: no waves. */
    enum status (*wave_speeds)(const struct system *system, const struct particles *particles,
                               const struct vec3 *rest, size_t n_bodies, double *speed,
                               struct error *error);

    /* Estimates what steps of dt do to a body of the scene; 0 for other systems' bodies. NULL:
     * nothing. */
    struct step_errors (*step_errors)(const struct system *system,
                                      const struct particles *particles, uint32_t body, double dt);

    /* Says what steps of a run do to the spin of bodies of the material: a turn by theta in a step
     * takes z theta^2 / 2 of it. Returns z; `stretch`: that of run/warn_spin.c; `far`: a body that
     * turns by more than RIGID_FARTHEST. NULL: nothing. */
    double (*spin_loss)(const struct scene *scene, const struct material *material, double stretch,
                        bool far);

    /* An estimate of the bytes that the system will take for these particles, all of one body, in
     * addition to what every particle takes. Called before create, so that a scene that does not
     * fit is refused. NULL: hardly any. */
    double (*memory)(const struct system_setting *setting);

    /* The energy stored in the system's forces at the current positions, J. The system may keep the
     * forces that it evaluates for it. NULL: none. */
    double (*potential_energy)(struct system *system, const struct particles *particles);

    void (*free)(struct system *system);
};

/* The members that all systems share; a system's own struct begins with it. */
struct system {
    const struct system_class *class;
    size_t first, n;      /* its particles: [first, first + n) */
    struct bonded bonded; /* which of its particles never collide; linked by the simulation */
    uint64_t changes;     /* grows whenever `bonded` changes */
    bool pushes_others;   /* its forces act on particles of other systems: a fluid on what displaces
                             it */
};

/* All classes, ended by NULL. Bodies and particles are sorted in this order. A new class needs a
 * folder and a line in system_classes.c. */
extern const struct system_class *const system_classes[];

/* The class that moves bodies of this material. */
const struct system_class *system_class_of(const struct material *material);

#endif
