/* Makes again what a frame does not hold: the bonds of the elastic bodies of a scene as they were
 * before anything moved, with those that broke marked as such, and the neighbors of corotated
 * and rigid bodies. */
#ifndef SURFACE_REST_BONDS_H
#define SURFACE_REST_BONDS_H

#include "systems/corotated/rest_pairs.h"
#include "systems/system.h"

struct rest_bonds {
    struct system *network;      /* NULL: nothing has bonds */
    struct rest_pairs neighbors; /* of corotated and rigid bodies */
    const struct bonded *list;   /* of both */
};

/* `particles`, `rest` and the sheets are those of the initial frame; `broken` (n_broken): the
 * indices of broken bonds that a frame holds. Release with rest_bonds_free, unless it failed.
 * STATUS_INVALID if an index is no bond. */
enum status rest_bonds_create(struct rest_bonds *bonds, const struct scene *scene,
                              const struct particles *particles, const struct vec3 *rest,
                              size_t n_sheets, const struct sheet *sheet, size_t n_broken,
                              const uint64_t *broken, struct error *error);
void rest_bonds_free(struct rest_bonds *bonds);

#endif
