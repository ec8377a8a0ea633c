/* A run read back from its folder: initial.hdf, what the frames recorded of every step, and why it
 * ended. */
#ifndef ANALYSIS_RECORD_H
#define ANALYSIS_RECORD_H

#include "base/error.h"
#include "base/table.h"
#include "store/frame.h"

#include <stddef.h>

struct record {
    struct frame initial;
    size_t n_frames;
    struct table ledger;  /* a row per step of the run */
    struct table measure; /* likewise; may have no columns */
    size_t ledger_capacity, measure_capacity;
    struct frame first; /* first frame that has columns; owns them */
    char *end;          /* why the run ended, NULL if that was not recorded */
};

/* STATUS_INVALID if the folder is not a run, a frame cannot be read, has other columns or another
 * number of particles than the ones before, or a step is missing between two frames. */
enum status record_read(const char *folder, struct record *record, struct error *error);
void record_free(struct record *record);

#endif
