/* The material of incompressible fluids of particles: its parameters, as the configuration fills
 * them in. What all of them share, how pressure is found, is the group `pressure` of the scene. */
#ifndef SYSTEMS_DFSPH_DFSPH_MODEL_H
#define SYSTEMS_DFSPH_DFSPH_MODEL_H

#include "config/scene.h"

struct dfsph_material {
    double viscosity;      /* kinematic, m^2/s, >= 0 */
    double wall_viscosity; /* ... with walls and solids, m^2/s, >= 0; 0: it slips */
};

extern const struct material_model dfsph_model;

/* A list of this model alone, ended by NULL. */
extern const struct material_model *const dfsph_models[];

#endif
