/* Points beside a fluid that take room in it as its own particles do: points of walls, and
 * particles of solids. A fluid particle i counts them in its density; at a point j the fluid has a
 * density of its own, and the pressure of its own law there:
 *
 *   rho_i = ... + s sum_j w_j W(x_ij)           rho_j = rest_j + s sum_i W(x_ij)
 *   F_ij  = -m s w_j (p_i / rho_i^2 + p_j / rho_j^2) grad W(x_ij) on the fluid, -F_ij on the point
 *
 * with the factor s of kernel sums (sph.h), the volume w_j of a point over that of a particle of
 * the fluid, and rest_j, what the points around it count in its density. The forces are minus the
 * gradient of the energy of compression at fluid and points, so that fluid between points at rest
 * gets no energy from nothing. Of a point's density only what exceeds rest_j counts where rest_j is
 * above the fluid's at rest: points may lie closer than on the fluid's lattice. */
#ifndef SYSTEMS_SPH_SPH_POINTS_H
#define SYSTEMS_SPH_SPH_POINTS_H

#include "base/vec3.h"
#include "particles/cell_grid.h"
#include "particles/particles.h"

struct sph;
struct sph_beside_slot;

struct sph_point {
    double weight;   /* w_j */
    double rest;     /* rest_j, kg/m^3 */
    double kernels;  /* sum_i W(x_ij) */
    double pressure; /* p_j / rho_j^2, Pa m^6/kg^2 */
};

struct sph_points {
    const struct cell_grid *grid; /* of the points, with coordinates; NULL: there are none */
    bool solids; /* whether the neighbors of the fluid list them as solids, or as walls */
    size_t capacity;
    struct sph_point *point; /* by slot of the grid (grid->n) */
};

/* Adds the weighted kernels of the points near a position to *sum. */
void sph_points_add_kernels(const struct sph *sph, const struct sph_points *points,
                            struct vec3 position, const struct sph_beside_slot *near, double *sum);

/* What a point counts in its own density, kg/m^3: `kernels` is sum_k w_k W over the points around.
 */
double sph_points_rest(const struct sph *sph, double weight, double kernels);

/* From the densities of the fluid: finds the kernels at all points. */
void sph_points_sum(struct sph *sph, const struct particles *particles, struct sph_points *points);

/* Then: finds pressures at the points where the fluid is, and the forces on the slots near them.
 * Returns the largest density of a point that presses, kg/m^3; 0: none does. */
double sph_points_press(struct sph *sph, const struct particles *particles,
                        struct sph_points *points);

/* The force of a point on a fluid particle at x with `pressure` p / rho^2, N. */
struct vec3 sph_points_force(const struct sph *sph, const struct sph_points *points, uint32_t point,
                             struct vec3 x, double pressure);

#endif
