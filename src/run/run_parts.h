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

/* Locks the run's folder until run_close, if it exists and is not locked yet. */
enum status run_lock(struct run *run, struct error *error);

/* Makes the run's folder, which may have begun to belong to another run since this one was opened:
 * STATUS_FAILED. */
enum status run_begin_folder(struct run *run, struct error *error);

/* When frame `number` is due, s, in a run that ends at `end`: a multiple of the frame interval,
 * rounded as a decimal number so that an end that is such a multiple is the same double; the last
 * frame is due at the end. The time up to a frame is divided into equal steps, so that only those
 * of the last interval depend on the end. */
double run_frame_time(const struct run *run, uint64_t number, double end);

/* One time step that writes nothing. A frame that was due before it counts as written, so that
 * steps are as long as in a run that writes frames. */
enum status run_step_unwritten(struct run *run, struct ledger_row *ledger, struct error *error);

/* Adds n rows, one after the other in `value`. */
enum status rows_append(struct rows *rows, size_t n, const void *value, struct error *error);

/* What the present state contributes to the measure of stability, */
struct stability_input run_stability(const struct run *run, double speed_max, double speed_p999);
/* and what the step of this row contributes to that of sticking. */
struct sticking_input run_sticking(const struct run *run, const struct ledger_row *ledger);

#endif
