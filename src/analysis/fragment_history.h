/* The fragments of a run, one by one: a row per frame and fragment, RUN/fragments.csv. Definitions:
 * docs/measures.md. */
#ifndef ANALYSIS_FRAGMENT_HISTORY_H
#define ANALYSIS_FRAGMENT_HISTORY_H

#include "base/table.h"
#include "config/scene.h"
#include "store/frame.h"

/* Values are taken over all particles of a fragment, free and fixed. Only bodies whose material can
 * break have fragments. */
#define FRAGMENT_COLUMNS(X)                                                                        \
    X(body, "", "name of the body")                                                                \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(fragment, "1", "smallest id of its particles")                                               \
    X(particles, "1", "its particles")                                                             \
    X(mass, "kg", "their mass")                                                                    \
    X(x, "m", "center of mass")                                                                    \
    X(y, "m", "center of mass")                                                                    \
    X(z, "m", "center of mass")                                                                    \
    X(velocity_x, "m/s", "velocity of the center of mass")                                         \
    X(velocity_y, "m/s", "velocity of the center of mass")                                         \
    X(velocity_z, "m/s", "velocity of the center of mass")                                         \
    X(kinetic, "J", "kinetic energy")                                                              \
    X(damage, "1", "fraction of bonds that broke, mean over its particles")

struct fragment_row {
#define FRAGMENT_MEMBER(name, unit, sentence) double name;
    FRAGMENT_COLUMNS(FRAGMENT_MEMBER)
#undef FRAGMENT_MEMBER
};

enum { FRAGMENT_WIDTH = sizeof(struct fragment_row) / sizeof(double) };
extern const struct column fragment_columns[FRAGMENT_WIDTH];

struct fragment_history {
    const struct scene *scene;
    size_t n, capacity;
    struct fragment_row *row; /* by frame, then by smallest particle (n), owned */
    size_t *place; /* scratch: row of each fragment, at the index of its smallest particle */
    size_t n_places;
};

/* The scene must outlive the history. Release with fragment_history_free, also after a failure. */
void fragment_history_begin(struct fragment_history *history, const struct scene *scene);
void fragment_history_free(struct fragment_history *history);

/* Adds the rows of a frame; none if the frame holds no fragments. */
enum status fragment_history_add(struct fragment_history *history, const struct frame *frame,
                                 struct error *error);

/* All rows; the history still owns the memory. */
struct table fragment_history_table(const struct fragment_history *history);

#endif
