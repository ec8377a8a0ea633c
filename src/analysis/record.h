/* A run read back from its folder: initial.hdf, what the frames recorded of all steps, and why it
 * ended. Rows of steps are not kept: they pass by once when the run is read, for what its summary
 * needs, and again on request. */
#ifndef ANALYSIS_RECORD_H
#define ANALYSIS_RECORD_H

#include "analysis/derived.h"
#include "analysis/run_stats.h"
#include "base/error.h"
#include "base/table.h"
#include "store/frame.h"
#include "store/frame_list.h"

#include <stddef.h>

/* What is known of a step; `measure` may have no columns. */
enum { PART_LEDGER, PART_MEASURE, PART_DERIVED, N_ROW_PARTS };

struct record {
    struct frame initial;
    struct frame_list frames;
    size_t n_steps;
    struct table part[N_ROW_PARTS]; /* their columns, without values; none: no frame has any */
    struct derived derived;
    struct run_stats stats; /* of all parts, in this order */
    struct frame first;     /* first frame that has columns; owns them */
    char *end;              /* why the run ended, NULL if that was not recorded */
};

/* STATUS_INVALID if the folder is not a run, a frame cannot be read, has other columns or another
 * number of particles than the ones before, or a step is missing between two frames. */
enum status record_read(const char *folder, struct record *record, struct error *error);
void record_free(struct record *record);

/* Takes one step, from the first to the last: a row of each part. */
typedef void take_step_row(void *context, size_t step, const double *const row[N_ROW_PARTS]);

/* Reads the rows of all steps again. Fails if a frame is no longer the one that was read. */
enum status record_steps(const struct record *record, take_step_row *take, void *context,
                         struct error *error);

#endif
