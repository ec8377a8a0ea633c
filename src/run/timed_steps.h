/* Some steps of a run, timed one by one, from any of its frames. */
#ifndef RUN_TIMED_STEPS_H
#define RUN_TIMED_STEPS_H

#include "run/run.h"

/* Of a run that run_open_from opened: makes the folder, takes `n` steps of the same lengths as the
 * run would have, and writes FOLDER/steps.csv and the state after the last of them, as
 * FOLDER/checkpoint.hdf: another place to go on from. No frame is written on the way. STATUS_FAILED
 * if the run ends before; the steps until then are in steps.csv. */
enum status run_timed_steps(struct run *run, size_t n, struct error *error);

#endif
