/* Where a grid keeps each cell: shared by the files that sort points and look them up. */
#ifndef PARTICLES_CELL_GRID_PARTS_H
#define PARTICLES_CELL_GRID_PARTS_H

#include "particles/cell_grid.h"

/* All cells farther than this from the origin count as one, so that every conversion to integers is
 * defined. */
static const double CELL_LIMIT = 4503599627370496.0; /* 2^52 */

/* The result never decreases with x, whatever the rounding: with |a - b| <= reach the cell of b
 * lies between the cells of a - reach and a + reach. */
static inline int64_t cell_of(double x, double origin, double inverse_cell)
{
    double c = (x - origin) * inverse_cell;
    if (!(c > 0.0))
        return 0;
    return (int64_t)(c < CELL_LIMIT ? c : CELL_LIMIT);
}

struct cell {
    int64_t x, y, z;
};

static inline struct cell cell_at(const struct cell_grid *grid, struct vec3 x)
{
    return (struct cell){cell_of(x.x, grid->origin.x, grid->inverse_cell),
                         cell_of(x.y, grid->origin.y, grid->inverse_cell),
                         cell_of(x.z, grid->origin.z, grid->inverse_cell)};
}

/* Where the row of cells (y, z) begins: cell x lies x buckets further on, modulo the table. */
static inline uint64_t row_of(const struct cell_grid *grid, int64_t y, int64_t z)
{
    if (!grid->hashed)
        return (uint64_t)y * grid->stride[0] + (uint64_t)z * grid->stride[1];
    /* Fibonacci hashing of the two, the finishing steps of a 64-bit mixer. */
    uint64_t h = (uint64_t)y * 0x9e3779b97f4a7c15u + (uint64_t)z * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 29);
}

#endif
