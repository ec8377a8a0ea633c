/* What the files of the fluid share among themselves. */
#ifndef SYSTEMS_SPH_SPH_PARTS_H
#define SYSTEMS_SPH_SPH_PARTS_H

#include "systems/sph/sph.h"

/* Fewer particles are not worth waking another thread. */
enum { ONE_THREAD = 1024 };

/* sph_density.c: neighbors, densities and pressures at the positions of now; fills grid, slot, part
 * and n_neighbors. */
enum status sph_find_densities(struct sph *sph, const struct particles *particles,
                               struct error *error);

/* sph_forces.c: the forces, from what sph_find_densities left. */
void sph_find_forces(struct sph *sph);

/* sph_walls.c: finds the points of walls near slot s; adds their weighted kernel sum to *sum. */
enum status sph_find_walls(struct sph *sph, struct sph_part *part, size_t s, double *sum);
/* Adds the forces of walls to those of all particles. */
void sph_add_wall_forces(struct sph *sph);
/* The impulse of walls on particles that are not driven, over dt, N s. */
struct vec3 sph_wall_impulse(const struct sph *sph, const struct particles *particles, double dt);
void sph_confine(struct system *system, const struct particles *particles, double dt,
                 struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

/* sph_limit.c: evaluates the forces, and how long a step they allow. */
enum status sph_limit(struct system *system, const struct particles *particles, double *dt,
                      struct error *error);

/* sph_integrate.c */
enum status sph_integrate(struct system *system, const struct particles *particles,
                          const struct groups *groups, double dt, struct motion *motion,
                          struct solve_report *report, struct error *error);
void sph_account(struct system *system, const struct particles *particles,
                 const struct groups *groups, double dt, const struct motion *motion,
                 struct work_report *report);

#endif
