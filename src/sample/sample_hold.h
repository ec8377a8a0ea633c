/* Which particles of a body are fixed: by `fixed`, in the region `fixed_in`, or because a motion
 * holds them. */
#ifndef SAMPLE_SAMPLE_HOLD_H
#define SAMPLE_SAMPLE_HOLD_H

#include "base/error.h"
#include "shape/prescribed.h"
#include "shape/shape.h"

struct hold {
    const struct prescribed_regions *motions; /* of the scene */
    size_t body;                              /* index into the scene's bodies */
    struct solid *fixed_in;                   /* NULL: nothing */
};

/* For body b of the scene of `motions`, which must outlive it; `point`: places of the body's
 * particles in its frame, without jitter, m (n). Release with hold_free, also after a failure.
 * STATUS_INVALID, with "file:line:column: ...", for a region that contains none of them. */
enum status hold_create(struct hold *hold, const struct prescribed_regions *motions, size_t b,
                        size_t n, const struct vec3 *point, struct error *error);
void hold_free(struct hold *hold);

/* Whether particle i of the body is fixed, whose place is `point`, and `rest` with jitter. */
bool hold_has(const struct hold *hold, size_t i, struct vec3 point, struct vec3 rest);

#endif
