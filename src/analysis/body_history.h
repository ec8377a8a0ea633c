/* The motion of the bodies of a run: a row per frame and body, RUN/bodies.csv. Definitions:
 * docs/measures.md. */
#ifndef ANALYSIS_BODY_HISTORY_H
#define ANALYSIS_BODY_HISTORY_H

#include "base/table.h"
#include "store/frame.h"

/* Values are taken over the free particles of a body; all but `body`, `frame`, `time`, `particles`
 * and `mass` are nan if there are none. Height is measured against gravity from the origin, along z
 * if there is no gravity. */
#define BODY_COLUMNS(X)                                                                            \
    X(body, "", "name of the body")                                                                \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(particles, "1", "free particles")                                                            \
    X(mass, "kg", "their mass")                                                                    \
    X(x, "m", "center of mass")                                                                    \
    X(y, "m", "center of mass")                                                                    \
    X(z, "m", "center of mass")                                                                    \
    X(velocity_x, "m/s", "velocity of the center of mass")                                         \
    X(velocity_y, "m/s", "velocity of the center of mass")                                         \
    X(velocity_z, "m/s", "velocity of the center of mass")                                         \
    X(kinetic, "J", "kinetic energy")                                                              \
    X(min_x, "m", "smallest position of a center")                                                 \
    X(min_y, "m", "smallest position of a center")                                                 \
    X(min_z, "m", "smallest position of a center")                                                 \
    X(max_x, "m", "largest position of a center")                                                  \
    X(max_y, "m", "largest position of a center")                                                  \
    X(max_z, "m", "largest position of a center")                                                  \
    X(height, "m", "height of the center of mass")                                                 \
    X(height_p01, "m", "1st percentile of height, by nearest rank")                                \
    X(height_p50, "m", "50th percentile of height, by nearest rank")                               \
    X(height_p99, "m", "99th percentile of height, by nearest rank")

struct body_row {
#define BODY_MEMBER(name, unit, sentence) double name;
    BODY_COLUMNS(BODY_MEMBER)
#undef BODY_MEMBER
};

enum { BODY_WIDTH = sizeof(struct body_row) / sizeof(double) };
extern const struct column body_columns[BODY_WIDTH];

struct body_history {
    size_t n_bodies, n_frames, capacity;
    double gravity;       /* m/s^2 */
    struct vec3 up;       /* unit vector */
    struct body_row *row; /* frame by frame, body by body (n_frames x n_bodies), owned */
    double *height;       /* scratch: of all bodies, one after the other (n_heights) */
    size_t *end;          /* scratch: where those of each body end (n_ends) */
    size_t n_heights, n_ends;
};

void body_history_begin(struct body_history *history, size_t n_bodies, struct vec3 gravity);
void body_history_free(struct body_history *history);

/* Adds a row per body. */
enum status body_history_add(struct body_history *history, const struct frame *frame,
                             struct error *error);

#endif
