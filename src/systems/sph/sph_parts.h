/* Declarations that the files of the fluid share. */
#ifndef SYSTEMS_SPH_SPH_PARTS_H
#define SYSTEMS_SPH_SPH_PARTS_H

#include "systems/sph/sph.h"

/* sph_density.c: finds neighbors, densities and pressures at the current positions; fills neighbors
 * and slot. `margin`: as in sph_neighbors_find. */
enum status sph_find_densities(struct sph *sph, const struct particles *particles, double margin,
                               struct error *error);

/* The number of blocks of slots. */
static inline size_t sph_blocks(const struct sph *sph)
{
    return (sph->neighbors.grid.n + SPH_BLOCK - 1) / SPH_BLOCK;
}

/* sph_density.c: p / rho^2 with p = k ((rho / rho0)^2 - 1) >= 0, in units of
 * k / rho0^2. */
double sph_pressure_term(const struct sph *sph, double density);

/* The same in Pa m^6/kg^2. */
static inline double sph_in_units(const struct sph *sph, double term)
{
    return term * sph->fluid.stiffness / (sph->rest_density * sph->rest_density);
}

static inline double sph_slot_pressure(const struct sph *sph, size_t slot)
{
    return sph_in_units(sph, (double)sph->slot[slot].pressure);
}

/* sph_forces.c: finds the forces, from the results of sph_find_densities. */
void sph_find_forces(struct sph *sph);

/* sph_walls.c: creates the points of walls, on the lattice of this fluid. */
enum status sph_walls_create(struct sph *sph, const struct walls *walls, struct error *error);
/* The force of n of these points with mirrored pressure on a particle there with this density and
 * `pressure` p / rho^2 (Pa m^6/kg^2), N. */
struct vec3 sph_force_of_walls(const struct sph *sph, struct vec3 position, double density,
                               double pressure, const uint32_t *point, size_t n);
/* The impulse of walls on particles that are not prescribed, over dt, N s. */
struct vec3 sph_wall_impulse(const struct sph *sph, const struct particles *particles, double dt);
void sph_confine(struct system *system, const struct particles *particles, double dt,
                 struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

/* sph_constraints.c */
enum status sph_constrain(struct system *system, const struct particles *particles,
                          struct constraint_set *set, struct error *error);

/* sph_limit.c: evaluates the forces, and finds the longest step that they allow. */
enum status sph_limit(struct system *system, const struct particles *particles, double *dt,
                      struct error *error);

/* sph_integrate.c: the step, and what a fluid reports of it. */
enum sph_term {
    SPH_PRESSURE_WORK,
    SPH_COMPRESSION_MAX,
    SPH_COMPRESSION_MEAN,
    SPH_IMPULSE, /* x, y, z */
    SPH_TERMS = SPH_IMPULSE + 3
};
extern const struct energy_term *const sph_terms[SPH_TERMS];
enum status sph_integrate(struct system *system, const struct particles *particles,
                          const struct groups *groups, double dt, struct motion *motion,
                          struct solve_report *report, struct error *error);
void sph_account(struct system *system, const struct particles *particles,
                 const struct groups *groups, double dt, const struct motion *motion,
                 struct work_report *report);

#endif
