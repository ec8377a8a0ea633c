/* Sums of Wendland's kernel (sph_kernel.h) by which particles know how crowded they are. All leave
 * out the factor 21/(2 pi h^3). */
#ifndef SPH_SPH_SUMS_H
#define SPH_SPH_SUMS_H

#include "sph/sph_neighbors.h"
#include "sph/wall_points.h"

/* Over the neighbors in an unbounded lattice with this spacing: of the kernel, and of its
 * derivative with respect to the logarithm of the number of particles in a volume. */
void sph_sum_lattice(double h, double spacing, double *kernel, double *compression);

/* Over the neighbors that a visitor gets, without the particle itself, which is one of them. */
double sph_sum_found(const struct sph_found *found);

/* The weighted kernels of n points of walls at a position are added to *sum, one by one. */
void sph_add_walls(const struct wall_points *walls, double h, struct vec3 position,
                   const uint32_t *point, size_t n, double *sum);

/* The vector from a point of walls to a position. */
static inline struct vec3 sph_from_wall(const struct wall_points *walls, uint32_t point,
                                        struct vec3 position)
{
    const struct cell_grid *grid = &walls->grid;
    return vec3_sub(position, vec3(grid->x[point], grid->y[point], grid->z[point]));
}

#endif
