/* The diffuse particles of a frame (diffuse/diffuse.h). */
#ifndef ANALYSIS_FRAME_DIFFUSE_H
#define ANALYSIS_FRAME_DIFFUSE_H

#include "store/frame.h"

/* All belongs to the frame. */
struct frame_diffuse {
    size_t n;
    const struct vec3 *position, *velocity; /* m, m/s (n) */
    const double *birth;                    /* s (n) */
    const uint32_t *source;                 /* in the order of their names (n) */
};

/* STATUS_INVALID if the lists of the frame have different lengths. */
enum status frame_diffuse_find(const struct frame *frame, struct frame_diffuse *diffuse,
                               struct error *error);

/* STATUS_INVALID if one is of a source that is not among the n of its scene. */
enum status frame_diffuse_check(const struct frame_diffuse *diffuse, size_t n, struct error *error);

#endif
