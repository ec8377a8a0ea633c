/* RUN/timing.csv: where the wall time of a run went. Not part of the results, because it differs
 * from run to run. */
#ifndef STORE_TIMING_FILE_H
#define STORE_TIMING_FILE_H

#include "base/error.h"
#include "schemes/timing.h"

#include <stddef.h>
#include <stdint.h>

/* Adds a row for this invocation (a resumed run has several). */
enum status timing_write(const char *folder, const struct timing *timing, uint64_t steps,
                         size_t particles, size_t bonds, struct error *error);

#endif
