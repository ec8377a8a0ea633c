/* The bonds of the elastic bodies of a scene, as they were before anything moved, less those that
 * broke: what a frame does not hold, made again. */
#ifndef SURFACE_REST_BONDS_H
#define SURFACE_REST_BONDS_H

#include "systems/system.h"

/* `particles` and `rest` are those of the initial frame; `broken` (n_broken): the indices of broken
 * bonds that a frame holds. (*bonds)->bonded is the result; release with rest_bonds_free. A scene
 * without elastic bodies has none: *bonds is NULL. STATUS_INVALID if an index is no bond. */
enum status rest_bonds_create(struct system **bonds, const struct scene *scene,
                              const struct particles *particles, const struct vec3 *rest,
                              size_t n_broken, const uint64_t *broken, struct error *error);
void rest_bonds_free(struct system *bonds);

#endif
