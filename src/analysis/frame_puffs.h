/* The diffuse particles of a frame as smoke in pictures. */
#ifndef ANALYSIS_FRAME_PUFFS_H
#define ANALYSIS_FRAME_PUFFS_H

#include "analysis/section.h"
#include "surface/puffs.h"

/* A puff is at first twice as large as a particle of the scene's fluids; at the end of a lifetime
 * it has twice the radius and is gone, with the same optical depth times area but for that. What is
 * in front of the plane is left out (NULL: nothing). `path` is the frame's, for messages. Release
 * with frame_puffs_free, also after a failure. STATUS_INVALID if lists do not fit each other or the
 * scene. */
enum status frame_puffs_create(struct puffs *puffs, const struct frame *frame, const char *path,
                               const struct plane *plane, struct error *error);
void frame_puffs_free(struct puffs *puffs);

#endif
