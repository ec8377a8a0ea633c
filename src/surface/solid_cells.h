/* Which cells of a solid still hang together. Each particle owns a cell, the cube of edge one
 * spacing around its place in the rest lattice. It consists of one octant of each of the eight
 * cubes between lattice points that meet there. Where cells meet they are glued, until the bonds
 * that held them there broke.
 *
 * Levine et al. (2014, "A peridynamic perspective on spring-mass fracture") give tetrahedra to
 * particles and split them where bonds broke. Cells of particles do the same on a lattice, without
 * a tetrahedron that belongs to no fragment: every fragment owns whole cells, and their volumes add
 * up. */
#ifndef SURFACE_SOLID_CELLS_H
#define SURFACE_SOLID_CELLS_H

#include "particles/bonded.h"
#include "surface/rest_lattice.h"

#include <stdbool.h>

enum { NO_PIECE = 8 };

/* Corner c of cube (i, j, k) is the lattice point (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)).
 * Corners of a cube are of one piece if whole bonds among its particles join them, directly or
 * through others of the cube. */
struct solid_cells {
    const struct rest_lattice *lattice;
    size_t n[3];           /* cubes: one less than points */
    uint8_t (*piece)[8];   /* of each corner, the smallest corner of its piece; NO_PIECE where there
                              is no particle (n[2] x n[1] x n[0]) */
    const uint8_t *hidden; /* marks particles whose cells are cut away, by particle of the whole
                              set; borrowed; NULL: none */
};

/* `bonded` holds all bonds, broken ones too. `fragment`: the smallest particle of the fragment of
 * each particle of the whole set; NULL: nothing of the body broke. Two particles that never had a
 * bond hold together while they are of one fragment. `hidden`: particles that are cut away, so that
 * what is behind them is seen; NULL: none. The lattice and `hidden` must outlive the result. */
enum status solid_cells_create(struct solid_cells *cells, const struct rest_lattice *lattice,
                               const struct bonded *bonded, const uint32_t *fragment,
                               const uint8_t *hidden, struct error *error);
void solid_cells_free(struct solid_cells *cells);

/* The pieces of the cube between `at` and the next point along each axis. */
static inline const uint8_t *solid_cells_at(const struct solid_cells *c, const size_t at[3])
{
    return c->piece[(at[2] * c->n[1] + at[1]) * c->n[0] + at[0]];
}

#endif
