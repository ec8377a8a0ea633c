/* Sheets: the particles of a cloth. For sample.c alone. */
#ifndef SAMPLE_SAMPLE_SHEET_H
#define SAMPLE_SAMPLE_SHEET_H

#include "base/vec3.h"
#include "config/scene.h"

#include <stdbool.h>
#include <stddef.h>

/* Unstretched positions in the plane z = 0 of the body's frame, spacing 2 radius, centered on the
 * origin: particle (column, row) has index row cells[0] + column; m (cells[0] x cells[1]). */
void sheet_positions(const struct body *body, struct vec3 *position);

/* Whether particle `index` of the sheet is held by body->fixed. */
bool sheet_is_fixed(const struct body *body, size_t index);

#endif
