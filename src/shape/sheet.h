/* The triangles of a sheet of particles, which tell what passes through it and on which side a
 * point is. */
#ifndef SHAPE_SHEET_H
#define SHAPE_SHEET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheet {
    uint32_t body;
    size_t n_triangles;
    uint32_t (*triangle)[3]; /* particle indices (n_triangles x 3), counter-clockwise seen from +z
                                of the body's frame */
};

/* Makes the triangles of cells[0] x cells[1] particles, of which (column, row) has index first +
 * row cells[0] + column: there are two per square of four neighbors, the diagonals alternating like
 * the colors of a chessboard so that no direction is preferred; the square at row 0, column 0 has
 * the diagonal from its particle (0, 0). The triangles are owned by the caller; `body` is left
 * alone. */
enum status sheet_triangles(struct sheet *sheet, const uint32_t cells[2], size_t first,
                            struct error *error);

/* Whether one of the sheets is of this body. */
static inline bool sheets_have_body(size_t n_sheets, const struct sheet *sheet, uint32_t body)
{
    for (size_t s = 0; s < n_sheets; s++)
        if (sheet[s].body == body)
            return true;
    return false;
}

#endif
