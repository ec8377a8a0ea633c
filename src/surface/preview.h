/* A quick picture of particles: shaded discs in perspective, the nearest in front. A million takes
 * less than a second. A disc has the radius that its sphere has seen head-on; the stretching of
 * spheres far from the middle of the picture is left out. */
#ifndef SURFACE_PREVIEW_H
#define SURFACE_PREVIEW_H

#include "surface/pixels.h"
#include "surface/pov.h"
#include "surface/puffs.h"

/* Draws into `pixels` the particles with a finite position in front of the camera that are not
 * hidden (n; NULL: none); `color` (n) as in coloring.h. What is behind those that are clear (n;
 * NULL: none) and is not clear itself shows through, with half of the color. A pixel is the mean of
 * 2 x 2 samples; each sample shows the nearest surface and, of equally near ones, that of the lower
 * index, so that the bytes are the same for any number of threads. `puffs` dim what is behind them;
 * NULL: there are none. May fail for want of memory. */
enum status preview_draw(struct pixels *pixels, const struct particles *particles,
                         const uint8_t *color, const uint8_t *hidden, const uint8_t *clear,
                         const struct puffs *puffs, const struct camera *camera,
                         struct error *error);

#endif
