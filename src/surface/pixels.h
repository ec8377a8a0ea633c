/* A picture of pixels, and its two formats. */
#ifndef SURFACE_PIXELS_H
#define SURFACE_PIXELS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PIXELS_SIDE_MAX = 16384 }; /* pixels */

struct pixels {
    size_t width, height; /* pixels, 1 to PIXELS_SIDE_MAX */
    uint8_t *rgb;         /* sRGB, from the top left, row by row (height x width x 3), owned */
};

/* Makes a white picture. Release with pixels_free, also after a failure. */
enum status pixels_create(struct pixels *pixels, size_t width, size_t height, struct error *error);
void pixels_free(struct pixels *pixels);

/* A portable pixmap (binary PPM). Write errors stay in the stream. */
void pixels_print_ppm(FILE *stream, const struct pixels *pixels);

/* PNG, without a date: the same picture has the same bytes, for one version of zlib. Fails for want
 * of memory; write errors stay in the stream. */
enum status pixels_print_png(FILE *stream, const struct pixels *pixels, struct error *error);

#endif
