/* What a summary needs of all steps of a run, gathered row by row, so that no row is kept. */
#ifndef ANALYSIS_RUN_STATS_H
#define ANALYSIS_RUN_STATS_H

#include "base/error.h"
#include "base/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Of one column: its values in all rows so far. */
struct column_stats {
    double most, least; /* not a number from the first one on that is none */
    double last, sum;
    long double mean;
    bool finite;  /* all are */
    bool defined; /* one at least is a number */
};

/* What happens once, if at all: the first row in which a column is above 0. */
enum run_event { EVENT_IMPACT, EVENT_THROUGH_CRACK, N_EVENTS };

enum { MOST_PARTS = 3, N_WATCHED = 8 };

struct run_stats {
    size_t n_parts, n_columns, n_rows;
    struct table part[MOST_PARTS]; /* whose columns they are; without values */
    struct column_stats *column;   /* part by part (n_columns) */
    size_t watched[N_WATCHED];     /* places of what several columns of a row tell */
    bool happened[N_EVENTS];
    double *event[N_EVENTS]; /* the row of each (n_columns) */
    double most_unexplained; /* of nearer - deferred - unresolved, at least 0 */
    double later_stages;     /* rows with more than one stage, and the iterations in them */
    double iterations_first, iterations_later;
};

/* The columns must outlive the result. Release with run_stats_free, also after a failure. */
enum status run_stats_create(struct run_stats *stats, size_t n_parts, const struct table *part,
                             struct error *error);
void run_stats_free(struct run_stats *stats);

/* Adds a step: a row of each part (n_parts). */
void run_stats_add(struct run_stats *stats, const double *const *row);

/* The column, from the first part that has it; NULL: none has. */
const struct column_stats *run_stats_column(const struct run_stats *stats, const char *name);

/* The value of a column in the row of an event that happened; NULL: it did not, or there is no such
 * column. */
const double *run_stats_at(const struct run_stats *stats, enum run_event event, const char *name);

/* Makes a column one that has no meaning for this run: all of it is not a number. */
void run_stats_undefine(struct run_stats *stats, const char *name);

/* The first column of a part with a value that is not finite; NULL: there is none. */
const char *run_stats_not_finite(const struct run_stats *stats, size_t part);

#endif
