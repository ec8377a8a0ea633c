/* Whether a frame is one that this run wrote: the digest in a frame finds damage, but not a change
 * whose digest was made anew. */
#ifndef RUN_RESUME_CHECK_H
#define RUN_RESUME_CHECK_H

#include "run/run.h"

/* Before the run goes on from it: configuration, particles, and states that they can have come to
 * since the initial frame. `advice` tells the user what to do if the frame belongs to another run.
 * STATUS_INVALID if it does. */
enum status resume_check_frame(const struct run *run, const struct frame *frame, const char *path,
                               const char *advice, struct error *error);

/* Once run->simulation, run->measures and run->last are as the frame says: energies, momenta and
 * penetrated particles must be those of the last row of its tables, but for what another compiler
 * rounds otherwise. What nothing else in a frame depends on (first guesses of solvers, groups,
 * fragments) is not checked. STATUS_INVALID if they are others. */
enum status resume_check_state(const struct run *run, const struct frame *frame, const char *path,
                               struct error *error);

#endif
