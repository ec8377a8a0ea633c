/* Measures the rebound of a body from its rows in bodies.csv. Definitions: docs/measures.md. */
#ifndef ANALYSIS_REBOUND_H
#define ANALYSIS_REBOUND_H

#include "analysis/body_history.h"

/* A value that has no meaning for a body is nan. */
#define REBOUND_COLUMNS(X)                                                                         \
    X(lowest_time, "s", "time of the frame in which the center of mass is lowest")                 \
    X(lowest_height, "m", "height of the center of mass then")                                     \
    X(rebound_time, "s", "time of the highest center of mass after that")                          \
    X(rebound_height, "m", "how far that is above the lowest")                                     \
    X(energy_impact, "J", "kinetic + gravitational energy above the lowest height, at impact")     \
    X(energy_returned, "1", "largest such energy after the lowest point, over that at impact")     \
    X(energy_kept, "1", "such energy at the end, over that at impact")

struct rebound {
#define REBOUND_MEMBER(name, unit, sentence) double name;
    REBOUND_COLUMNS(REBOUND_MEMBER)
#undef REBOUND_MEMBER
};

enum { REBOUND_WIDTH = sizeof(struct rebound) / sizeof(double) };
extern const struct column rebound_columns[REBOUND_WIDTH];

/* `impact_time`: when bodies first acted on each other, s; nan if they never did. */
struct rebound rebound_measure(const struct body_history *history, size_t body, double impact_time);

#endif
