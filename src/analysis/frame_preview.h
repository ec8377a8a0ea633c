/* A quick picture of a frame. */
#ifndef ANALYSIS_FRAME_PREVIEW_H
#define ANALYSIS_FRAME_PREVIEW_H

#include "analysis/picture.h"

struct frame_preview {
    struct picture picture; /* with a view; surfaces and ground are not drawn */
    size_t width, height;   /* pixels */
    bool pixmap;            /* a PPM, not a PNG */
};

/* STATUS_INVALID if the camera is where it looks, or there is no field to color by. Write errors
 * stay in the stream. */
enum status frame_preview_print(FILE *stream, const struct frame_preview *preview,
                                struct error *error);

#endif
