/* What moves the particles of a body when they are relaxed (Kugelstadt, Bender,
 * Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast corotated elastic SPH solids with
 * implicit zero-energy mode control", Proc. ACM Comput. Graph. Interact. Tech. 4, 2021, Section 7;
 * equations are theirs). All particles have the mass of a cube of the spacing d, and W is the cubic
 * spline whose support is 2 d. */
#ifndef SAMPLE_RELAX_TERMS_H
#define SAMPLE_RELAX_TERMS_H

#include "base/vec3.h"
#include "particles/near_lists.h"

/* Pairs that are considered are nearer than this, in spacings. */
#define RELAX_SUPPORT 2.0

/* density[i] := that of Eq. 32 over rest density, i itself included (n). */
void relax_densities(const struct near_lists *near, const struct vec3 *position, double spacing,
                     double *density);

/* pressure[i] := m kappa_i / rho_i, Eq. 34, m^5: what Eq. 33 takes of each particle. It pushes and
 * never pulls: where the density is below that at rest, as at every surface, it is 0, and cohesion
 * alone acts. */
void relax_pressures(const struct near_lists *near, const struct vec3 *position, double spacing,
                     const double *density, double *pressure);

/* displacement[i] := Eq. 33 + Eq. 35, m (n). The forms of both are differences: what i gets from j
 * is the opposite of what j gets from i. */
void relax_displace(const struct near_lists *near, const struct vec3 *position, double spacing,
                    double cohesion, const double *pressure, struct vec3 *displacement);

/* Eq. 36 at a depth, with the direction to the surface, m. */
struct vec3 relax_adhere(double spacing, double adhesion, double depth, struct vec3 outward);

#endif
