/* Wall time per phase of the time step, s. Never part of a result: kept apart from the ledger. */
#ifndef STEP_TIMING_H
#define STEP_TIMING_H

#include <time.h>

struct timing {
    double detection;    /* finding touching pairs */
    double contact;      /* merging and choosing who merges; the rivals' forces and impulses */
    double first_stage;  /* integration, first stage, with what all stages share */
    double later_stages; /* integration, all others */
    double splitting;
    double rest; /* moving, ledger */
};

static inline double timing_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds the time since *since to *phase and starts the next phase. */
static inline void timing_add(double *phase, double *since)
{
    double now = timing_now();
    *phase += now - *since;
    *since = now;
}

#endif
