#include "analysis/rebound.h"

#include <math.h>

const struct column rebound_columns[REBOUND_WIDTH] = {
#define REBOUND_COLUMN(name, unit, sentence) {#name, unit, sentence},
    REBOUND_COLUMNS(REBOUND_COLUMN)
#undef REBOUND_COLUMN
};

static const struct body_row *row_of(const struct body_history *history, size_t body, size_t frame)
{
    return &history->row[frame * history->n_bodies + body];
}

/* The frame in which the body is lowest; the first one among equals. */
static size_t find_lowest(const struct body_history *history, size_t body)
{
    size_t lowest = 0;
    for (size_t f = 1; f < history->n_frames; f++)
        if (row_of(history, body, f)->height < row_of(history, body, lowest)->height)
            lowest = f;
    return lowest;
}

/* Whether the body always consists of the same number of free particles, at finite positions. */
static bool is_whole(const struct body_history *history, size_t body)
{
    for (size_t f = 0; f < history->n_frames; f++) {
        const struct body_row *row = row_of(history, body, f);
        if (row->particles != row_of(history, body, 0)->particles || !isfinite(row->height) ||
            !isfinite(row->kinetic))
            return false;
    }
    return history->n_frames > 0;
}

static double energy_above(const struct body_history *history, const struct body_row *row,
                           double height)
{
    return row->kinetic + row->mass * history->gravity * (row->height - height);
}

/* The last frame before bodies act on each other. */
static size_t last_before(const struct body_history *history, double time)
{
    size_t f = 0;
    while (f + 1 < history->n_frames && row_of(history, 0, f + 1)->time <= time)
        f++;
    return f;
}

static void measure_energy(const struct body_history *history, size_t body, size_t lowest,
                           size_t impact, struct rebound *r)
{
    r->energy_impact = energy_above(history, row_of(history, body, impact), r->lowest_height);
    if (!(r->energy_impact > 0.0))
        return;
    double largest = 0.0, energy = 0.0;
    for (size_t f = lowest; f < history->n_frames; f++) {
        energy = energy_above(history, row_of(history, body, f), r->lowest_height);
        largest = fmax(largest, energy);
    }
    r->energy_returned = largest / r->energy_impact;
    r->energy_kept = energy / r->energy_impact;
}

struct rebound rebound_measure(const struct body_history *history, size_t body, double impact_time)
{
    struct rebound r;
    for (size_t i = 0; i < REBOUND_WIDTH; i++)
        ((double *)&r)[i] = (double)NAN;
    if (!is_whole(history, body))
        return r;
    size_t lowest = find_lowest(history, body), highest = lowest;
    for (size_t f = lowest; f < history->n_frames; f++)
        if (row_of(history, body, f)->height > row_of(history, body, highest)->height)
            highest = f;
    r.lowest_time = row_of(history, body, lowest)->time;
    r.lowest_height = row_of(history, body, lowest)->height;
    r.rebound_time = row_of(history, body, highest)->time;
    r.rebound_height = row_of(history, body, highest)->height - r.lowest_height;
    if (!isnan(impact_time))
        measure_energy(history, body, lowest, last_before(history, impact_time), &r);
    return r;
}
