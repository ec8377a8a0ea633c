/* RUN/steps.csv: where the wall time of each step went, what the machine did meanwhile, and how
 * much there was to do. Not part of the results, because it differs from run to run. */
#ifndef STORE_STEP_TIMES_H
#define STORE_STEP_TIMES_H

#include "base/error.h"
#include "schemes/timing.h"
#include "step/ledger.h"

#include <stddef.h>

struct step_time {
    double spent[N_PHASES]; /* wall time by phase, s */
    double wall;            /* of the whole step, s: all phases together */
    double processor;       /* CPU time of this program, all threads, s */
    double machine;         /* ... of all programs on all cores, s; NaN: unknown */
    double load;            /* of the machine, before the step; NaN: unknown */
    struct ledger_row row;  /* what happened in the step */
};

/* Writes the file whole, in place of any that is there. */
enum status step_times_write(const char *path, size_t n, const struct step_time *step,
                             struct error *error);

#endif
