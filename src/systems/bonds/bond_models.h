/* The materials of the bond network: their parameters, as the configuration fills them in. */
#ifndef SYSTEMS_BONDS_BOND_MODELS_H
#define SYSTEMS_BONDS_BOND_MODELS_H

#include "config/scene.h"

#include <stdint.h>

/* Springs to lattice neighbors, or along and across the edges of a surface (bond_surface.h). */
struct mass_spring {
    double stretch_stiffness, shear_stiffness, bend_stiffness; /* N per unit strain, >= 0 */
    double damping;          /* s: damping force over spring constant and strain rate, >= 0 */
    double critical_stretch; /* strain at which a spring breaks, > 0; 0 or infinity: never */
    double inflation;        /* volume kept over that at rest, > 0; infinity: none is kept */
};

/* How much of a neighbor near the horizon counts: its whole volume, or the part of it within the
 * horizon as estimated from the distance of its center. */
#define NEIGHBOR_VOLUMES(X) X("whole", VOLUMES_WHOLE, whole) X("reduced", VOLUMES_REDUCED, reduced)
enum neighbor_volumes { NEIGHBOR_VOLUMES(CHOICE_VALUE) };

/* Bonds to all particles within the horizon (Levine et al. 2014). */
struct peridynamics {
    double stiffness;        /* bond constant, N per unit strain, > 0 */
    double horizon;          /* in lattice spacings, >= 1 */
    uint32_t volumes;        /* enum neighbor_volumes */
    double damping;          /* s: damping force over bond constant and strain rate, >= 0 */
    double fracture_energy;  /* J/m^2, gives s0; infinity: critical_stretch is s0 */
    double critical_stretch; /* s0; infinity: fracture_energy gives it, or bonds never break */
    double strengthening;    /* c: a particle holds bonds up to s0 - c x least strain, >= 0 */
    double critical_stretch_spread; /* three standard deviations of s0, relative, >= 0 */
};

extern const struct material_model mass_spring_model;
extern const struct material_model peridynamics_model;
extern const struct material_model loose_model; /* particles without bonds; no parameters */

/* All models of the bond network, ended by NULL. */
extern const struct material_model *const bond_models[];

#endif
