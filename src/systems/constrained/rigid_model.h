/* Rigid bodies as the configuration knows them. */
#ifndef SYSTEMS_CONSTRAINED_RIGID_MODEL_H
#define SYSTEMS_CONSTRAINED_RIGID_MODEL_H

#include "config/material_model.h"

#include <stdint.h>

struct rigid_material {
    double
        stiffness; /* fraction of the way to its place that an iteration moves a particle, (0, 1] */
    uint32_t field; /* how deep particles lie in the body tells contacts the way out, an enum
                       field_rule (constraints/fields.h) */
    double yield;   /* how far from its place in the body a particle may be pushed, radii; infinite:
                       the body keeps its shape */
    double creep;   /* part of the way that its place follows beyond, [0, 1] */
    uint32_t shapes;    /* overlapping ones along its longest axis, >= 1 */
    double field_limit; /* how far places may move before their field is lost, radii */
};

extern const struct material_model rigid_model;

/* A list of rigid_model alone, ended by NULL. */
extern const struct material_model *const rigid_models[];

#endif
