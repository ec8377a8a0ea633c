/* Times the steps of a run one by one, from any of its frames on. */
#ifndef RUN_TIMED_STEPS_H
#define RUN_TIMED_STEPS_H

#include "run/run.h"

/* For a run that run_open_from opened: makes the folder, takes `n` steps of the same lengths as the
 * run itself takes, and writes FOLDER/steps.csv and the state after the last step,
 * FOLDER/checkpoint.hdf, from which a run can go on. No frame is written on the way. STATUS_FAILED
 * if the run ends before `n` steps; steps.csv has the steps until then. */
enum status run_timed_steps(struct run *run, size_t n, struct error *error);

#endif
