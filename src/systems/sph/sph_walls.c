/* Walls. Their points count in the density like particles of the fluid, and push with a pressure of
 * their own (sph_points.h) or the mirrored one of the particle that they push. They have no
 * viscosity, so that a fluid slides along them. Forces alone do not hold a lone drop, because its
 * density is below that at rest; as a last resort, the path of a particle ends WALL_NEAREST radii
 * from the surface. */
#include "base/blocks.h"
#include "base/memory.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"
#include "systems/confine.h"
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
    enum status status = wall_points_create(points, walls, 0.5 * sph->support, sph->support, error);
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

/* The paths of particles in a step, which keep half a radius from walls. */
struct paths {
    const struct sph *sph;
    const struct particles *particles;
    double dt; /* s */
    struct vec3 *mean, *velocity;
    struct confine_report *report;
};

static size_t particle_in(const struct sph *sph, size_t slot)
{
    return sph->system.first + sph->neighbors.grid.point[slot];
}

static void stop(const struct paths *t, size_t i)
{
    confine_to_walls(t->sph->walls, WALL_NEAREST * t->sph->fluid.radius, t->particles, i, t->dt,
                     t->mean, t->velocity, t->report);
}

/* All threads find the particles to be stopped, which takes long; one thread stops them, in the
 * order of slots, which does not depend on the number of threads. */
static void stop_near_walls(struct sph *sph, const struct paths *t)
{
    double least = WALL_NEAREST * sph->fluid.radius;
    size_t parts = sph->neighbors.n_parts;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (sph->system.n > ONE_THREAD)
    for (size_t n = 0; n < parts; n++) {
        struct sph_beside *walls = &sph->neighbors.part[n].walls;
        for (size_t k = 0; k < walls->n; k++)
            walls->near[k].stopped =
                ends_near_walls(sph->walls, least, t->particles,
                                particle_in(sph, walls->near[k].slot), t->dt, t->mean);
    }
    for (size_t n = 0; n < parts; n++) {
        const struct sph_beside *walls = &sph->neighbors.part[n].walls;
        for (size_t k = 0; k < walls->n; k++)
            if (walls->near[k].stopped)
                stop(t, particle_in(sph, walls->near[k].slot));
    }
}

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct paths *t = context;
    const struct vec3 *mean = t->mean + t->sph->system.first;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(mean[i]));
    return largest;
}

/* All threads find whether any particle is to be stopped, and one stops them in order. */
static void stop_all(const struct paths *t)
{
    const struct system *system = &t->sph->system;
    const double least = WALL_NEAREST * t->sph->fluid.radius;
    size_t n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n) if (system->n > ONE_THREAD)
    for (size_t i = system->first; i < system->first + system->n; i++)
        n += ends_near_walls(t->sph->walls, least, t->particles, i, t->dt, t->mean);
    for (size_t i = system->first; n > 0 && i < system->first + system->n; i++)
        stop(t, i);
}

/* A particle that sees no point of a wall is farther than a radius from every surface; such
 * particles are tested only if some particle moved farther than that. */
void sph_confine(struct system *system, const struct particles *p, double dt, struct vec3 *mean,
                 struct vec3 *velocity, struct confine_report *report)
{
    struct sph *sph = (struct sph *)system;
    if (!sph->walls)
        return;
    const struct paths paths = {sph, p, dt, mean, velocity, report};
    if (sph->constrained) {
        stop_all(&paths);
        return;
    }
    if (!(dt * sqrt(blocks_max(system->n, largest_speed2, &paths)) > sph->fluid.radius)) {
        stop_near_walls(sph, &paths);
        return;
    }
    for (size_t s = 0; s < sph->neighbors.grid.n; s++)
        stop(&paths, particle_in(sph, s));
}
