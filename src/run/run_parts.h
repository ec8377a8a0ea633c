/* What the files of a run share among themselves. */
#ifndef RUN_RUN_PARTS_H
#define RUN_RUN_PARTS_H

#include "measure/stability.h"
#include "measure/sticking.h"
#include "run/run.h"

enum { PATH_ROOM = 4096 };

/* RUN/<name>, RUN/frames/<number>.hdf and RUN/checkpoint.hdf; `path` has PATH_ROOM bytes. */
enum status run_path(const struct run *run, const char *name, char *path, struct error *error);
enum status run_frame_path(const struct run *run, uint64_t number, char *path, struct error *error);

/* Keeps other programs out of the run's folder until run_close, if it is there and not kept yet. */
enum status run_lock(struct run *run, struct error *error);

/* When frame `number` is due, s, in a run that ends at `end`: at a multiple of the frame interval,
 * as a decimal, so that an end that is one is that very number; the last one at the end. Steps are
 * shared out evenly up to this instant, and so depend on the end in the last interval alone. */
double run_frame_time(const struct run *run, uint64_t number, double end);

/* Adds n rows, one after the other in `value`. */
enum status rows_append(struct rows *rows, size_t n, const void *value, struct error *error);

/* What the state of now contributes to the measure of stability. */
struct stability_input run_stability(const struct run *run, double speed_max, double speed_p999);
/* ... and the step of this row to that of sticking. */
struct sticking_input run_sticking(const struct run *run, const struct ledger_row *ledger);

#endif
