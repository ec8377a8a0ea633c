/* The lattice points inside a solid. For sample.c and surface/rest_lattice.c. */
#ifndef SAMPLE_SAMPLE_LATTICE_H
#define SAMPLE_SAMPLE_LATTICE_H

#include "shape/shape.h"

#include <stdint.h>

struct lattice_cells {
    struct lattice lattice;
    double spacing;  /* m */
    uint8_t *inside; /* 1: the point is in the solid (n[2] x n[1] x n[0], row by row along n[0]) */
    size_t n_inside;
};

/* The lattice of a body: cubic, of edge 2 radius, along the axes of lattice_rotation, centered on
 * the solid's bounding box in that frame, and with as many points per axis as there are whole
 * spacings in the box's edge, rounded to nearest (halves up). So a box of whole spacings is sampled
 * exactly, a ball symmetrically about its center, and whether the center is itself a point depends
 * on the size alone.
 * A point belongs to the body where the signed distance is not positive; 1e-9 spacings of rounding
 * are granted. STATUS_INVALID when the body is smaller than a spacing or no point is inside. */
enum status lattice_cells_create(struct lattice_cells *cells, struct solid *solid,
                                 const struct body *body, struct error *error);
void lattice_cells_free(struct lattice_cells *cells);

/* Positions of the points inside, m (n_inside), in Morton order of their cells: neighbors in space
 * are near in memory, whatever the direction. */
void lattice_cells_positions(const struct lattice_cells *cells, struct vec3 *position);

/* Thickness of the thinnest wall, rod or neck that the lattice met, m.
 *
 * From every point inside that has a neighbor outside, the chord along the normal of the nearest
 * surface is measured. It counts as a thickness where the surface at its far end faces away from
 * the near one: outward normals more than 143 degrees apart (cosine below -0.8). That is exact for
 * walls, rods and balls in any attitude to the lattice, while edges and corners of more than 37
 * degrees do not count. The result is the smallest such thickness or, for a solid without any (a
 * tetrahedron), twice the greatest depth of a point. Parts that contain no lattice point are not
 * seen. */
double lattice_cells_thinnest(const struct lattice_cells *cells, const struct solid *solid);

#endif
