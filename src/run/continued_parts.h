/* Declarations that the files of continued.h share. */
#ifndef RUN_CONTINUED_PARTS_H
#define RUN_CONTINUED_PARTS_H

#include "run/continued.h"

/* Judges the changes from the configuration of the frame, `was`, to another one. *line is what the
 * new run's origin says of them, and of the energy that they brought, J, owned by the caller;
 * *walls, whether the walls changed. */
enum status continued_judge(const struct continued *continued, const struct config *was,
                            const struct config *is, double brought, char **line, bool *walls,
                            struct error *error);

/* How much more energy the pressure of fluids holds in the frame with the materials of `is`, J. The
 * frame has the scene `was`; 0 if it has no densities, as before the first step. */
double continued_brought(const struct frame *frame, const struct scene *was,
                         const struct scene *is);

/* Whether both scenes have the same bodies in the same order, of models that can take over from
 * each other. */
enum status continued_check_bodies(const struct scene *was, const struct scene *is,
                                   const char *path, struct error *error);

/* Gives the diffuse particles in `state`, of a frame of the scene `was`, the indices that their
 * sources have in the scene `is`. STATUS_INVALID if a source of theirs is gone, or one would have
 * to begin with another number of them. */
enum status continued_keep_sources(const struct scene *was, const struct scene *is,
                                   const char *path, struct state *state, struct error *error);

#endif
