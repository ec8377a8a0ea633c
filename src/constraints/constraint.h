/* Constraints of positions, as schemes that solve for positions need them. A group holds all
 * constraints of one kind, equations (UPP 1) or bounds (UPP 2): what a step may change least, by
 * mass, so that all are met (UPP 7, UPP 8). In an iteration each is made linear (UPP 3) and solved
 * for its own multiplier (UPP 4, UPP 5); the constraints of a group all see the same positions, and
 * each particle adds up what they ask of it, Jacobi's way to solve their equations (UPP 9, UPP 10,
 * together UPP 11); groups follow each other in the order of the table. Every function writes the
 * row of a particle from what it reads at other particles, so that results are the same for any
 * number of threads. */
#ifndef CONSTRAINTS_CONSTRAINT_H
#define CONSTRAINTS_CONSTRAINT_H

#include "base/error.h"
#include "base/vec3.h"
#include "constraints/fields.h"
#include "particles/pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Loops over so few particles are not worth a second thread. */
enum { FEW_PARTICLES = 256 };

/* How the corrections of constraints that share a particle become one (averaging.h). */
struct averaging {
    double omega; /* factor of every correction, UPP 13 */
    bool split;   /* masses are split among constraints, in place of UPP 12 */
};

/* What a group reads; one entry per particle (n). */
struct candidates {
    size_t n;
    double dt;                       /* s */
    const struct vec3 *start;        /* at the start of the step, after stabilization, m */
    const struct vec3 *at;           /* candidates for the end of the step, m */
    const struct vec3 *velocity;     /* of those without weight, m/s */
    const double *weight;            /* 1 / mass, 1/kg; 0: no correction moves the particle */
    const double *scaled;            /* what contacts take for it, UPP 21; 0 where weight is */
    const struct pair_list *near;    /* pairs that may touch in the step, ascending */
    const struct field_point *field; /* how deep they lie in their bodies, as these are turned;
                                        NULL: no body has a field */
    struct averaging averaging;
};

/* What it asks for in one iteration. */
struct corrections {
    struct vec3 *shift;  /* m (n) */
    struct vec3 *rubbed; /* the part of it that is friction, m (n) */
    double *violation;   /* the largest of its constraints, m (n) */
    struct vec3
        support; /* sum of mass x shift / dt that particles of weight 0 and walls cause, N s */
    double support_work; /* ... times the velocities of these, J */
    double rubbed_work;  /* the part of this that is friction, J */
    struct vec3 inflow;  /* like support, of particles upstream of inlets, which touch fluids
                            alone; 0 on input, N s */
    double inflow_work;  /* likewise, J */
};

/* Nothing is asked for yet. */
static inline void corrections_clear(struct corrections *corrections, size_t n)
{
#pragma omp parallel for schedule(static) if (n > FEW_PARTICLES)
    for (size_t i = 0; i < n; i++) {
        corrections->shift[i] = corrections->rubbed[i] = vec3(0.0, 0.0, 0.0);
        corrections->violation[i] = 0.0;
    }
    corrections->support = vec3(0.0, 0.0, 0.0);
    corrections->support_work = corrections->rubbed_work = 0.0;
}

struct constraint;

/* What may change velocities alone, once positions are found, in this order. */
enum velocity_change {
    CHANGE_COHESIVE,
    CHANGE_VISCOUS,
    CHANGE_VORTICAL, /* the impulse of this one and the next is that of air on particles */
    CHANGE_AIR,
    VELOCITY_CHANGES
};

/* Such a change, as a shift in dt: fills shift, inflow and inflow_work. */
typedef void change_function(struct constraint *constraint, const struct candidates *candidates,
                             const struct vec3 *velocity, struct corrections *corrections);

struct constraint_class {
    const char *name;

    /* Once per step, at the prediction. NULL: there is nothing to find. */
    enum status (*find)(struct constraint *constraint, const struct candidates *candidates,
                        struct error *error);

    /* One iteration: fills all of the corrections. */
    void (*solve)(struct constraint *constraint, const struct candidates *candidates,
                  struct corrections *corrections);

    /* After the last iteration. NULL: nothing of this kind. */
    change_function *change[VELOCITY_CHANGES];

    /* After the last iteration. NULL: nothing is kept from step to step. */
    enum status (*finish)(struct constraint *constraint, const struct candidates *candidates,
                          struct error *error);

    void (*free)(struct constraint *constraint);
};

/* A group's own struct begins with this. */
struct constraint {
    const struct constraint_class *class;
};

/* The groups of a run, in the order in which they are solved; NULL: none of this kind. */
enum constraint_kind {
    CONSTRAINT_DENSITY,
    CONSTRAINT_CONTACTS,
    CONSTRAINT_TETHERS,
    CONSTRAINT_DISTANCES,
    CONSTRAINT_VOLUMES,
    CONSTRAINT_SHAPES,
    CONSTRAINT_KINDS
};
struct constraint_set {
    bool compliant;      /* bonds give way as their material does; false: they are rigid */
    bool tethered;       /* bonds hold particles to those that are fixed (tethers.h) ... */
    double slack;        /* ... with this slack */
    double solid_weight; /* what a solid's particle counts in the density of fluids, UPP 27 */
    struct constraint *group[CONSTRAINT_KINDS];
    struct field_point *field; /* by particle, written by the shapes; NULL: no body has a field */
    struct vec3 *lift; /* by particle, what moves it beside the forces of the step, for gas that
                          gravity pulls less, m/s^2; NULL: nothing does */
};

/* Frees the groups and the field. */
void constraint_set_free(struct constraint_set *set);

#endif
