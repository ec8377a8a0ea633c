/* What ms-simulate says at its end of the time that it took: RUN/timing.csv in a line or two. */
#ifndef RUN_TIME_SPENT_H
#define RUN_TIME_SPENT_H

#include "run/run.h"
#include "run/warnings.h"
#include "schemes/timing.h"

#include <stdint.h>

struct time_spent {
    const struct timing *timing;
    uint64_t steps;                       /* of this invocation */
    int threads;                          /* most at once */
    double processor;                     /* time of all of them, s */
    const struct iterations_taken *taken; /* without and with links that push (2) */
    double tolerance;                     /* of the solver */
};

/* Says how long a step took and which phases took most of it; and, if several threads had little to
 * do at once, that they did not pay. The processor time of a run is at most what one thread alone
 * would need, because threads wait asleep and only add to it. Also says how many iterations steps
 * with contacts took, where these are many times as many as without. */
void time_spent_say(const struct time_spent *spent, say_line *say, void *context);

#endif
