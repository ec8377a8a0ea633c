/* Ball, box, cylinder, torus and bowl around the origin (callers subtract their center). For
 * shape.c alone. */
#ifndef SHAPE_SHAPE_PRIMITIVE_H
#define SHAPE_SHAPE_PRIMITIVE_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"

/* Measures that contradict each other are STATUS_INVALID. */
enum status primitive_check(const struct shape *shape, struct error *error);

double primitive_distance(const struct shape *shape, struct vec3 point);
double primitive_support(const struct shape *shape, struct vec3 direction);
double primitive_volume(const struct shape *shape);

#endif
