/* Tables in a run's folder to which programs add rows: RUN/timing.csv, where the wall time of a run
 * went, and RUN/memory.csv, how much memory it had. Not part of the results, because they differ
 * from run to run. */
#ifndef STORE_RECORD_FILE_H
#define STORE_RECORD_FILE_H

#include "base/error.h"
#include "schemes/timing.h"

#include <stddef.h>
#include <stdint.h>

/* Whether rows can be added to these tables in the folder: what is there already must be a file,
 * not a link to one somewhere else, or a pipe. STATUS_INVALID if it is not. */
enum status record_files_check(const char *folder, struct error *error);

/* Adds a row for this invocation (a resumed run has several). */
enum status timing_write(const char *folder, const struct timing *timing, uint64_t steps,
                         size_t particles, size_t bonds, struct error *error);

/* Adds a row for a frame that was just written: its number, step and time (s), and the bytes that
 * the program has now. */
enum status memory_write(const char *folder, uint64_t frame, uint64_t step, double time,
                         struct error *error);

#endif
