/* Progress of a long computation, for whoever watches: one line that is redrawn on a terminal, a
 * plain line now and then anywhere else, nothing if so wished. The time of day comes in as an
 * argument, so that tests need not wait. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum progress_style {
    PROGRESS_SILENT,
    PROGRESS_PLAIN,   /* a line at most every 10 s, and one at the end */
    PROGRESS_TERMINAL /* one line, redrawn at most 5 times a second, erased at the end */
};

struct progress {
    FILE *stream; /* not owned; failures to write to it are of no consequence */
    enum progress_style style;
    size_t width; /* columns of the terminal; 0: ask it at each redraw, 80 if it does not know */
    double end;   /* simulated time at which the work is done, s */
    double first_wall, last_wall, shown_wall; /* clock readings: begin, last update, last output */
    uint64_t step;                            /* of the last update */
    double time, dt;                          /* simulated, of the last update, s */
    double recent_time, recent_wall;          /* simulated and real time spent, old ones fading */
    bool drawn;                               /* a line stands on the terminal */
};

/* Terminal if the stream is one that can move its cursor (TERM is set and not "dumb"), plain
 * otherwise. */
enum progress_style progress_style_of(FILE *stream);

/* A monotonic clock, s. */
double progress_clock(void);

/* Begins at simulated time `time` (not 0 for a run that goes on) and step `step`; `wall` is a
 * reading of the clock. */
struct progress progress_start(FILE *stream, enum progress_style style, uint64_t step, double time,
                               double end, double wall);

/* After every step; prints only if it is time to. */
void progress_update(struct progress *progress, uint64_t step, double time, double dt, double wall);

/* Erases the line on the terminal, before something else is printed there; the next update is free
 * to draw it again. */
void progress_clear(struct progress *progress);

/* At the end, whether all is done or not: erases the line, or prints the last plain one. */
void progress_finish(struct progress *progress, double wall);

/* Seconds of real time until the end, from the simulated time per real time of late: what is older
 * than 30 s, or a quarter of the whole time so far if that is more, fades exponentially. Thus
 * it follows when steps become shorter or dearer. Negative if unknown. */
double progress_left(const struct progress *progress);

#endif
