/* Wall time per phase of the time step. Never part of a result: kept apart from the ledger. */
#ifndef SCHEMES_TIMING_H
#define SCHEMES_TIMING_H

#include <time.h>

/* The phases, in the order of the columns of timing.csv, and what their time is spent on:
 *   detection     finding touching pairs
 *   contact       merging, and choosing who merges; the baselines' forces and impulses
 *   first_stage   integration, first stage, with what all stages share
 *   later_stages  integration, all others
 *   splitting     synchronizing, projecting and splitting
 *   rest          moving, ledger */
#define PHASES(X)                                                                                  \
    X(PHASE_DETECTION, "detection")                                                                \
    X(PHASE_CONTACT, "contact")                                                                    \
    X(PHASE_FIRST_STAGE, "first_stage")                                                            \
    X(PHASE_LATER_STAGES, "later_stages")                                                          \
    X(PHASE_SPLITTING, "splitting")                                                                \
    X(PHASE_REST, "rest")

#define PHASE_VALUE(value, name) value,
enum phase { PHASES(PHASE_VALUE) N_PHASES };

struct timing {
    double spent[N_PHASES]; /* s */
    enum phase phase;       /* the one at hand ... */
    double since;           /* ... and when it began */
};

static inline double timing_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The first phase of a step begins: what was before it is nobody's. */
static inline void timing_begin(struct timing *timing, enum phase first)
{
    timing->phase = first;
    timing->since = timing_now();
}

/* The phase at hand ends, and the next one begins. */
static inline void phase(struct timing *timing, enum phase next)
{
    double now = timing_now();
    timing->spent[timing->phase] += now - timing->since;
    timing->phase = next;
    timing->since = now;
}

#endif
