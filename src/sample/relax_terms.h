/* The displacements of a body's particles when they are relaxed (Kugelstadt, Bender,
 * Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast corotated elastic SPH solids with
 * implicit zero-energy mode control", Proc. ACM Comput. Graph. Interact. Tech. 4, 2021, Section 7:
 * CES 31 to CES 37). All particles have the mass of a cube of the
 * spacing d, and W is the cubic spline whose support is 2 d. */
#ifndef SAMPLE_RELAX_TERMS_H
#define SAMPLE_RELAX_TERMS_H

#include "base/vec3.h"
#include "particles/near_lists.h"

/* Only pairs nearer than this interact, in spacings. */
#define RELAX_SUPPORT 2.0

/* density[i] becomes the density of CES 32 over the density at rest, i itself included (n). */
void relax_densities(const struct near_lists *near, const struct vec3 *position, double spacing,
                     double *density);

/* pressure[i] becomes m kappa_i / rho_i, CES 34, m^5: the part of CES 33 that belongs to one
 * particle. Pressure pushes and never pulls: where the density is below that at rest, as at every
 * surface, it is 0, and only cohesion acts. */
void relax_pressures(const struct near_lists *near, const struct vec3 *position, double spacing,
                     const double *density, double *pressure);

/* displacement[i] becomes CES 33 + CES 35, m (n). Both are antisymmetric: what i gets from j is the
 * opposite of what j gets from i. */
void relax_displace(const struct near_lists *near, const struct vec3 *position, double spacing,
                    double cohesion, const double *pressure, struct vec3 *displacement);

/* CES 36, m, at a depth, m; `outward` is the direction to the surface. */
struct vec3 relax_adhere(double spacing, double adhesion, double depth, struct vec3 outward);

#endif
