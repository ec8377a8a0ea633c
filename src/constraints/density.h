/* Density of fluids, UPP 26 and 27: no particle of a fluid has more others around it than in the
 * fluid's lattice at rest. Particles are counted, not weighed, so that fluids of different density
 * lie on each other; those of solids count, too, whether they touch the fluid or not, and feel the
 * reaction, or every body would sink. Walls continue the lattice (sph/wall_points.h).
 *
 *     S_i = sum over fluids W_ij + s sum over solids W_ik + sum over points of walls c_p W_ip
 *     C_i = max(S_i / S_0 - 1, 0),    lambda_i = -C_i / D
 *     fluid:  shift of i = w_i / S_0 [ sum over fluids (lambda_i + lambda_j) grad W_ij
 *                                      + s lambda_i sum over solids grad W_ik
 *                                      + lambda_i sum over points of walls c_p grad W_ip ]
 *     solid:  shift of k = w_k / S_0 s sum over fluids lambda_j grad W_kj
 *
 * W is Wendland's function, as in the fluid's SPH, and S_0 its sum over the lattice. All sums of a
 * pair are opposite at both ends, so that momentum is kept; nothing is averaged. D is one constant
 * for the scene (density_lattice.c). Neighbors are found once in a step, at the prediction. */
#ifndef CONSTRAINTS_DENSITY_H
#define CONSTRAINTS_DENSITY_H

#include "constraints/constraint.h"
#include "particles/particles.h"
#include "shape/walls.h"

/* What makes a fluid gas (density_gas.c); no gas if all three numbers are 0. */
struct gas_setting {
    double buoyancy;     /* the part of its weight that its surroundings bear */
    double drag;         /* k of UPP 29, 1/s, >= 0 */
    double baroclinity;  /* beta of UPP 31, 1/s, >= 0 */
    struct vec3 gravity; /* m/s^2; that of all fluids of the set, as is */
    struct vec3 wind;    /* the velocity of the air around, m/s */
};

/* The particles [first, first + n), of one radius and one mass. */
struct density_fluid {
    size_t first, n;
    double spacing;            /* of its particles at rest, m: that of all fluids of the set */
    double support;            /* of its kernel, m: likewise */
    double viscosity;          /* kinematic, m^2/s */
    const struct walls *walls; /* that hold fluids; NULL: none. They outlive the group */
    struct gas_setting gas;
    double cohesion; /* g of density_cohesion.c, m/s^2, >= 0 */
};

/* Adds a fluid to the group of density, which begins with the set's first fluid. The particles
 * outlive it. STATUS_INVALID, with "file:line:column: ...", for a wall that is too large. */
enum status density_add(struct constraint_set *set, const struct particles *particles,
                        const struct density_fluid *fluid, struct error *error);

/* The largest viscosity, m^2/s, of such fluids in steps of dt: what pulls at a particle then does
 * not reverse its motion. */
double density_most_viscosity(double spacing, double support, double dt);

/* Compression S / S_0 - 1 >= 0 of the fluids' particles after the last step. */
struct compression {
    double largest, sum, n;
};
struct compression density_compression(const struct constraint *density);

/* The squared curl of the velocity at the particles of gas in the last step, 1/s^2: their sum, and
 * how many there are. */
struct enstrophy {
    double sum, n;
};
struct enstrophy density_enstrophy(const struct constraint *density);

/* What gas keeps from step to step: omega of UPP 31, 1/s^2, by particle of the scene, and which of
 * them are gas. NULL: none is. The arrays belong to the group. */
struct vec3 *density_vortices(struct constraint *density, const bool **is_gas_here);

#endif
