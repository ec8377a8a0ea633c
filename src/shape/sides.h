/* The sides of triangles, sorted, so that those along one edge follow each other. */
#ifndef SHAPE_SIDES_H
#define SHAPE_SIDES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One side of a triangle, from its lower to its higher vertex or back. */
struct side {
    uint32_t low, high;
    uint32_t apex; /* the triangle's third vertex */
    bool forward;  /* the triangle runs it from low to high */
};

/* Makes the 3 n sides of n triangles, ascending by (low, high, forward, apex); owned by the caller.
 */
enum status sides_create(struct side **side, size_t n, const uint32_t (*triangle)[3],
                         struct error *error);

/* The end of the sides, of n, along the same edge as side[k]. */
size_t sides_end_of_edge(const struct side *side, size_t n, size_t k);

/* Whether triangles bound a volume: every edge has two, which run it in opposite directions. */
enum status sides_closed(size_t n, const uint32_t (*triangle)[3], bool *closed,
                         struct error *error);

#endif
