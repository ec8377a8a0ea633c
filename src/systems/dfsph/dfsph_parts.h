/* Declarations that the files of incompressible fluids share. */
#ifndef SYSTEMS_DFSPH_DFSPH_PARTS_H
#define SYSTEMS_DFSPH_DFSPH_PARTS_H

#include "sph/pressure.h"
#include "sph/viscous.h"
#include "systems/dfsph/dfsph.h"
#include "systems/dfsph/dfsph_model.h"

struct dfsph {
    struct system system; /* must be first */
    struct dfsph_material material;
    const struct walls *walls; /* NULL: none */
    double density;            /* at rest, kg/m^3 */
    bool shared;               /* the contact method finds pressure and viscosity, of everything */
    struct pressure pressure;
    float *kept; /* pressure in the last step, Pa (n) */
    struct wall_memory at_walls;

    bool is_viscous; /* inside or at walls; what follows is empty otherwise */
    struct viscosity kind;
    struct viscous viscous;
    struct wall_planes planes; /* of points of walls that the fluid sticks to */
    struct vec3 *drag;         /* impulse of viscosity in the step at hand, N s (n) */

    /* the step at hand */
    double dt;                               /* s */
    float *p;                                /* pressure times dt, Pa s (n) */
    struct vec3 *impulse;                    /* of all pressure in the velocities, N s (n) */
    struct pressure_crowding crowding;       /* before the step */
    struct viscous_report viscosity;         /* of the last stage */
    struct pressure_report velocity, repair; /* of the last stage */
    struct vec3 of_walls;                    /* their share of the impulses, N s */
    size_t velocity_products, displacement_products, viscosity_products; /* of all stages */
};

/* dfsph_step.c */
enum status dfsph_limit(struct system *system, const struct particles *particles, double *dt,
                        struct error *error);
enum status dfsph_prepare(struct system *system, const struct particles *particles, double dt,
                          struct error *error);
enum status dfsph_integrate(struct system *system, const struct particles *particles,
                            const struct groups *groups, double dt, struct motion *motion,
                            struct solve_report *report, struct error *error);
void dfsph_confine(struct system *system, const struct particles *particles, double dt,
                   struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);
enum status dfsph_finish(struct system *system, const struct particles *particles,
                         struct term_value term[MOST_TERMS], struct error *error);

/* dfsph_account.c */
enum dfsph_term {
    DFSPH_PRESSURE_WORK,
    DFSPH_COMPRESSION_MAX,
    DFSPH_COMPRESSION_MEAN,
    DFSPH_DIVERGENCE,
    DFSPH_LEFT,
    DFSPH_VELOCITY_PRODUCTS,
    DFSPH_DISPLACEMENT_PRODUCTS,
    DFSPH_VISCOSITY_PRODUCTS,
    DFSPH_TERMS
};
extern const struct energy_term *const dfsph_terms[DFSPH_TERMS];
void dfsph_account(struct system *system, const struct particles *particles,
                   const struct groups *groups, double dt, const struct motion *motion,
                   struct work_report *report);

/* dfsph_state.c */
enum { DFSPH_STATES = 3 };
extern const struct owned_state dfsph_states[DFSPH_STATES];

#endif
