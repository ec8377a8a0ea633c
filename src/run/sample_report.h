/* What ms-sample says of the bodies that it made. */
#ifndef RUN_SAMPLE_REPORT_H
#define RUN_SAMPLE_REPORT_H

#include "base/error.h"
#include "config/config.h"
#include "sample/sample.h"

#include <stdio.h>

/* Prints particles, volume, thinnest part, size and place of each body, what memory a run will
 * need, what cracks cost, and what to beware of. */
enum status sample_report_print(FILE *stream, const struct config *config,
                                const struct scene *scene, const struct sample *sample,
                                struct error *error);

/* Of bodies that were not just sampled: particles and place. */
enum status bodies_report_print(FILE *stream, const struct scene *scene,
                                const struct particles *particles, struct error *error);

#endif
