/* The surface of a solid: the faces of its particles' cells where they are not glued
 * (solid_cells.h). It consists of the body's outer surface, half a spacing outside the outermost
 * particles, of both sides of every crack, and of one side of a cut along hidden particles.
 *
 * Between two cells that are not glued lies a quarter of a square in each of four cubes. Its
 * corners are the middle of the edge between their points, the middles of two faces, and the middle
 * of the cube. A middle is one vertex for all cells that are glued around it. So the surface is
 * closed whatever broke, no vertex belongs to two fragments, and the rest volumes of fragments add
 * up to that of the whole body. An edge at whose both ends a crack ends may bound four
 * triangles.
 *
 *     rest_lattice   the lattice of the unstressed body
 *     solid_cells    which cells whole bonds still glue together
 *     solid_follow   moves the surface with the particles, by deformation gradients (gradient)
 *     cloth_skin     the triangles of a sheet that are left
 *     embedded_mesh  a finer mesh that follows a solid on a lattice, by least squares
 *     kernel_skin    one that follows any solid, by deformation gradients
 *     rest_bonds     the bonds and neighbors that a frame does not hold, made again
 */
#ifndef SURFACE_SOLID_SKIN_H
#define SURFACE_SOLID_SKIN_H

#include "surface/gradient.h"
#include "surface/solid_cells.h"
#include "surface/triangle_mesh.h"

struct solid_skin {
    struct triangle_mesh mesh; /* in the unstressed body, in its frame, m */
    uint8_t *outer;       /* 1: a vertex of the outer surface; 0: within a crack (n_vertices) */
    uint8_t *n_owners;    /* particles whose cells meet in the vertex (n_vertices) */
    uint32_t (*owner)[8]; /* (n_vertices x n_owners) */
};

/* Vertices of the outer surface lie on the surface of `solid` (NULL: on the faces of cells) where
 * that is less than a spacing away. Those of cracks lie in the middle between particles, or in the
 * mean of such middles: a rough surface, no staircase. */
enum status solid_skin_create(struct solid_skin *skin, const struct solid_cells *cells,
                              const struct solid *solid, struct error *error);
/* Moves the vertices to where their particles took them: each to the mean of where its owners see
 * it, at x_i + F_i (X - X_i). Positions are by particle of the whole set, `rest` in the body's
 * frame; gradient[k] is F of particle first + k. A map that is linear in the whole body is followed
 * exactly. */
void solid_skin_follow(struct solid_skin *skin, const struct vec3 *rest,
                       const struct vec3 *position, size_t first, const struct gradient *gradient);

void solid_skin_free(struct solid_skin *skin);

#endif
