/* A field whose zero is the surface of a fluid, from its particles: negative inside.
 *
 * Zhu and Bridson, "Animating sand as a fluid" (SIGGRAPH 2005), section 4: the distance to the mean
 * position of the particles around a point, less a radius:
 *
 *     phi(x) = |x - m(x)| - c a(x),   m = sum w x_i / sum w,  a = sum w r_i / sum w,
 *     w = (1 - |x - x_i|^2 / R_i^2)^3 within R_i = 4 r_i.
 *
 * Below a flat surface the mean position does not depend on where the particles of the first layers
 * are exactly, so that a tank at rest is flat. The constant c is not a choice: where layers of
 * particles, 2 r apart, are parallel to the surface, the field is zero r above the first one, the
 * middle between it and the layer that is missing. At that height layers are r and 3 r deep, and
 * their weights, integrated over a plane, are (1 - 1/16)^4 and (1 - 9/16)^4; the mean depth is
 * c r = 1.0906 r. (Evenly filled space would give 0.984 r.) A lone particle is a ball of radius
 * c r.
 *
 * Where particles are far from each other their mean position can lie where no particle is. Points
 * farther than 2 r (a spacing) from all particles are therefore outside (compare the bounds of
 * Bhattacharya, Gao and Bargteil, "A level-set method for skinning animated particle data", 2011):
 * the field is the larger of phi and the distance to balls of that radius. */
#ifndef SURFACE_FLUID_FIELD_H
#define SURFACE_FLUID_FIELD_H

#include "particles/cell_grid.h"
#include "surface/lattice_blocks.h"

/* Once made it is only read, so that several threads may evaluate it. */
struct fluid_field {
    struct cell_grid grid;       /* of the positions */
    const struct vec3 *position; /* m, the caller's (n) */
    const double *radius;        /* m, the caller's (n) */
    double spacing;              /* of the lattice, m */
    double most;                 /* largest radius, m */
};

enum { FIELD_SUPPORT = 4, FIELD_BOUND = 2 }; /* R and the balls that bound the fluid, in radii */

/* Makes the field of `n` particles at `position`, whose half spacing is `radius`. Both arrays must
 * outlive the field. STATUS_FAILED for a position that is not finite. Release with
 * fluid_field_free. */
enum status fluid_field_create(struct fluid_field *field, size_t n, const struct vec3 *position,
                               const double *radius, double spacing, struct error *error);

/* Fills `blocks` with all blocks of cells that the surface may cross. STATUS_INVALID if a particle
 * is so far from the origin that the lattice cannot number its cells. */
enum status fluid_field_blocks(const struct fluid_field *field, struct block_list *blocks,
                               struct error *error);

/* The field at the points of a block. Its value at a point is the same for every block that has the
 * point, to the bit. A block_field of lattice_blocks.h; `context` is the field. */
enum status fluid_field_evaluate(const void *context, struct block block, struct block_work *work,
                                 double *value, struct error *error);

/* For fields of the same particles: fills work->slots with the slots of all particles whose support
 * reaches the block, ascending, so that every block sums over the neighbors of a point in the same
 * order. */
enum status fluid_field_slots(const struct fluid_field *field, struct block block,
                              struct block_work *work, struct error *error);

/* The points of a block within a cube around x, by axis; none if last < first. */
struct point_range {
    int first[3], last[3];
};
struct point_range points_within(struct block block, struct vec3 x, double reach, double spacing);

void fluid_field_free(struct fluid_field *field);

#endif
