/* Prescribed motions of the scene: which particles of a body a motion moves, and where they are at
 * any time. Positions are closed forms of the time and of the particle's initial position, so that
 * they do not drift, and a resumed run finds the same. */
#ifndef SHAPE_PRESCRIBED_H
#define SHAPE_PRESCRIBED_H

#include "config/scene.h"
#include "shape/shape.h"

#include <stdbool.h>

/* The initial position of a particle less its body's position, m. `rest` is the particle's
 * unstressed position in the frame of the body, m. */
struct vec3 prescribed_offset(const struct body *body, struct vec3 rest);

/* The displacement, m, and the velocity, m/s, at the time t, s, of a particle that began at
 * `start`, m. */
struct vec3 prescribed_displacement(const struct prescribed *motion, struct vec3 start, double t);
struct vec3 prescribed_velocity(const struct prescribed *motion, struct vec3 start, double t);

/* The regions of all motions, prepared for queries. */
struct prescribed_regions {
    const struct scene *scene;
    struct solid **solid; /* region of each motion; NULL: it moves the fixed particles of its body
                             that are in no region (n_prescribed) */
};

/* Release with prescribed_regions_free, also after a failure. */
enum status prescribed_regions_create(struct prescribed_regions *regions, const struct scene *scene,
                                      struct error *error);
void prescribed_regions_free(struct prescribed_regions *regions);

/* Whether the region of motion m contains a particle of a body; and whether the motion moves a
 * particle that is `fixed` or not. */
bool prescribed_holds(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest);
bool prescribed_moves(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest, bool fixed);

#endif
