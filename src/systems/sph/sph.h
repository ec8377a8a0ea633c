/* A fluid by smoothed particle hydrodynamics (Mueller et al. 2003; Desbrun and Gascuel 1996),
 * integrated explicitly. All particles of the system have the radius r, the mass m and the material
 * of their fluid; they stand 2 r apart at rest and see each other within the support h, two to
 * three of these.
 *
 * Density and pressure belong together: the density of a particle is own_density + density_scale
 * times the sum of Wendland's kernel over its neighbors, and the symmetric pressure forces, with
 * p = k ((rho/rho0)^2 - 1), never negative, are minus the gradient of the energy of compression of
 * this density. (The poly6 density and the spiky pressure of Mueller et al. do not derive from an
 * energy, and particles clump: in a standing column the density at the particles was 5 % and the
 * pressure 8 % above that of the water.) The two constants follow from the resting lattice alone:
 * its density is rho0, and grows like the number of particles in a volume when the lattice is
 * compressed. Then a uniform pressure gradient on the lattice is exact, too, and p is the pressure
 * that the fluid transmits. Walls, and bodies that displace the fluid, take part in both
 * (sph_points.h).
 *
 * Viscosity acts along the line between two particles (Monaghan 2005), which conserves angular
 * momentum, too. Every pair's force is computed at both of its ends, from the same numbers, and is
 * exactly opposite there. This needs no atomics, and the bits are the same for any number of
 * threads.
 *
 * Kernels and the forces of pairs are computed in single precision, from places whose differences
 * are exact (sph_neighbors.h) and from velocities in single precision; they are summed in double
 * precision. A density then has a relative error below 1e-6, wherever the fluid is, and the error
 * of a pair's force is below 1e-6 of the terms that it is computed from: pressures, and speeds
 * rather than their difference. The sum of all forces is zero to the rounding of doubles. */
#ifndef SYSTEMS_SPH_SPH_H
#define SYSTEMS_SPH_SPH_H

#include "sph/sph_neighbors.h"
#include "sph/wall_points.h"
#include "systems/sph/sph_solids.h"
#include "systems/system.h"

struct fluid {
    double radius;       /* r, m, > 0 */
    double mass;         /* m, of one particle, kg, > 0; rho0 = m / (2 r)^3 */
    double stiffness;    /* k, Pa, > 0; the speed of sound is sqrt(2 k / rho0) */
    double viscosity;    /* kinematic, m^2/s, >= 0 */
    double support;      /* h over the spacing 2 r, from 2 to 3 */
    struct vec3 gravity; /* for mirrored pressure at points of walls, m/s^2 */
    bool mirrored;       /* points of walls have mirrored pressure (sph_walls.c) */

    /* of gas under constraints of positions (constraints/density.h) */
    double buoyancy;
    double cohesion;          /* m/s^2 */
    double drag, baroclinity; /* 1/s */
    struct vec3 wind;         /* m/s */
};

/* The data of a particle from which forces on its neighbors are computed: half a cache line. */
struct sph_slot {
    uint32_t x, y, z; /* place */
    float pressure;   /* p / rho^2, in units of k / rho0^2: 0 to 1 */
    float vx, vy, vz; /* m/s */
    float density;    /* rho, kg/m^3 */
};

/* Maxima and sums over SPH_BLOCK slots. */
struct sph_block {
    double density_max;     /* kg/m^3 */
    double compression_max; /* largest rho/rho0 - 1 >= 0 of particles that are here */
    double compression;     /* sum of rho/rho0 - 1 >= 0 over these */
    double n_here;
    double force2_max; /* largest squared force, N^2; NaN if one is NaN */
};

/* The viscous force on a particle, N. */
struct sph_drag {
    float x, y, z;
};

struct sph {
    struct system system; /* must be first */
    struct fluid fluid;
    double support;            /* h, m */
    double rest_density;       /* rho0, kg/m^3 */
    double density_scale;      /* factor of the kernel sum over neighbors, kg/m^3 */
    double own_density;        /* what a particle adds to its own density, kg/m^3 */
    const struct walls *walls; /* NULL: none */
    struct wall_points wall_points;
    struct sph_points wall;   /* the same points, which press on their own unless fluid.mirrored */
    struct sph_solids solids; /* bodies that displace the fluid */
    bool constrained; /* a scheme moves it by constraints: neighbors are not found in steps */

    /* the step at hand */
    struct sph_neighbors neighbors; /* by index - first */
    void *slot_memory;              /* in which `slot` lies */
    struct sph_slot *slot;          /* in the order of neighbors.grid (n) */
    struct sph_block *block;        /* (n / SPH_BLOCK + 1) */
    struct vec3 *force;             /* all forces of the fluid and of walls, N (n, by particle) */
    struct sph_drag *drag;          /* the viscous part of it (n, by particle) */
    double pressed;                 /* the largest density of points beside the fluid, kg/m^3 */
};

/* A system for each material of fluids, held by walls. */
extern const struct system_class sph_class;

/* Creates the fluid of the particles [first, first + n), held by `walls` (NULL: none), which must
 * outlive it. */
enum status sph_create(struct system **system, const struct fluid *fluid, const struct walls *walls,
                       size_t first, size_t n, struct error *error);

/* Finds neighbors and densities at the current positions, but no forces; also for fluid that waits
 * upstream of an inlet, which a step leaves out. */
enum status sph_evaluate(struct system *system, const struct particles *particles,
                         struct error *error);

/* Densities at the positions of the last step or evaluation, by particle, kg/m^3 (n); 0 for
 * particles that took no part. */
void sph_densities(const struct system *system, double *density);

#endif
