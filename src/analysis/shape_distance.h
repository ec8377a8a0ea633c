/* Measures how far apart a body is in two runs, particle by particle and frame by frame. */
#ifndef ANALYSIS_SHAPE_DISTANCE_H
#define ANALYSIS_SHAPE_DISTANCE_H

#include "base/table.h"

#define SHAPE_DISTANCE_COLUMNS(X)                                                                  \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(rms, "m", "root mean square distance between the body's particles")                          \
    X(max, "m", "largest distance")                                                                \
    X(fitted, "m", "rms distance that the rigid motion leaves that fits the first run's best")     \
    X(moved_a, "m", "rms distance of the first run's particles from where they began")             \
    X(moved_b, "m", "rms distance of the second run's particles from where they began")

struct shape_distance_row {
#define SHAPE_DISTANCE_MEMBER(name, unit, sentence) double name;
    SHAPE_DISTANCE_COLUMNS(SHAPE_DISTANCE_MEMBER)
#undef SHAPE_DISTANCE_MEMBER
};

enum { SHAPE_DISTANCE_WIDTH = sizeof(struct shape_distance_row) / sizeof(double) };
extern const struct column shape_distance_columns[SHAPE_DISTANCE_WIDTH];

/* One row per frame number that both runs have, except for an irregular last frame, which a run
 * that ended early has; table->value is owned by the caller. STATUS_INVALID if a run lacks the
 * body, its number of particles differs, there is no common frame, or frames of one number are of
 * different times. */
enum status shape_distance_create(const char *run_a, const char *run_b, const char *body,
                                  struct table *table, struct error *error);

#endif
