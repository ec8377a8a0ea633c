/* Finds the points of a lattice that are inside a closed surface, by scan lines: a row of the
 * lattice enters and leaves the solid where it crosses triangles. For mesh.c, mesh_check.c and
 * mesh_orient.c. */
#ifndef SHAPE_MESH_ROWS_H
#define SHAPE_MESH_ROWS_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the line along x through (., y, z) crosses the triangle, and then at which x.
 *
 * The even-odd rule decides in the projection on the y-z plane. Each edge is tested by the same
 * arithmetic, from its lower to its higher vertex index, for both of its triangles: so whatever the
 * rounding, a line crosses a closed surface an even number of times, even if it runs exactly
 * through an edge, a vertex or along a face. */
bool triangle_crossed(const struct vec3 *vertex, const uint32_t face[3], double y, double z,
                      double *x);

/* All crossings of the rows (j, k), 0 <= j < n[1], 0 <= k < n[2], of a lattice. */
struct mesh_rows {
    size_t n[3];
    size_t *start;    /* first crossing of each row (n[1] n[2] + 1), row j + n[1] k */
    double *crossing; /* in spacings along the row, ascending in each row (start[n[1] n[2]]) */
};

/* `vertex` in units of the lattice: point (i, j, k) is at (i, j, k). */
enum status mesh_rows_create(struct mesh_rows *rows, const size_t n[3], const struct vec3 *vertex,
                             size_t n_faces, const uint32_t (*face)[3], struct error *error);
void mesh_rows_free(struct mesh_rows *rows);

/* value[i] = -HUGE_VAL where point i of the row is inside, HUGE_VAL where not (n[0]). */
void mesh_rows_signs(const struct mesh_rows *rows, size_t j, size_t k, double *value);

#endif
