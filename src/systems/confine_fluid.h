/* The last resort at walls for fluids whose lists of neighbors tell which particles are near one.
 */
#ifndef SYSTEMS_CONFINE_FLUID_H
#define SYSTEMS_CONFINE_FLUID_H

#include "sph/sph_neighbors.h"
#include "systems/confine.h"

struct confined_fluid {
    const struct walls *walls;
    double radius;                   /* of its particles, which keep WALL_NEAREST of it, m */
    size_t first, n;                 /* its particles */
    struct sph_neighbors *neighbors; /* by index - first; NULL: all particles are tested */
};

/* Confines the particles to the walls, as systems do (system.h). A particle that sees no point of a
 * wall is farther than a radius from every surface; such particles are tested only if some particle
 * moves farther than that. */
void confine_fluid(const struct confined_fluid *fluid, const struct particles *particles, double dt,
                   struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

#endif
