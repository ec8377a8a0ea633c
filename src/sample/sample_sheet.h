/* Sheets: the particles and triangles of a cloth. For sample.c alone. */
#ifndef SAMPLE_SAMPLE_SHEET_H
#define SAMPLE_SAMPLE_SHEET_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"
#include "shape/sheet.h"

/* Unstretched positions in the plane z = 0 of the body's frame, spacing 2 radius, centered on the
 * origin: particle (column, row) has index row cells[0] + column; m (cells[0] x cells[1]). */
void sheet_positions(const struct body *body, struct vec3 *position);

/* Two triangles per square of four neighbors, the diagonals alternating like the colors of a
 * chessboard so that no direction is preferred; the square at row 0, column 0 has the diagonal from
 * its particle (0, 0). `first` is the index of the sheet's first particle. The triangles are owned
 * by the caller. */
enum status sheet_triangles(struct sheet *sheet, const struct body *body, size_t first,
                            struct error *error);

/* Whether particle `index` of the sheet is held by body->fixed. */
bool sheet_is_fixed(const struct body *body, size_t index);

#endif
