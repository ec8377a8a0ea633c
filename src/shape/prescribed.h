/* Prescribed motions of the scene: which particles of a body one takes along, and where it has them
 * at any time. Places are closed forms of the time and of where the particle began, so that they do
 * not drift, and a resumed run finds the same. */
#ifndef SHAPE_PRESCRIBED_H
#define SHAPE_PRESCRIBED_H

#include "config/scene.h"
#include "shape/shape.h"

#include <stdbool.h>

/* From the body's position, where its particle `rest` begins: its unstressed place, in the frame of
 * the body, m. */
struct vec3 prescribed_offset(const struct body *body, struct vec3 rest);

/* How far the motion has taken a particle that began at `start`, m, and how fast it moves it, m/s,
 * at the time t, s. */
struct vec3 prescribed_displacement(const struct prescribed *motion, struct vec3 start, double t);
struct vec3 prescribed_velocity(const struct prescribed *motion, struct vec3 start, double t);

/* The regions of all motions, prepared for queries. */
struct prescribed_regions {
    const struct scene *scene;
    struct solid **solid; /* of each motion; NULL: all of its body that is fixed otherwise
                             (n_prescribed) */
};

/* Release with prescribed_regions_free, also after a failure. */
enum status prescribed_regions_create(struct prescribed_regions *regions, const struct scene *scene,
                                      struct error *error);
void prescribed_regions_free(struct prescribed_regions *regions);

/* Whether motion m holds a particle of a body by its region; and whether it moves one, which is
 * fixed or not. */
bool prescribed_holds(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest);
bool prescribed_moves(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest, bool fixed);

#endif
