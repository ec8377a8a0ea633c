/* A body of several shapes (UPP Section 5.3): overlapping parts along its longest axis, each of
 * which keeps its own shape (UPP 15, 16), so that the body bends. A particle goes the mean of the
 * ways that its parts ask for, and counts in each of them by its part of that mean, so that
 * momentum is kept. */
#ifndef CONSTRAINTS_SHAPE_PARTS_H
#define CONSTRAINTS_SHAPE_PARTS_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>

struct shape_parts;

/* The width that parts have along the longest axis of a body of the length, m: they begin at
 * multiples of half of it, so that all but the ends are in two. */
double shape_parts_width(size_t n_parts, double length);

/* Divides a body (n particles, at rest at `rest`, m). Release with shape_parts_free. */
enum status shape_parts_create(struct shape_parts **parts, size_t n_parts, size_t n,
                               const struct vec3 *rest, struct error *error);
void shape_parts_free(struct shape_parts *parts);

/* The extent of places along the axis along which it is largest, 0 to 2, m. */
double shape_parts_length(size_t n, const struct vec3 *rest, int *axis);

/* Writes the ways, times the stiffness, to `shift` and their lengths without it to `violation`,
 * both of the body's particles, which are at `at`. */
void shape_parts_match(const struct shape_parts *parts, double stiffness, const struct vec3 *at,
                       struct vec3 *shift, double *violation);

#endif
