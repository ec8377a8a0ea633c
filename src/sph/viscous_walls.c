/* Walls that fluids stick to. */
#include "base/memory.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"
#include "sph/viscous_parts.h"

#include <stdlib.h>

/* The plane of the wall into which the point is deepest. A normal that is not of length 1 is at an
 * edge of the medial axis, where the surface below which the point lies is not one. */
static void find_plane(const struct walls *walls, struct vec3 x, double step, struct vec3 *normal,
                       double *depth)
{
    size_t deepest = 0;
    for (size_t k = 1; k < walls_count(walls); k++)
        if (walls_distance_of(walls, k, x) < walls_distance_of(walls, deepest, x))
            deepest = k;
    *depth = fmax(-walls_distance_of(walls, deepest, x), 0.0);
    struct vec3 n = walls_normal_of(walls, deepest, x, step);
    double length = vec3_norm(n);
    *normal = length > 0.5 ? vec3_scale(1.0 / length, n) : vec3(0.0, 0.0, 0.0);
}

enum status wall_planes_create(struct wall_planes *planes, const struct wall_points *points,
                               const struct walls *walls, double spacing, struct error *error)
{
    *planes = (struct wall_planes){.points = points};
    if (array_create(&planes->normal, points->n, sizeof *planes->normal, "walls", error) ||
        array_create(&planes->depth, points->n, sizeof *planes->depth, "walls", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < points->n; s++)
        find_plane(walls, points->position[points->grid.point[s]], 1e-3 * spacing,
                   &planes->normal[s], &planes->depth[s]);
    return STATUS_OK;
}

void wall_planes_free(struct wall_planes *planes)
{
    free(planes->normal);
    free(planes->depth);
    *planes = (struct wall_planes){0};
}

/* By how much the velocity of a particle at x from a point of walls differs from the point's
 * mirrored one, in units of its own. */
static double mirrored(const struct wall_planes *planes, size_t point, struct vec3 x)
{
    static const double most = 5.0;
    struct vec3 n = planes->normal[point];
    double along = vec3_norm2(n) > 0.0 ? vec3_dot(n, x) : vec3_norm(x);
    double height = along - planes->depth[point];
    return height * most > along ? along / height : most;
}

/* The block of a particle at x that is near these points of walls. */
static struct sym3 block_of(const struct viscous_problem *problem, struct vec3 x, double viscosity,
                            const uint32_t *point, size_t n)
{
    const struct wall_planes *planes = problem->walls;
    double h = problem->support, volume = 0.125 * h * h * h;
    double factor = viscosity * volume * volume * sph_viscous_factor(h);
    struct sym3 block = {0};
    for (size_t k = 0; k < n; k++) {
        size_t j = point[k];
        struct vec3 from = sph_from_wall(planes->points, point[k], x);
        double c = factor * planes->points->weight[j] * sph_viscous(h, vec3_norm(from)) *
                   mirrored(planes, j, from);
        sym3_add_outer(&block, vec3_scale(c, from), from);
    }
    return block;
}

static enum status find_part(struct viscous_part *own, const struct viscous_problem *problem,
                             const struct sph_neighbors *neighbors, const struct sph_beside *walls)
{
    own->n = problem->walls ? walls->n : 0;
    if (array_reserve(&own->block, &own->capacity, own->n, sizeof *own->block,
                      "particles near walls", &own->error))
        return STATUS_FAILED;
    const uint32_t *point = walls->points.slot;
    for (size_t k = 0; k < own->n; k++) {
        size_t i = problem->first + neighbors->grid.point[walls->near[k].slot];
        own->block[k] = block_of(problem, problem->position[i], viscosity_of(problem, i)->wall,
                                 point, walls->near[k].n_points);
        point += walls->near[k].n_points;
    }
    return STATUS_OK;
}

enum status viscous_find_walls(struct viscous *viscous, const struct viscous_problem *problem,
                               struct error *error)
{
    const struct sph_neighbors *neighbors = problem->neighbors;
    size_t parts = neighbors->n_parts;
#pragma omp parallel for schedule(static, 1)                                                       \
    num_threads((int)parts) if (neighbors->grid.n > ONE_THREAD)
    for (size_t t = 0; t < parts; t++)
        viscous->part[t].status =
            find_part(&viscous->part[t], problem, neighbors, &neighbors->part[t].walls);
    for (size_t t = 0; t < parts; t++)
        if (viscous->part[t].status)
            return error_set(error, viscous->part[t].status, "%s", viscous->part[t].error.message);
    return STATUS_OK;
}
