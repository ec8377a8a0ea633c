#include "analysis/run_stats.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns that tell something together, or once; the first are those of events. */
enum {
    NEARER = N_EVENTS,
    DEFERRED,
    UNRESOLVED,
    STAGES,
    ITERATIONS_FIRST,
    ITERATIONS_LATER,
};
_Static_assert(ITERATIONS_LATER + 1 == N_WATCHED, "run_stats.h says how many there are");

static const char *const watched[N_WATCHED] = {[EVENT_IMPACT] = "impact_kinetic",
                                               [EVENT_THROUGH_CRACK] = "through_crack",
                                               [NEARER] = "nearer",
                                               [DEFERRED] = "deferred",
                                               [UNRESOLVED] = "unresolved",
                                               [STAGES] = "stages",
                                               [ITERATIONS_FIRST] = "iterations_first",
                                               [ITERATIONS_LATER] = "iterations_later"};

/* The number of a column among all; n_columns: there is none. */
static size_t place_of(const struct run_stats *stats, const char *name)
{
    size_t place = 0;
    for (size_t k = 0; k < stats->n_parts; k++)
        for (size_t i = 0; i < stats->part[k].n_columns; i++, place++)
            if (strcmp(stats->part[k].column[i].name, name) == 0)
                return place;
    return place;
}

enum status run_stats_create(struct run_stats *stats, size_t n_parts, const struct table *part,
                             struct error *error)
{
    *stats = (struct run_stats){.n_parts = n_parts};
    for (size_t k = 0; k < n_parts; k++) {
        stats->part[k] = (struct table){part[k].n_columns, part[k].column, 0, NULL};
        stats->n_columns += part[k].n_columns;
    }
    for (size_t k = 0; k < N_WATCHED; k++)
        stats->watched[k] = place_of(stats, watched[k]);
    size_t n = stats->n_columns;
    enum status status =
        array_create(&stats->column, n, sizeof *stats->column, "columns of a run", error);
    for (size_t e = 0; e < N_EVENTS && !status; e++)
        status =
            array_create(&stats->event[e], n, sizeof *stats->event[e], "columns of a run", error);
    return status;
}

void run_stats_free(struct run_stats *stats)
{
    free(stats->column);
    for (size_t e = 0; e < N_EVENTS; e++)
        free(stats->event[e]);
    *stats = (struct run_stats){0};
}

/* ---- a row ---- */

/* The mean is that of gsl_stats_mean. */
static void add_value(struct column_stats *s, size_t n_before, double x)
{
    if (n_before == 0)
        *s = (struct column_stats){.most = x, .least = x, .finite = true};
    s->most = !isnan(s->most) && (x > s->most || isnan(x)) ? x : s->most;
    s->least = !isnan(s->least) && (x < s->least || isnan(x)) ? x : s->least;
    s->last = x;
    s->sum += x;
    s->mean += ((long double)x - s->mean) / (long double)(n_before + 1);
    s->finite = s->finite && isfinite(x);
    s->defined = s->defined || !isnan(x);
}

/* The last value of a watched column; 0 if it is not there. */
static double last_of(const struct run_stats *stats, size_t k)
{
    return stats->watched[k] < stats->n_columns ? stats->column[stats->watched[k]].last : 0.0;
}

static void note_event(struct run_stats *stats, enum run_event event)
{
    if (stats->happened[event] || !(last_of(stats, event) > 0.0))
        return;
    stats->happened[event] = true;
    for (size_t k = 0; k < stats->n_columns; k++)
        stats->event[event][k] = stats->column[k].last;
}

/* What takes several columns of one row. */
static void add_together(struct run_stats *stats)
{
    double unexplained =
        last_of(stats, NEARER) - last_of(stats, DEFERRED) - last_of(stats, UNRESOLVED);
    stats->most_unexplained = fmax(stats->most_unexplained, unexplained);
    if (!(last_of(stats, STAGES) > 1.0))
        return;
    stats->later_stages += 1.0;
    stats->iterations_first += last_of(stats, ITERATIONS_FIRST);
    stats->iterations_later += last_of(stats, ITERATIONS_LATER);
}

void run_stats_add(struct run_stats *stats, const double *const *row)
{
    struct column_stats *column = stats->column;
    for (size_t k = 0; k < stats->n_parts; k++)
        for (size_t i = 0; i < stats->part[k].n_columns; i++)
            add_value(column++, stats->n_rows, row[k][i]);
    stats->n_rows++;
    note_event(stats, EVENT_IMPACT);
    note_event(stats, EVENT_THROUGH_CRACK);
    add_together(stats);
}

/* ---- all rows ---- */

const struct column_stats *run_stats_column(const struct run_stats *stats, const char *name)
{
    size_t place = place_of(stats, name);
    return place < stats->n_columns ? &stats->column[place] : NULL;
}

const double *run_stats_at(const struct run_stats *stats, enum run_event event, const char *name)
{
    size_t place = place_of(stats, name);
    bool known = stats->happened[event] && place < stats->n_columns;
    return known ? &stats->event[event][place] : NULL;
}

void run_stats_undefine(struct run_stats *stats, const char *name)
{
    size_t place = place_of(stats, name);
    if (place == stats->n_columns)
        return;
    stats->column[place] = (struct column_stats){.most = (double)NAN,
                                                 .least = (double)NAN,
                                                 .last = (double)NAN,
                                                 .sum = (double)NAN,
                                                 .mean = (long double)NAN};
    for (size_t e = 0; e < N_EVENTS; e++)
        stats->event[e][place] = (double)NAN;
}

const char *run_stats_not_finite(const struct run_stats *stats, size_t part)
{
    size_t place = 0;
    for (size_t k = 0; k < part; k++)
        place += stats->part[k].n_columns;
    for (size_t i = 0; i < stats->part[part].n_columns && stats->n_rows > 0; i++)
        if (!stats->column[place + i].finite)
            return stats->part[part].column[i].name;
    return NULL;
}
