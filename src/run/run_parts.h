/* Declarations that the files of this folder share. */
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

/* Makes the run's folder. STATUS_FAILED if another program has begun a run there since this one was
 * opened. */
enum status run_begin_folder(struct run *run, struct error *error);

/* The time at which frame `number` is due in a run that ends at `end`, s: a multiple of the frame
 * interval after the run's beginning, or the end for the last frame. The multiple is rounded to a
 * decimal number, so that it is the same double as an end that is given as this multiple. The time
 * up to a frame is divided into equal steps, so that only those of the last interval depend on the
 * end. */
double run_frame_time(const struct run *run, uint64_t number, double end);

/* Takes one time step and writes nothing. A frame that was due before the step counts as written,
 * so that steps are as long as in a run that writes frames. */
enum status run_step_unwritten(struct run *run, struct ledger_row *ledger, struct error *error);

/* Finds the holes of meshes, while the initial frame has its particles (warn_leaks.c). */
enum status run_find_holes(struct run *run, struct error *error);

/* The contribution of the present state to the measure of stability. */
struct stability_input run_stability(const struct run *run, double speed_max, double speed_p999);
/* The contribution of the step of this row to the measure of sticking. */
struct sticking_input run_sticking(const struct run *run, const struct ledger_row *ledger);

#endif
