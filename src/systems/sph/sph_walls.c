/* Walls. Their points count in the density like particles of the fluid, and push with a pressure of
 * their own (sph_points.h) or the mirrored one of the particle that they push. They have no
 * viscosity, so that a fluid slides along them. Forces alone do not hold a lone drop, because its
 * density is below that at rest; as a last resort, the path of a particle ends WALL_NEAREST radii
 * from the surface. */
#include "base/memory.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"
#include "systems/confine_fluid.h"
#include "systems/sph/sph_parts.h"

#include <stdlib.h>

/* What the other points of the wall count in the density at each. */
static enum status find_rest(struct sph *sph, struct error *error)
{
    struct sph_points *wall = &sph->wall;
    const struct cell_grid *grid = wall->grid;
    struct slot_list found = {0};
    enum status status = STATUS_OK;
    for (size_t j = 0; j < grid->n && !status; j++) {
        struct vec3 x = vec3(grid->x[j], grid->y[j], grid->z[j]);
        double itself = wall->point[j].weight * sph_wendland(sph->support, 0.0), sum = -itself;
        found.n = 0;
        status = cell_grid_append(grid, x, sph->support, &found, error);
        sph_points_add_kernels(sph, wall, x, &(struct sph_beside_slot){found.n, found.slot, NULL},
                               &sum);
        wall->point[j].rest = sph_points_rest(sph, wall->point[j].weight, sum);
    }
    free(found.slot);
    return status;
}

enum status sph_walls_create(struct sph *sph, const struct walls *walls, struct error *error)
{
    struct wall_points *points = &sph->wall_points;
    if (!walls)
        return STATUS_OK;
    sph->walls = walls;
    enum status status =
        wall_points_create(points, walls, 2.0 * sph->fluid.radius, sph->support, error);
    if (status || points->n == 0)
        return status;
    if (array_create(&sph->wall.point, points->n, sizeof *sph->wall.point, "points of walls",
                     error))
        return STATUS_FAILED;
    sph->wall.grid = &points->grid;
    for (size_t j = 0; j < points->n; j++)
        sph->wall.point[j].weight = points->weight[j];
    return sph->fluid.mirrored ? STATUS_OK : find_rest(sph, error);
}

/* The force of each point with mirrored pressure is -m^2 w (p + p_wall)/rho^2 grad W. At a point of
 * the wall the pressure is what a fluid at rest would have there, p + rho g.x, and never a pull
 * (Adami, Hu and Adams, "A generalized wall boundary condition for smoothed particle
 * hydrodynamics", Journal of Computational Physics 231 (2012), Eq. 27): a standing column then
 * rests on its floor like on more of itself. */
struct vec3 sph_force_of_walls(const struct sph *sph, struct vec3 position, double density,
                               double pressure, const uint32_t *point, size_t n)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < n; k++) {
        struct vec3 x = sph_from_wall(&sph->wall_points, point[k], position);
        double slope = sph_wendland_slope(sph->support, vec3_norm(x));
        double there = pressure - vec3_dot(sph->fluid.gravity, x) / density;
        double both = pressure + fmax(there, 0.0);
        sum = vec3_axpy(sum, sph->wall_points.weight[point[k]] * both * slope, x);
    }
    return vec3_scale(sph->fluid.mass * sph->density_scale, sum);
}

/* Walls do not change the momentum of prescribed particles. One thread sums, because particles near
 * walls are few; the order is that of slots, which does not depend on the number of threads. */
struct vec3 sph_wall_impulse(const struct sph *sph, const struct particles *p, double dt)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t t = 0; t < sph->neighbors.n_parts; t++)
        for (size_t k = 0; k < sph->neighbors.part[t].walls.n; k++) {
            const struct sph_near *near = &sph->neighbors.part[t].walls.near[k];
            if (p->state[sph->system.first + sph->neighbors.grid.point[near->slot]] !=
                PARTICLE_PRESCRIBED)
                sum = vec3_add(sum, near->force);
        }
    return vec3_scale(dt, sum);
}

/* ---- the last resort ---- */

void sph_confine(struct system *system, const struct particles *p, double dt, struct vec3 *mean,
                 struct vec3 *velocity, struct confine_report *report)
{
    struct sph *sph = (struct sph *)system;
    const struct confined_fluid fluid = {sph->walls, sph->fluid.radius, system->first, system->n,
                                         sph->constrained ? NULL : &sph->neighbors};
    if (sph->walls)
        confine_fluid(&fluid, p, dt, mean, velocity, report);
}
