/* The walls of a scene, prepared for queries about where particles may be. Everything is in the
 * world's frame, in meters. */
#ifndef SHAPE_WALLS_H
#define SHAPE_WALLS_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"
#include "shape/placed_solid.h"

#include <stdbool.h>
#include <stddef.h>

struct walls;

/* At rest, a particle of radius r is r from a wall. It is never allowed nearer than this fraction
 * of r. */
#define WALL_NEAREST 0.5

/* Loads meshes; STATUS_INVALID with "file:line:column: ..." if a shape is impossible. The scene
 * must outlive the walls. NULL, and no error, for a scene without walls. */
enum status walls_create(struct walls **walls, const struct scene *scene, struct error *error);
void walls_free(struct walls *walls);

/* The walls that hold elastic bodies as well. They belong to `walls`; NULL if there are none. */
const struct walls *walls_of_solids(const struct walls *walls);

size_t walls_count(const struct walls *walls);

/* How far a point is from the surface of the k-th wall, exact up to rounding: positive where the
 * scene is, negative beyond. */
double walls_distance_of(const struct walls *walls, size_t k, struct vec3 point);

/* The smallest of these distances over all walls. */
double walls_distance(const struct walls *walls, struct vec3 point);

/* The direction away from the surface of the k-th wall, to where the scene is; of length 1 away
 * from edges. `h` is the step of the difference quotient, m. */
struct vec3 walls_normal_of(const struct walls *walls, size_t k, struct vec3 point, double h);

/* Moves the point out of every wall until it is at least `least` (1 - 1e-9) from all. False if it
 * does not get there, as between walls that are too close together: then the point is where it was.
 */
bool walls_push_out(const struct walls *walls, double least, struct vec3 *point);

/* The k-th wall as the scene has it, and its shape. */
const struct wall *walls_wall(const struct walls *walls, size_t k);
const struct placed_solid *walls_solid(const struct walls *walls, size_t k);

#endif
