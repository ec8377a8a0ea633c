/* A fluid by smoothed particle hydrodynamics (Mueller et al. 2003; Desbrun and Gascuel 1996),
 * integrated explicitly. All particles of the system have the radius r, the mass m and the material
 * of their fluid; they stand 2 r apart at rest and see each other within the support h = 4 r.
 *
 * Density by the poly6 kernel, scaled so that the resting lattice has exactly the rest density;
 * pressure p = k ((rho/rho0)^2 - 1), never negative; symmetric pressure forces with the gradient of
 * the spiky kernel, scaled so that on the resting lattice a uniform pressure gradient is exact;
 * viscosity along the line between two particles (Monaghan 2005), which keeps
 * angular momentum too; on demand cohesion (Becker and Teschner 2007) and a short-range repulsion.
 * Every pair's force is computed at both of its ends, from the same numbers, and is exactly
 * opposite there: no atomics, and the same bits for any number of threads. */
#ifndef SYSTEMS_SPH_H
#define SYSTEMS_SPH_H

#include "particles/cell_grid.h"
#include "systems/system.h"

struct fluid {
    double radius;    /* r, m, > 0 */
    double mass;      /* m, of one particle, kg, > 0; rho0 = m / (2 r)^3 */
    double stiffness; /* k, Pa, > 0; the speed of sound is sqrt(2 k / rho0) */
    double viscosity; /* kinematic, m^2/s, >= 0 */
    double cohesion;  /* acceleration per density sum and distance, m^3/(kg s^2), >= 0; 0: none */
    double repulsion; /* force at no distance, N, falling to 0 at 2 r; 0: none */
};

/* What a neighbor has to know about a particle: one cache line. */
struct sph_slot {
    double x, y, z;    /* m */
    double pressure;   /* p / rho^2, Pa m^6/kg^2 */
    double vx, vy, vz; /* m/s */
    double density;    /* rho, kg/m^3 */
};

/* The neighbors of a range of slots, found by one thread. */
struct sph_part {
    size_t begin, end;     /* slots */
    struct slot_list list; /* of each slot its neighbors and itself, filled up to a multiple of 4
                              with itself */
    enum status status;
    struct error error;
};

struct sph {
    struct system system; /* must be first */
    struct fluid fluid;
    double support;        /* h, m */
    double rest_density;   /* rho0, kg/m^3 */
    double density_scale;  /* of the kernel sum, so that the lattice has rho0 */
    double pressure_scale; /* of pressure forces, so that they are the gradient on the lattice */

    /* the step at hand */
    struct cell_grid grid;
    void *slot_memory;     /* slot, before it was aligned */
    struct sph_slot *slot; /* in the order of the grid (n) */
    uint32_t *n_neighbors; /* entries of each slot in its part's list (n) */
    size_t n_parts;
    struct sph_part *part;
    struct vec3 *pressure_force; /* with cohesion and repulsion, N (n, by particle) */
    struct vec3 *viscous_force;  /* N (n, by particle) */
};

/* The fluid of the particles [first, first + n). */
enum status sph_create(struct system **system, const struct fluid *fluid, size_t first, size_t n,
                       struct error *error);

/* Densities at the positions of the last prepare, by particle, kg/m^3 (n). */
void sph_densities(const struct system *system, double *density);

#endif
