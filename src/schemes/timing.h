/* Wall time per phase of the time step. Never part of a result: kept apart from the ledger. */
#ifndef SCHEMES_TIMING_H
#define SCHEMES_TIMING_H

#include <time.h>

/* The phases, in the order of the columns of timing.csv and steps.csv, and what their time is spent
 * on:
 *   preparing      what a run needs before its first step: neighbor lists, matrices and their
 *                  factors, the state of a restart, warnings
 *   outside        gravity; the baselines' forces and impulses; the longest step that misses no
 *                  collision
 *   detection      finding touching pairs, or those that come near each other
 *   merging        choosing pairs to merge, also for later stages, and merging
 *   first_stage    integration, first stage, with what all stages share, such as the densities and
 *                  forces from which a system finds its longest step
 *   later_stages   integration, all others
 *   synchronizing  one velocity for every meta-particle; projecting; the line search of a minimum
 *   splitting      splitting
 *   moving         moving, flowing in and out, breaking, with the forces at the new positions that
 *                  systems keep for the next step
 *   ledger         energies and momenta of the step, and contacts that it deepens
 *   measures       penetration, overlap, fragments and all else that is measured in every step
 *   frames         writing frames, and all else of a run between steps
 * They follow each other without a gap, so that they add up to all of the time since the simulation
 * began to be created. */
#define PHASES(X)                                                                                  \
    X(PHASE_PREPARING, "preparing")                                                                \
    X(PHASE_OUTSIDE, "outside")                                                                    \
    X(PHASE_DETECTION, "detection")                                                                \
    X(PHASE_MERGING, "merging")                                                                    \
    X(PHASE_FIRST_STAGE, "first_stage")                                                            \
    X(PHASE_LATER_STAGES, "later_stages")                                                          \
    X(PHASE_SYNCHRONIZING, "synchronizing")                                                        \
    X(PHASE_SPLITTING, "splitting")                                                                \
    X(PHASE_MOVING, "moving")                                                                      \
    X(PHASE_LEDGER, "ledger")                                                                      \
    X(PHASE_MEASURES, "measures")                                                                  \
    X(PHASE_FRAMES, "frames")

#define PHASE_VALUE(value, name) value,
enum phase { PHASES(PHASE_VALUE) N_PHASES };

struct timing {
    double spent[N_PHASES]; /* s */
    enum phase phase;       /* the current one ... */
    double since;           /* ... and when it began */
};

static inline double timing_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Begins the first phase of all. */
static inline void timing_begin(struct timing *timing, enum phase first)
{
    *timing = (struct timing){.phase = first, .since = timing_now()};
}

/* Ends the current phase and begins the next one. */
static inline void phase(struct timing *timing, enum phase next)
{
    double now = timing_now();
    timing->spent[timing->phase] += now - timing->since;
    timing->phase = next;
    timing->since = now;
}

#endif
