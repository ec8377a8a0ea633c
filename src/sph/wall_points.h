/* Walls in SPH: points that fill their inside on the fluid's own lattice, as deep as its kernel
 * reaches (after Akinci et al., "Versatile rigid-fluid coupling for incompressible SPH", ACM
 * Transactions on Graphics 31 (2012), with volumes from the signed distance instead of a kernel
 * sum). Edges and corners of a tank need no special treatment, and a lattice of particles that
 * stands flush against a wall is continued by it exactly. */
#ifndef SPH_WALL_POINTS_H
#define SPH_WALL_POINTS_H

#include "particles/cell_grid.h"
#include "shape/walls.h"

struct wall_points {
    size_t n, capacity, weight_capacity;
    struct vec3 *position; /* m, wall by wall (n) */
    size_t *of_wall;       /* the first point of each wall, and n; NULL: there are no walls */
    struct cell_grid grid; /* of the points, with cells of the fluid's support */
    double *weight; /* fraction of a lattice cell's volume that is wall, (0, 1] (n, by slot of
                       the grid) */
};

/* Creates the points of the walls (NULL: none) for a fluid with this spacing of particles and this
 * support. The lattice of a wall is that of a body of its shape (sample/sample_lattice.h): centered
 * on the shape's bounding box. A cell that the surface cuts counts with the fraction that is beyond
 * it, at that fraction's center: exact for planes along the lattice. A place in two walls is
 * counted once. */
enum status wall_points_create(struct wall_points *points, const struct walls *walls,
                               double spacing, double support, struct error *error);
void wall_points_free(struct wall_points *points);

/* Fills room (n, by slot of the grid): what a fluid at rest that fills the lattice of the point's
 * wall before all walls adds to the point's sum of sph_wendland. `walls`, `spacing` and `support`
 * as in wall_points_create. */
enum status wall_points_find_room(const struct wall_points *points, const struct walls *walls,
                                  double spacing, double support, double *room,
                                  struct error *error);

#endif
