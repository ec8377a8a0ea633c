/* Declarations that the files of the viscosity share. */
#ifndef SPH_VISCOUS_PARTS_H
#define SPH_VISCOUS_PARTS_H

#include "sph/viscous.h"

static inline const struct viscosity *viscosity_of(const struct viscous_problem *problem, size_t i)
{
    return &problem->kind[problem->body ? problem->body[i] : 0];
}

/* viscous_walls.c: finds the blocks of walls of all slots near them. */
enum status viscous_find_walls(struct viscous *viscous, const struct viscous_problem *problem,
                               struct error *error);

/* viscous_passes.c: force = -C v (n x 3, N) with the velocities of the slots; `diagonal`: the
 * blocks of C on its diagonal, kg/s (n); NULL: they are not asked for. */
void viscous_forces(struct viscous *viscous, const struct viscous_problem *problem, double *force,
                    struct sym3 *diagonal);

/* The sum of the forces of walls, N. */
struct vec3 viscous_wall_force(const struct viscous *viscous,
                               const struct sph_neighbors *neighbors);

#endif
