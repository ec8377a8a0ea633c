/* Penetration of sheets: which particles have passed through the moving triangles of a sheet an odd
 * number of times, and how often anything passes. Found by continuous collision detection on every
 * time step; definitions and limits are in docs/measures.md. */
#ifndef MEASURE_PENETRATION_H
#define MEASURE_PENETRATION_H

#include "base/error.h"
#include "measure/sweep_tree.h"
#include "particles/particles.h"
#include "shape/sheet.h"

#include <stddef.h>
#include <stdint.h>

enum { PENETRATION_SHEETS = 32 }; /* one bit each */

struct penetration_count {
    size_t penetrated; /* particles that have penetrated one sheet or more, now */
    size_t crossings;  /* events of this step, over all particles and sheets */
};

struct penetration {
    size_t n; /* particles */
    size_t n_sheets;
    uint32_t *penetrated;    /* bit s: an odd number of crossings of sheet s (n), owned */
    const uint32_t *body;    /* (n), the scene's */
    const double *radius;    /* m (n), the scene's */
    const uint8_t *state;    /* of the particles, now (n), the scene's */
    uint8_t *here;           /* whether a particle began the step free or fixed (n), owned */
    uint32_t *sheet_body;    /* (n_sheets), owned */
    struct sweep_tree *tree; /* (n_sheets), owned */
    uint32_t *near;          /* scratch: particles near a sheet (n) */
    size_t *n_near;          /* scratch: number of these in each block of particles */
    uint32_t *events;        /* scratch: their crossings in this step (n) */
};

/* No particle has penetrated a sheet at first. `particles` must outlive the result (its bodies,
 * radii and states are read again on every step); the sheets are copied. STATUS_INVALID for more
 * than 32 sheets and for a triangle with a vertex that is no particle, or used twice. Release with
 * penetration_free, also after a failure. */
enum status penetration_create(struct penetration *penetration, const struct particles *particles,
                               size_t n_sheets, const struct sheet *sheet, struct error *error);
void penetration_free(struct penetration *penetration);

/* Counts the crossings of one time step, every particle moving linearly from `from` to `to` (n
 * each). `from` must be the `to` of the step before, bit for bit: then what happens at the common
 * instant is counted once. Prescribed particles, and those gone, cross nothing and have penetrated
 * none; a particle still counts in the step at the end of which it is gone. Never allocates; the
 * same for any number of threads. Particles with a position that is not finite cross nothing. */
struct penetration_count penetration_update(struct penetration *penetration,
                                            const struct vec3 *from, const struct vec3 *to);

#endif
