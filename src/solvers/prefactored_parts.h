/* For the files of prefactored.h. */
#ifndef SOLVERS_PREFACTORED_PARTS_H
#define SOLVERS_PREFACTORED_PARTS_H

#include "solvers/prefactored.h"

/* The order of nested dissection: row[k] is eliminated as k-th, place[row[k]] = k (n each). */
enum status prefactored_order(const struct sparse_rows *a, uint32_t *row, uint32_t *place,
                              struct error *error);

/* Scratch of a factor for what is left of a right side, and for a change of the solution (n each).
 */
struct vec3 *prefactored_left(struct prefactored *factor);
struct vec3 *prefactored_change(struct prefactored *factor);

#endif
