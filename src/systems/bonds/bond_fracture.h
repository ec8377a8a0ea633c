/* What a crack costs in a peridynamic solid: the energy of all bonds that cross its area, each at
 * the strain at which it breaks. From it follows the critical stretch of a material whose fracture
 * energy is given. */
#ifndef SYSTEMS_BONDS_BOND_FRACTURE_H
#define SYSTEMS_BONDS_BOND_FRACTURE_H

#include "systems/bonds/bond_models.h"

/* How many dimensions the n >= 1 places of particles fill: 3, a solid; 2, a sheet or a plate of one
 * layer; 1, a line. What does not reach half a spacing (m) out of a plane or a line lies in it. */
int bond_fracture_dimension(size_t n, const struct vec3 *rest, double spacing);

/* Energy per area, J/m^2, of a crack along a plane of a lattice of this spacing (m) and dimension
 * that has no surfaces, if bonds break at the critical stretch s0 and its spread is that of the
 * material. The thickness of a sheet, and the width and thickness of a line, are one spacing. */
double bond_fracture_energy(const struct peridynamics *material, double spacing, int dimension,
                            double s0);

/* The critical stretch s0 of a material: as given, or that at which a crack costs the fracture
 * energy that was given. Infinity: bonds never break. */
double bond_critical_stretch(const struct peridynamics *material, double spacing, int dimension);

/* See struct material_model: of peridynamic bonds, and of springs. */
enum status bond_fracture_report(const struct body *body, const struct material *material, size_t n,
                                 const struct vec3 *rest, struct fracture_report *report,
                                 struct error *error);
enum status bond_tear_report(const struct body *body, const struct material *material, size_t n,
                             const struct vec3 *rest, struct fracture_report *report,
                             struct error *error);

#endif
