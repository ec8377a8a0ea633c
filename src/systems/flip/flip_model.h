/* The material of FLIP: its parameters, as the configuration fills them in. */
#ifndef SYSTEMS_FLIP_FLIP_MODEL_H
#define SYSTEMS_FLIP_FLIP_MODEL_H

#include "config/scene.h"

/* Which cells carry pressure. The order is that of the key's words. */
enum flip_marking {
    FLIP_MARK_ALL,  /* those with a particle of any system (Section 6.2 of the paper) */
    FLIP_MARK_FLUID /* those with a particle of the fluid */
};

/* How velocities come from the grid back to particles. The order is that of the key's words. */
enum flip_transfer {
    FLIP_TRANSFER_FLIP, /* changes, blended with velocities (Zhu and Bridson 2005) */
    FLIP_TRANSFER_APIC  /* velocities with their gradient (Jiang et al. 2015) */
};

/* The grid at a sheet. The order is that of the key's words. */
enum flip_sides {
    FLIP_SIDES_SHARED,  /* one for all of the fluid */
    FLIP_SIDES_SEPARATE /* one on each side */
};

struct flip_material {
    double blend;      /* share of the grid's change; the rest is the grid's velocity, [0, 1] */
    double crowding;   /* share of a cell's excess that is let out in a step, [0, 1] */
    uint32_t marking;  /* an enum flip_marking */
    uint32_t transfer; /* an enum flip_transfer */
    uint32_t sides;    /* an enum flip_sides */
    uint32_t solids;   /* an enum solids_in_fluids */
};

extern const struct material_model flip_model;

/* A list of this model alone, ended by NULL. */
extern const struct material_model *const flip_models[];

#endif
