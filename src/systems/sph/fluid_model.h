/* The material of SPH: its parameters, as the configuration fills them in. */
#ifndef SYSTEMS_SPH_FLUID_MODEL_H
#define SYSTEMS_SPH_FLUID_MODEL_H

#include "config/choices.h"
#include "config/scene.h"

enum wall_pressure { WALL_PRESSURES(CHOICE_VALUE) };

struct fluid_material {
    double pressure;        /* k in p = k ((rho/rho0)^2 - 1), Pa, > 0; infinity:
                               none, for constraints of positions */
    double viscosity;       /* kinematic, m^2/s, >= 0 */
    double support;         /* h, spacings, from 2 to 3 */
    uint32_t solids;        /* an enum solids_in_fluids */
    uint32_t wall_pressure; /* an enum wall_pressure */
    double buoyancy;        /* of gas (constraints/density.h): 1 - alpha */
    double cohesion;        /* m/s^2 */
    double drag;            /* 1/s */
    double baroclinity;     /* 1/s */
};

extern const struct material_model fluid_model;

/* Whether constraints of positions make it a gas (constraints/density.h). */
bool fluid_is_gas(const struct fluid_material *fluid);

/* A list of this model alone, ended by NULL. */
extern const struct material_model *const fluid_models[];

#endif
