/* The colors of a frame's particles. */
#ifndef ANALYSIS_FRAME_COLORS_H
#define ANALYSIS_FRAME_COLORS_H

#include "store/frame.h"

enum coloring { BY_BODY, BY_FRAGMENT, BY_DAMAGE };

/* Fills `color` (n) with indices into the table of surface/coloring.h. `path` names the frame in
 * messages. STATUS_INVALID if it has no field to color by. */
enum status frame_colors(const struct frame *frame, const char *path, enum coloring coloring,
                         uint8_t *color, struct error *error);

/* Marks the particles of fluids (n). */
enum status frame_fluids(const struct frame *frame, const char *path, uint8_t *flows,
                         struct error *error);

#endif
