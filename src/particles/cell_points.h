/* The points around a cell, side by side, for searches for all pairs of neighbors: points that
 * share a cell look at the same ones. */
#ifndef PARTICLES_CELL_POINTS_H
#define PARTICLES_CELL_POINTS_H

#include "particles/cell_grid.h"
#include "particles/pairs.h"

/* Zero at first; keeps its memory from cell to cell; release with cell_points_free. */
struct cell_points {
    size_t n;          /* a multiple of CELL_GRID_LANES, with points that are infinitely far away */
    uint32_t *slot;    /* in the grid (n) */
    double *x, *y, *z; /* where they are, m (n) */
    size_t capacity;
};

/* Lists the points in slots from `slot` on that are in its cell or in one of the 26 around it, and
 * others where cells are hashed; there, a point may also be listed twice. Writes to *end, at most
 * `last`, where the run of slots in this cell ends. So each pair of points that are nearer than an
 * edge is found by the one in the lower slot. `grid` is made by cell_grid_build. */
enum status cell_points_list(struct cell_points *points, const struct cell_grid *grid, size_t slot,
                             size_t last, size_t *end, struct error *error);

/* Writes pairs of `slot` with the slots of all points p listed with |p - center|^2 < reach^2, so
 * that its own may be among them, to `near`, which has room for n; returns their number. */
size_t cell_points_within(const struct cell_points *points, size_t slot, struct vec3 center,
                          double reach, struct pair *near);

void cell_points_free(struct cell_points *points);

#endif
