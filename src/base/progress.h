/* Shows the progress of a long computation: one line that is redrawn on a terminal, a plain line
 * now and then anywhere else, or nothing on request. The reading of the clock is an argument, so
 * that tests need not wait. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum progress_style {
    PROGRESS_SILENT,
    PROGRESS_SELDOM,  /* a line every minute, and none at the end */
    PROGRESS_PLAIN,   /* a line at most every 10 s, and one at the end */
    PROGRESS_TERMINAL /* one line, redrawn at most 5 times a second, erased at the end */
};

struct progress {
    FILE *stream;     /* not owned; failures to write to it are of no consequence */
    const char *what; /* begins each line of PROGRESS_SELDOM; not owned */
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

/* Begins at step `step` and simulated time `time`, which is not 0 for a resumed run; `wall` is a
 * reading of the clock. */
struct progress progress_start(FILE *stream, enum progress_style style, uint64_t step, double time,
                               double end, double wall);

/* To be called after every step; prints only when it is time to. */
void progress_update(struct progress *progress, uint64_t step, double time, double dt, double wall);

/* Erases the line on the terminal, before something else is printed there. The next update may draw
 * it again. */
void progress_clear(struct progress *progress);

/* To be called at the end, also of an interrupted run: erases the line, or prints the last plain
 * one. */
void progress_finish(struct progress *progress, double wall);

/* Seconds of real time until the end, estimated from the recent ratio of simulated to real time:
 * what is older than 30 s, or than a quarter of the time so far if that is longer, fades
 * exponentially. The estimate therefore follows when steps become shorter or more expensive.
 * Negative if unknown. */
double progress_left(const struct progress *progress);

#endif
