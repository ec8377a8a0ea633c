/* Declarations that the files of continued.h share. */
#ifndef RUN_CONTINUED_PARTS_H
#define RUN_CONTINUED_PARTS_H

#include "run/continued.h"

/* Judges the changes from the configuration of the frame, `was`, to another one. *line is what the
 * new run's origin says of them, owned by the caller; *walls, whether the walls changed. */
enum status continued_judge(const struct continued *continued, const struct config *was,
                            const struct config *is, char **line, bool *walls, struct error *error);

/* Whether both scenes have the same bodies in the same order, of models that can take over from
 * each other. */
enum status continued_check_bodies(const struct scene *was, const struct scene *is,
                                   const char *path, struct error *error);

#endif
